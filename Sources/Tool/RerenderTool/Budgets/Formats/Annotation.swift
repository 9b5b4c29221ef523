// SPDX-License-Identifier: MIT
// Findings that a service shows beside the line of source that they are about.

import RerenderShow

/// One finding, and where it is.
package struct Annotation: Hashable, Sendable {
    /// How bad it is, by SARIF's names, which GitHub shares.
    package enum Level: String, Sendable {
        case error, warning
    }

    /// What is found.
    package enum Rule: String, Sendable, CaseIterable {
        case notExact = "not-exact"
        case overBudget = "over-budget"
        case notInBudget = "not-in-budget"
        case neverEvaluated = "never-evaluated"
        case slowBody = "slow-body"
        case costsMost = "costs-most"
        case costsMore = "costs-more"

        /// In a sentence.
        var text: String {
            switch self {
            case .notExact: "Evaluations are missing from the counts."
            case .overBudget: "A view is over a limit of the budget."
            case .notInBudget: "A view is not in the budget."
            case .neverEvaluated: "A view of the budget was not evaluated."
            case .slowBody: "Bodies of a view are slower than recommended."
            case .costsMost: "This costs the user most."
            case .costsMore: "A view costs more than before."
            }
        }
    }

    let level: Level
    let rule: Rule
    /// One line or several; safe to print.
    let message: String
    /// Module and file, such as `Shop/Cart.swift`; nil where no place is known.
    var file: String?
    var line: UInt32 = 0

    init(_ level: Level, _ rule: Rule, _ message: String, file: String? = nil, line: UInt32 = 0) {
        (self.level, self.rule, self.message, self.file, self.line) = (level, rule, message, file, line)
    }

    /// - Parameter place: `Shop/Cart.swift:40`, or empty.
    init(_ level: Level, _ rule: Rule, _ message: String, place: String) {
        self.init(level, rule, message)
        guard let colon = place.lastIndex(of: ":"), let line = UInt32(place[place.index(after: colon)...]) else {
            return
        }
        (file, self.line) = (String(place[..<colon]), line)
    }

    /// The most annotations of a result: GitHub shows fewer, and a hostile app has more views.
    static let most = 100
}

/// Findings as a service reads them, with the paths of their files.
package struct AnnotationList: Sendable {
    private let annotations: [Annotation]
    private let paths: [String: String]

    /// - Parameter path: The path below the root of the sources of a file that a module names; nil where that is not certain: then the
    ///   finding has no place.
    package init(_ annotations: [Annotation], path: (_ file: String) -> String?) {
        self.annotations = Array(annotations.prefix(Annotation.most))
        var paths: [String: String] = [:]
        for file in Set(self.annotations.compactMap(\.file)) { paths[file] = path(file) }
        self.paths = paths
    }

    /// The file and the line, if they are certain.
    private func place(of annotation: Annotation) -> (path: String, line: UInt32)? {
        guard let path = annotation.file.flatMap({ paths[$0] }), annotation.line > 0 else { return nil }
        return (path, annotation.line)
    }

    /// A line for each, as a step of GitHub Actions prints them.
    ///
    /// Format: "Workflow commands for GitHub Actions".
    package var gitHubLines: [String] {
        annotations.map { annotation in
            let place = place(of: annotation).map {
                ("file=\($0.path),line=\($0.line)," as EscapedText<WorkflowPropertySyntax>).text
            }
            return "::\(annotation.level.rawValue) \(place ?? "")title=rerender \(annotation.rule.rawValue)::"
                + EscapedText<WorkflowMessageSyntax>(annotation.message).text
        }
    }

    /// The findings as SARIF 2.1.0 (OASIS).
    ///
    /// - Parameter version: The tool's.
    package func sarif(version: String) -> SARIFLog {
        SARIFLog(
            version,
            annotations.map { annotation in
                SARIFLog.Result(
                    ruleId: annotation.rule.rawValue, level: annotation.level.rawValue,
                    message: SARIFLog.Message(text: annotation.message),
                    locations: place(of: annotation).map { [SARIFLog.Location($0.path, $0.line)] } ?? [])
            })
    }
}
