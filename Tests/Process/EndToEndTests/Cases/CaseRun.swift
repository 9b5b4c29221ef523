// SPDX-License-Identifier: MIT
// A run of a program under `rerenderctl run` with a daemon of its own: the verdict as it is printed, and as it is in the export.

import Foundation
import RerenderModel
import TestSupport
import Testing

struct CaseRun {
    /// What the program said.
    let output: String
    /// What the tool said, with one space where there were several or a line ended.
    let said: String
    let processes: [ProcessStats]
    /// The newest first.
    let hangs: [Hang]
    let verdict: Verdict

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - options: Those of `run`, such as `--inject`, whose libraries are made.
    ///   - around: What the tool is run by; empty for nothing.
    ///   - hangThreshold: In milliseconds. Shorter hangs, in which a busy machine does not run the program, are none.
    ///   - environment: What is different for all of them: that of a display.
    init(
        _ command: [String], _ options: [String] = ["--inject"], around: [String] = [], hangThreshold: Int = 1_000,
        environment: [String: String] = [:]
    ) async throws {
        let (ended, export) = try await Self.export(
            command, options, around: around, hangThreshold: hangThreshold, environment: environment)
        output = ended.standardOutput
        said = ended.standardError.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        processes = export.processes
        hangs = export.run?.hangs ?? []
        verdict = try #require(export.verdict, "\(ended.standardError)")
        try #require(processes.allSatisfy { $0.lost == 0 })
        // What is printed is what is exported, in this order, and the first with its mark.
        let places = verdict.findings.compactMap { said.range(of: Self.words($0.text))?.lowerBound }
        #expect(places.count == verdict.findings.count && places == places.sorted(), "\(verdict.findings)\n\(said)")
        let first = try #require(verdict.first)
        #expect(said.contains(Self.mark(first.kind) + Self.words(first.text)), "\(first.text)\n\(said)")
    }

    /// What the tool said of a program that it ran to its end, and what it exported.
    ///
    /// - Parameter hangThreshold: As above.
    static func export(
        _ command: [String], _ options: [String] = ["--inject"], around: [String] = [], hangThreshold: Int = 1_000,
        environment changes: [String: String] = [:]
    ) async throws -> (ended: ChildProcess.Output, export: StatsExport) {
        if !options.isEmpty { try await Fixture.preload() }
        let directory = try TemporaryDirectory()
        let environment = try variables(in: directory.path, hangThreshold: hangThreshold, changes)
        let file = directory.path + "/export.json"
        let tool = [ChildProcess.product("rerenderctl"), "run", "--all"] + options + ["--json", "-o", file, "--"]
        let ended = try await ChildProcess.run(around + tool + command, environment: environment)
        try #require(ended.exit == .status(0), "\(ended.standardError)")
        let bytes = try Data(contentsOf: URL(filePath: file))
        return (ended, try JSONDecoder().decode(StatsExport.self, from: bytes))
    }

    /// What a script said that calls rerenderctl: for each of its steps, which begins with a line `== NAME`, the lines behind that as one.
    static func steps(
        of script: String, _ arguments: [String], environment changes: [String: String]
    ) async throws -> [String: String] {
        try await Fixture.preload()
        let directory = try TemporaryDirectory()
        var environment = try variables(in: directory.path, hangThreshold: 1_000, changes)
        let programs = URL(filePath: ChildProcess.product("rerenderctl")).deletingLastPathComponent().path
        environment["PATH"] = "\(programs):\(environment["PATH"] ?? "/usr/bin:/bin")"
        environment["RERENDER_HISTORY"] = "0"
        let ended = try await ChildProcess.run(
            ["/bin/bash", "-c", script, "bash"] + arguments, environment: environment)
        withExtendedLifetime(directory) {}
        try #require(ended.exit == .status(0), "\(ended.standardOutput)\n\(ended.standardError)")
        var (steps, step) = ([String: String](), "")
        for line in ended.standardOutput.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("== ") {
                step = String(line.dropFirst(3))
            } else {
                steps[step, default: ""] += " " + words(String(line))
            }
        }
        return steps
    }

    /// What the tool and programs get: a directory of their own, and settings.
    private static func variables(
        in directory: String, hangThreshold: Int, _ changes: [String: String]
    ) throws -> [String: String] {
        let settings = directory + "/rerender"
        try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: false)
        try "hangThreshold = \(hangThreshold)\n"
            .write(toFile: settings + "/config.toml", atomically: true, encoding: .utf8)
        var environment = ProcessInfo.processInfo.environment.merging(changes) { $1 }
        if changes["DISPLAY"] != nil { environment["WAYLAND_DISPLAY"] = nil }
        environment["RERENDER_RUNTIME_DIR"] = directory
        environment["XDG_CONFIG_HOME"] = directory
        // All counts arrive, however busy the machine is.
        environment["RERENDER_WAIT_AT_EXIT"] = "60000"
        return environment
    }

    private static func mark(_ kind: Verdict.Kind) -> String { kind.isMarked ? "! " : kind == .busy ? "· " : "" }

    private static func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The finding that stands first.
    var first: Verdict.Finding { verdict.findings[0] }
    /// The faults.
    var marked: [Verdict.Finding] { verdict.findings.filter(\.kind.isMarked) }
    /// What is known of the main loop of the process that has one.
    var loop: LoopStats? { processes.lazy.compactMap(\.loop).first }

    /// How often the program called its own function, by its own count; 0 where it does not tell.
    var calls: UInt64 {
        let line = output.split(separator: "\n").first { $0.hasPrefix("calls\t") || $0.hasPrefix("rounds\t") }
        return line.flatMap { UInt64($0.split(separator: "\t")[1]) } ?? 0
    }
}

/// A source file of Tests/Fixtures, in which comments say where functions are.
struct CaseSource {
    private let name: String
    private let lines: [Substring]

    init(_ name: String, in folder: String = "Public") throws {
        self.name = name
        let text = try String(contentsOfFile: Fixture.source("\(folder)/\(name)"), encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// `tick_only() cases.c:136`: the function, and the line with its comment `place: tick_only`. Behind the function, the comment may have more.
    func function(_ comment: String) throws -> String { "\(comment.prefix { $0 != " " })() \(try place(comment))" }

    /// `cases.c:136`: the line with that comment.
    func place(_ comment: String) throws -> String {
        let found = lines.indices.filter {
            lines[$0].hasSuffix("// place: \(comment)") || lines[$0].hasSuffix("# place: \(comment)")
        }
        try #require(found.count == 1, "\(name) has one comment for \(comment)")
        return "\(name):\(found[0] + 1)"
    }
}
