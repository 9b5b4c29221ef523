// SPDX-License-Identifier: MIT
// The bounds in the files of limits against the page that lists them, and against the tests that it names.

import Foundation
import TestSupport
import Testing

@Suite("Limits and the page that lists them") struct LimitTests {
    /// The file of each type that has limits.
    private static let files = [
        "StoreLimits": "App/Rerender/Support/StoreLimits", "SymbolLimits": "App/Rerender/Symbols/SymbolTable",
        "WireLimits": "Shared/RerenderWire/Framing/WireLimits",
        "DaemonLimits": "Daemon/RerenderDaemon/Configuration/DaemonLimits",
        "TraceLimits": "Tool/RerenderTrace/Events/TraceLimits", "PageLimits": "Tool/RerenderTrace/Events/TraceLimits",
    ]
    private static let types = files.keys.sorted()

    /// A row of the page.
    private struct Row {
        let names: [String]
        /// Where there is one for each name.
        let numbers: [String]
        /// What the row says of tests: `**` where one goes to four numbers, the suite, and the function where one is named.
        let tests: [(isFour: Bool, suite: String, function: String?)]
    }

    /// The part of the page that is of a type.
    private static func section(of type: String) throws -> String {
        let page = try String(contentsOf: Checkout.url("docs/reference/limits.md"), encoding: .utf8)
        let parts = page.components(separatedBy: "\n### `\(type)`\n")
        try #require(parts.count == 2, "the page has one part for \(type)")
        return parts[1].components(separatedBy: "\n#")[0]
    }

    private static func rows(in section: String) -> [Row] {
        section.matches(of: /\n\| ((?:`\w+`(?:, )?)+) \| ([^|]+) \| [^|]+ \| ([^|]+) \|/).map { row in
            Row(
                names: words(in: row.1), numbers: row.2.components(separatedBy: "; "),
                tests: row.3.matches(of: /(\*\*)?`(\w+)(?:\.(\w+))?`/).map {
                    ($0.1 != nil, String($0.2), $0.3.map { String($0) })
                })
        }
    }

    private static func words(in text: Substring) -> [String] { text.matches(of: /`(\w+)`/).map { String($0.1) } }

    /// The constants of a type by their names, each with what it is as the source has it.
    private static func constants(of type: String) throws -> [String: String] {
        let file = try String(contentsOf: Checkout.url("Sources/\(files[type] ?? "").swift"), encoding: .utf8)
        let start = try #require(file.firstMatch(of: try Regex("\\b(?:enum|struct) \(type)\\b")), "\(type)")
        let source = file[start.range.upperBound...].components(separatedBy: "\n}\n")[0]
        let found = source.matches(of: /\n    (?:package )?(?:static )?(?:let|var) (\w+)(?:: [\w.]+)? = (.*)/)
        return Dictionary(found.map { (String($0.1), String($0.2)) }) { first, _ in first }
    }

    /// `65_536` and `64 << 20`; nil for what is made of other constants, and for times.
    private static func number(_ source: String) -> Int? {
        guard let match = source.wholeMatch(of: /([\d_]+)(?: << (\d+))?/) else { return nil }
        return Int(match.1.replacing("_", with: "")).map { $0 << (match.2.flatMap { Int($0) } ?? 0) }
    }

    /// `65,536`, `512 KiB` and `64 MiB`.
    private static func shown(_ text: String) -> Int? {
        let parts = text.split(separator: " "), shifts = ["KiB": 10, "MiB": 20]
        let number = parts.first.flatMap { Int($0.replacing(",", with: "")) }
        return parts.count == 1 ? number : number.flatMap { number in shifts[String(parts[1])].map { number << $0 } }
    }

    @Test("Each bound is on the page, with its number", arguments: types) func listed(type: String) throws {
        let (section, constants) = (try Self.section(of: type), try Self.constants(of: type))
        let rows = Self.rows(in: section)
        let times = section.components(separatedBy: "\nTimes, ").dropFirst().first.map { Self.words(in: $0[...]) } ?? []
        let named = rows.flatMap(\.names) + times
        #expect(constants.count > 5 && Set(constants.keys).subtracting(named).sorted() == [], "not on the page")
        #expect(Set(named).subtracting(constants.keys).sorted() == [], "of no constant")
        #expect(named.count == Set(named).count, "a constant is there twice")
        for row in rows {
            try #require(row.numbers.count == row.names.count, "\(row.names)")
            for (name, text) in zip(row.names, row.numbers) {
                guard let number = constants[name].flatMap(Self.number) else { continue }
                #expect(Self.shown(text) == number, "\(type).\(name)")
            }
        }
    }

    /// What is in the suites of a name: several targets may have one.
    private static func suites() throws -> [String: [String]] {
        let folder = Checkout.url("Tests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        var suites: [String: [String]] = [:]
        for path in paths where path.hasSuffix("Tests.swift") {
            let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            for part in source.components(separatedBy: "\n@Suite").dropFirst() {
                guard let type = part.firstMatch(of: /\b(?:struct|class|enum|actor) (\w+)/) else { continue }
                suites[String(type.1), default: []].append(part)
            }
        }
        return suites
    }

    @Test("Each test that the page names is there, and those in bold go to four numbers") func tests() throws {
        let suites = try Self.suites()
        var count = 0
        for type in Self.types {
            for test in Self.rows(in: try Self.section(of: type)).flatMap(\.tests) {
                let parts = suites[test.suite] ?? []
                #expect(!parts.isEmpty, "\(test.suite)")
                guard let function = test.function else { continue }
                count += test.isFour ? 1 : 0
                // The test's own attribute, and what is up to the next one.
                let found = parts.compactMap { part in
                    part.range(of: "func \(function)(").map { name in
                        let before = part[..<name.lowerBound].components(separatedBy: "@Test").last ?? ""
                        return before + (part[name.upperBound...].components(separatedBy: "@Test").first ?? "")
                    }
                }
                #expect(!found.isEmpty, "\(test.suite).\(function)")
                #expect(!test.isFour || found.contains { $0.contains("around(") }, "\(test.suite).\(function)")
            }
        }
        #expect(count >= 40)
    }
}
