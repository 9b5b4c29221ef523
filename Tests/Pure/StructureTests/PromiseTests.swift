// SPDX-License-Identifier: MIT
// The table of promises against the tests that every change is checked by.

import Foundation
import TestSupport
import Testing

@Suite("Promises and their tests") struct PromiseTests {
    private struct Row: Hashable {
        let suite, function: String
    }

    private static func rows() throws -> [Row] {
        let page = try String(contentsOf: Checkout.url("docs/reference/promises.md"), encoding: .utf8)
        let section = try #require(page.split(separator: "\n## What every change is checked for\n").last)
        let table = try #require(section.split(separator: "\n## ").first)
        return table.matches(of: /\n\| .+ \| `(\w+)\.(\w+)` \|/).map {
            Row(suite: String($0.1), function: String($0.2))
        }
    }

    /// The sources of tests with real processes.
    private static func sources() throws -> [String] {
        let folder = Checkout.url("Tests/Process")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try paths.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }

    @Test("Each row names one test, and no test has two rows") func complete() throws {
        let (rows, sources) = (try Self.rows(), try Self.sources())
        #expect(rows.count > 150 && rows.count <= 220 && Set(rows).count == rows.count)
        // A suite may lie in another type, so that a file stands for its types.
        let homes = sources.map { source in
            (
                types: Set(source.matches(of: /(?:struct|class|enum|extension) (\w+)/).map(\.1)),
                tests: Set(
                    source.split(separator: "@Test").dropFirst()
                        .compactMap { $0.prefix { $0 != "{" }.firstMatch(of: /func (\w+)\(/)?.1 })
            )
        }
        for row in rows {
            let count = homes.count { $0.types.contains(row.suite[...]) && $0.tests.contains(row.function[...]) }
            #expect(count == 1, "\(row.suite).\(row.function) is in \(count) files of Tests/Process")
        }
    }

    @Test("Each suite with real processes is in one part of the proof") func parts() throws {
        let table = try String(contentsOf: Checkout.url("Scripts/lib/proof-parts"), encoding: .utf8)
        let listed = table.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .flatMap { $0.split(separator: "|", omittingEmptySubsequences: false).last?.split(separator: " ") ?? [] }
            .map(String.init)
        let suites = try Self.sources().flatMap { source in
            source.matches(of: /\n@Suite(?:\([^{]*\))?\s+(?:@MainActor\s+)?(?:final )?(?:struct|class|enum) (\w+)/).map
            { String($0.1) }
        }
        #expect(suites.count > 150 && Set(listed).count == listed.count)
        #expect(Set(suites).symmetricDifference(listed).sorted() == [])
    }
}
