// SPDX-License-Identifier: MIT
// The documentation's list of claims names tests that there are.

import Foundation
import Testing
import TestSupport

@Suite struct ClaimsTests {
    private static let root = Checkout.root

    private static func claims() throws -> String {
        try String(
            contentsOf: root.appendingPathComponent("Sources/RenderLoop/RenderLoop/RenderLoop.docc/Claims.md"),
            encoding: .utf8)
    }

    /// The sources of the tests.
    private static func sources() throws -> [String] {
        let tests = root.appendingPathComponent("Tests").resolvingSymlinksInPath()
        let paths = FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8)
        }
    }

    /// The tests that a line names, `Suite.test`; `.test` is of the suite before.
    private static func tests(in line: String) -> [(suite: String, test: String?)] {
        var suite = ""
        return line.split(separator: "`" as Character, omittingEmptySubsequences: false).enumerated().compactMap {
            index, code in
            guard !index.isMultiple(of: 2) else { return nil }
            let parts = code.split(separator: "." as Character, omittingEmptySubsequences: false).map(String.init)
            guard let first = parts.first, first.isEmpty || first.hasSuffix("Tests"), parts.count <= 2 else {
                return nil
            }
            if !first.isEmpty { suite = first }
            return suite.isEmpty ? nil : (suite, parts.count == 2 ? parts[1] : nil)
        }
    }

    private static func isThere(_ suite: String, _ test: String?, in sources: [String]) -> Bool {
        let declared = sources.filter { $0.contains(" struct \(suite) {") }
        guard let test else { return !declared.isEmpty }
        return declared.contains { $0.contains("func \(test)(") }
    }

    @Test func everyClaimNamesTestsThatExist() throws {
        let rows = try Self.claims().split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count >= 20)
        let sources = try Self.sources()
        #expect(!Self.isThere("ClaimsTests", "phasesComeInTheirOrder", in: sources), "another suite has it")
        for row in rows {
            let tests = Self.tests(in: row.split(separator: "|").last.map(String.init) ?? "")
            #expect(!tests.isEmpty, "no test is named: \(row)")
            for (suite, test) in tests {
                #expect(Self.isThere(suite, test, in: sources), "there is no \(suite).\(test ?? "")")
            }
        }
    }
}
