// SPDX-License-Identifier: MIT
// The parts of SARIF 2.1.0 that are written.

import FoundationEssentials
import RerenderShow

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
