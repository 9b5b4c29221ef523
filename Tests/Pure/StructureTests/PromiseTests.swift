// SPDX-License-Identifier: MIT
// The table of promises against the tests that every change is checked by.

import Foundation
import TestSupport
import Testing

@Suite("Promises and their tests") struct PromiseTests {
    /// A test, or the row of one.
    private struct Row: Hashable, Comparable, CustomStringConvertible {
        let suite, function: String
        var description: String { "\(suite).\(function)" }

        static func < (left: Row, right: Row) -> Bool { left.description < right.description }
    }

    private static func rows() throws -> [Row] {
        let page = try String(contentsOf: Checkout.url("docs/reference/promises.md"), encoding: .utf8)
        let section = try #require(page.split(separator: "\n## What every change is checked for\n").last)
        let table = try #require(section.split(separator: "\n## ").first)
        return table.matches(of: /\n\| .+ \| `(\w+)\.(\w+)` \|/).map {
            Row(suite: String($0.1), function: String($0.2))
        }
    }

    /// The sources of tests with real processes, or of others.
    private static func sources(in place: String = "Tests/Process") throws -> [String] {
        let folder = Checkout.url(place)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try paths.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }

    @Test("Pure tests start no process and open no socket") func pure() throws {
        let makers = [
            "ChildProcess", "PlainChild", "StartedChild", "Spawned", "DaemonProcess", "RunningDaemon", "HangLab",
            "XServer",
            "UnixStream", "CannedServer",
        ]
        // The names of this list have no sign behind them that would make it a find.
        let made = try Regex("\\b(?:(?:\(makers.joined(separator: "|")))[.(]|socket\\(|posix_spawn\\()")
        let (pure, others) = (try Self.sources(in: "Tests/Pure"), try Self.sources())
        #expect(pure.count > 300 && others.contains { $0.contains(made) })
        let found = pure.compactMap { source in source.firstMatch(of: made).map { String(source[$0.range]) } }
        #expect(found == [], "they belong to Tests/Process")
    }

    /// The tests with the trait `.promise`, once for each place of one.
    ///
    /// A test's suite is the last type before it with a smaller indentation. So two suites of a file may have tests of one name.
    private static func marked(in source: String) -> [Row] {
        let start = /(?:@Suite(?:\(.*\))? )?(?:@?\w+ )*(?:struct|class|enum|actor|extension) (\w+)/
        var types: [(indentation: Int, name: String)] = []
        var test: (indentation: Int, isMarked: Bool)?
        var rows: [Row] = []
        for line in source.split(separator: "\n") {
            let indentation = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indentation)
            if test == nil {
                let type = text.prefixMatch(of: start)
                if type != nil || text == "}" { types.removeAll { $0.indentation >= indentation } }
                if let type { types.append((indentation, String(type.1))) }
            }
            if text.hasPrefix("@Test") { test = (indentation, false) }
            guard var current = test else { continue }
            if text.contains(".promise") { current.isMarked = true }
            test = current
            guard let function = text.firstMatch(of: /\bfunc (\w+)\(/) else { continue }
            if current.isMarked {
                let suite = types.last { $0.indentation < current.indentation }?.name ?? "no suite"
                rows.append(Row(suite: suite, function: String(function.1)))
            }
            test = nil
        }
        return rows
    }

    @Test("Each row names one test with the trait, and each of these has one row") func complete() throws {
        let (rows, marked) = (try Self.rows(), try Self.sources().flatMap { Self.marked(in: $0) })
        #expect(rows.count > 150 && rows.count <= 220)
        func twice(_ list: [Row]) -> [Row] {
            Dictionary(list.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }.keys.sorted()
        }
        #expect(twice(rows) == [], "named by several rows")
        #expect(twice(marked) == [], "tests of one name with .promise")
        #expect(Set(rows).subtracting(marked).sorted() == [], "rows without a test that has .promise")
        #expect(Set(marked).subtracting(rows).sorted() == [], "tests with .promise that have no row")
    }

    /// The rows of the table of parts: a name, a pattern that may have the sign between them, and suites.
    private static func table() throws -> [[Substring]] {
        let text = try String(contentsOf: Checkout.url("Scripts/lib/proof-parts"), encoding: .utf8)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "|", omittingEmptySubsequences: false) }
    }

    @Test("Each file but those of tests asks for a part of the proof where it is changed") func asked() throws {
        let patterns = try Self.table().map { try Regex($0.dropFirst().dropLast().joined(separator: "|")) }
        let folders = ["Sources", "Benchmarks", "Scripts", "docs", "packaging", "systemd", ".ci", ".github/workflows"]
        let files = try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Checkout.url(folder).path).map { "\(folder)/\($0)" }
        }.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: Checkout.url(path).path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        #expect(files.count > 500 && files.contains("Scripts/proof") && files.contains(".ci/run"))
        let silent = (files + ["Package.swift", "README.md"]).filter { path in
            !patterns.contains { path.prefixMatch(of: $0) != nil }
        }
        #expect(silent.sorted() == [], "Scripts/lib/proof-parts has no row for these")
    }

    @Test("Each suite with real processes is in one part of the proof") func parts() throws {
        let listed = try Self.table().flatMap { $0.last?.split(separator: " ") ?? [] }.map(String.init)
        let suites = try Self.sources().flatMap { source in
            source.matches(of: /\n@Suite(?:\([^{]*\))?\s+(?:@MainActor\s+)?(?:final )?(?:struct|class|enum) (\w+)/).map
            { String($0.1) }
        }
        #expect(suites.count > 150 && Set(listed).count == listed.count)
        #expect(Set(suites).symmetricDifference(listed).sorted() == [])
    }
}
