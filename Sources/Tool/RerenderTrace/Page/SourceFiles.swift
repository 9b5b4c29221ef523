// SPDX-License-Identifier: MIT
// Where the source files are that counts name by module and file: `Shop/Cart.swift`.

internal import FoundationEssentials
internal import RerenderModel

/// The source files below a directory, by their names.
package struct SourceFiles: Sendable {
    /// Their paths below the root, by the last part.
    private var paths: [String: [String]] = [:]
    private let root: String
    /// Whether the directory has more than was looked at.
    package private(set) var isCut = false

    /// Finds files that end in `.swift` below a directory; nothing where it cannot be read.
    ///
    /// Neither hidden directories nor links are followed. At most `limit` entries are looked at.
    package init(below root: String, limit: Int = 200_000) {
        self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
        var left = limit
        var folders = [""]
        while let folder = folders.popLast() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: self.root + folder)) ?? []
            for name in names.sorted() where !name.hasPrefix(".") {
                guard left > 0 else {
                    isCut = true
                    return
                }
                left -= 1
                let path = folder + "/" + name
                if name.hasSuffix(".swift") {
                    paths[name, default: []].append(path)
                } else if isFolder(path) {
                    folders.append(path)
                }
            }
        }
    }

    private func isFolder(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: root + path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    /// The path below the root of a file that a module names; nil where ``path(of:)`` is.
    package func relativePath(of file: String) -> String? { found(file).map { String($0.dropFirst()) } }

    /// The path of a file that a module names; nil if there is none, or if it is not certain which one is meant.
    ///
    /// The folder of a module has its name, with `-` for `_`. A file in no such folder has to be the only one of its name.
    package func path(of file: String) -> String? { found(file).map { root + $0 } }

    private func found(_ file: String) -> String? {
        let parts = file.split(separator: "/").map(String.init)
        guard parts.count >= 2, let name = parts.last, let found = paths[name] else { return nil }
        let ofModule = found.filter { path in
            path.split(separator: "/").dropLast().contains { $0.replacing("-", with: "_") == parts[0] }
        }
        let fitting = ofModule.isEmpty ? found : ofModule
        return fitting.count == 1 ? fitting[0] : nil
    }
}

/// Makes the places on a page links that an editor opens.
package struct PageLinks: Sendable {
    /// What a link is: `{path}` and `{line}` are replaced.
    package let template: String
    package let files: SourceFiles

    /// Visual Studio Code's.
    package static let standardTemplate = "vscode://file{path}:{line}"

    package init(_ files: SourceFiles, template: String = standardTemplate) {
        (self.files, self.template) = (files, template)
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
        for file in Set(page.views.map(\.file) + named) { paths[file] = files.path(of: file) }
        return paths
    }
}

extension ReportPage {
    /// Makes places links where it is certain which file they are in.
    package mutating func link(_ links: PageLinks) {
        (openWith, paths) = (links.template, links.paths(self))
    }
}
