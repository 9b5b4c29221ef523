// SPDX-License-Identifier: MIT
// Findings that a service shows beside a line of source: as workflow commands of GitHub, and as SARIF 2.1.0.

import FoundationEssentials
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
        case fault
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
            case .fault: "There is a fault of a kind that fails the check."
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

/// The message of a workflow command: what would end the line is escaped.
enum WorkflowMessageSyntax: TextSyntax {
    static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        text.reduce(into: "".unicodeScalars) { escaped, scalar in
            switch scalar {
            case "%", "\r", "\n": escaped.append(contentsOf: hexadecimal(scalar))
            default: escaped.append(scalar)
            }
        }
    }

    /// `%25` and so on. Of two digits: for scalars from U+0010 to U+00FF, and the two that end a line.
    fileprivate static func hexadecimal(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return ((digits.utf8.count < 2 ? "%0" : "%") + digits).unicodeScalars
    }
}

/// The value of a property: what would begin another one, or the message, is escaped too.
enum WorkflowPropertySyntax: TextSyntax {
    static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        text.reduce(into: "".unicodeScalars) { escaped, scalar in
            switch scalar {
            case "%", "\r", "\n", ":", ",": escaped.append(contentsOf: WorkflowMessageSyntax.hexadecimal(scalar))
            default: escaped.append(scalar)
            }
        }
    }
}

/// A log with one run. The names are those of the format.
package struct SARIFLog: Encodable, Sendable {
    struct Message: Encodable, Sendable {
        let text: String
    }

    struct Rule: Encodable, Sendable {
        let id: String
        let shortDescription: Message
    }

    struct Driver: Encodable, Sendable {
        var name = "rerenderctl"
        let version: String
        var rules = Annotation.Rule.allCases.map { Rule(id: $0.rawValue, shortDescription: Message(text: $0.text)) }
    }

    struct Tool: Encodable, Sendable {
        let driver: Driver
    }

    struct Location: Encodable, Sendable {
        struct Artifact: Encodable, Sendable {
            let uri: String
            var uriBaseId = "%SRCROOT%"
        }

        struct Region: Encodable, Sendable {
            let startLine: UInt32
        }

        struct Physical: Encodable, Sendable {
            let artifactLocation: Artifact
            let region: Region
        }

        let physicalLocation: Physical

        /// - Parameter path: Below the root of the sources.
        init(_ path: String, _ line: UInt32) {
            let uri = path.utf8.map(Self.escaped).joined()
            physicalLocation = Physical(artifactLocation: Artifact(uri: uri), region: Region(startLine: line))
        }

        /// A byte of a path in a URI (RFC 3986).
        private static func escaped(_ byte: UInt8) -> String {
            let character = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80
                && (character.properties.isAlphabetic || "0123456789-._~/".unicodeScalars.contains(character))
            if isPlain { return String(character) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }
    }

    struct Result: Encodable, Sendable {
        let ruleId: String
        let level: String
        let message: Message
        let locations: [Location]
    }

    struct Run: Encodable, Sendable {
        let tool: Tool
        let results: [Result]
    }

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    private let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    private let version = "2.1.0"
    private let runs: [Run]

    init(_ version: String, _ results: [Result]) {
        runs = [Run(tool: Tool(driver: Driver(version: version)), results: results)]
    }

    /// The document, a line end last.
    package func text() throws -> String {
        String(decoding: try StatsExport.encoder().encode(self), as: UTF8.self) + "\n"
    }
}
