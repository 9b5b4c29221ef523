// SPDX-License-Identifier: MIT
// Makes the places on a page links that an editor opens.

internal import RerenderModel

/// Makes the places on a page links that an editor opens.
package struct PageLinks {
    /// What a link is: `{path}` and `{line}` are replaced.
    package let template: String
    /// The path of a file that a module names; nil where it is not certain which one is meant.
    private let path: (_ file: String) -> String?

    /// Visual Studio Code's.
    package static let standardTemplate = "vscode://file{path}:{line}"

    package init(template: String = standardTemplate, path: @escaping (_ file: String) -> String?) {
        (self.template, self.path) = (template, path)
    }

    /// The files that the views and the texts of a page name, as `Shop/Cart.swift:40` at the end, with their paths.
    func paths(_ page: ReportPage) -> [String: String] {
        var paths: [String: String] = [:]
        let writers =
            page.views.flatMap(\.reasons).flatMap(\.writers).map(\.writer)
            + page.causes.flatMap(\.writers).map(\.writer) + page.reasons
        let named = writers.compactMap { text -> String? in
            let place = text.split(separator: " ").last { $0.contains(".swift:") }
            return place?.split(separator: ":").first.map(String.init)
        }
        for file in Set(page.views.map(\.file) + named) { paths[file] = path(file) }
        return paths
    }
}

extension ReportPage {
    /// Makes places links where it is certain which file they are in.
    package mutating func link(_ links: PageLinks) {
        (openWith, paths) = (links.template, links.paths(self))
    }
}
