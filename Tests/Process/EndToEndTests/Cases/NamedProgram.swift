// SPDX-License-Identifier: MIT
// The programs of Tests/Fixtures/Named, how they are started, and what is found of each label of theirs.

import Foundation
import RerenderModel
import TestSupport

/// A language in which programs are tried.
enum NamedLanguage: String, CaseIterable {
    case c = "C"
    case cxx = "C++"
    case vala = "Vala"
    case rust = "Rust"
    case python = "Python"
    case javaScript = "JavaScript"

    private static let hasTypes = FileManager.default.fileExists(
        atPath: "/usr/lib/x86_64-linux-gnu/girepository-1.0/Gtk-4.0.typelib")

    /// Why its programs cannot be tried here; nil if they can.
    var obstacle: String? {
        switch self {
        case .c: Self.missing(["cc", "objcopy", "strip"])
        case .cxx: Self.missing(["c++", "c++filt"])
        case .vala: Self.missing(["valac"])
        case .rust: Self.missing(["rustc"])
        case .python: WidgetTests.pythonObstacle
        case .javaScript:
            ChildProcess.path(of: "gjs") != nil && Self.hasTypes ? nil : "gjs or gir1.2-gtk-4.0 is not installed"
        }
    }

    private static func missing(_ tools: [String]) -> String? {
        // Where this is set, nothing is compiled, and none of these are among what is made.
        let areMade = ProcessInfo.processInfo.environment["RERENDER_FIXTURES_ARE_MADE"] == "1"
        if areMade { return "nothing is compiled here" }
        let missing = tools.filter { ChildProcess.path(of: $0) == nil }
        return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) is not installed"
    }
}

/// A program of GTK 4 with five labels.
struct NamedProgram {
    let name: String
    let language: NamedLanguage
    /// Paths in Tests/Fixtures/Named.
    let sources: [String]

    private init(_ name: String, _ language: NamedLanguage, _ sources: [String]) {
        (self.name, self.language, self.sources) = (name, language, sources)
    }

    static let all = [
        NamedProgram("clock", .c, ["clock.c"]),
        NamedProgram("meter", .c, ["meter.c"]),
        NamedProgram("board", .cxx, ["board.cpp"]),
        NamedProgram("chart", .cxx, ["chart.cpp"]),
        NamedProgram("mail", .vala, ["mail.vala"]),
        NamedProgram("notes", .vala, ["notes.vala"]),
        NamedProgram("weather", .rust, ["weather.rs"]),
        NamedProgram("radio", .rust, ["radio.rs"]),
        NamedProgram("tasks", .python, ["tasks.py"]),
        NamedProgram("planner", .python, ["planner/__main__.py", "planner/week.py"]),
        NamedProgram("stopwatch", .javaScript, ["stopwatch.js"]),
        NamedProgram("album", .javaScript, ["album.js"]),
    ]

    private static let folder = Fixture.source("Named")

    /// The names of its files.
    var files: Set<String> { Set(sources.map(Self.file)) }

    private static func file(_ path: String) -> String { URL(filePath: path).lastPathComponent }

    func labels() throws -> [NamedLabel] {
        try sources.flatMap { path in
            let source = try String(contentsOfFile: "\(Self.folder)/\(path)", encoding: .utf8)
            return NamedLabel.all(in: source, file: Self.file(path))
        }
    }

    /// What starts it.
    func command() async throws -> [String] {
        switch (language, name) {
        case (.python, "planner"): [WidgetTests.interpreter, "-m", name]
        case (.python, _): [WidgetTests.interpreter, "\(Self.folder)/\(sources[0])"]
        case (.javaScript, "album"): [try ChildProcess.installed("gjs"), "-m", "\(Self.folder)/\(sources[0])"]
        case (.javaScript, _): [try ChildProcess.installed("gjs"), "\(Self.folder)/\(sources[0])"]
        case (.c, _), (.cxx, _), (.vala, _), (.rust, _): [try await Fixture.made("named/\(name)")]
        }
    }

    /// Python finds the package here, and leaves nothing beside it.
    static let environment = ["PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"]

    /// Each hang of a program takes 400 ms.
    static let hangThreshold = 250
    private static let hangNanoseconds: UInt64 = 300_000_000

    // MARK: What was found

    /// All that an export says of what a label is of; empty where nothing is said.
    func names(of label: NamedLabel, in export: StatsExport) -> [String] {
        guard let process = export.processes.first(where: { $0.kind == .widgets }) else { return [] }
        let own = export.processes.filter { $0.pid == process.pid }
        let rows = own.compactMap(\.loop).flatMap(\.rows)
        let texts: [String] =
            switch label.subject {
            case .writer(let key, let reason):
                process.views.filter { $0.key.rawValue == key }.flatMap(\.reasons).filter { $0.reason == reason }
                    .flatMap(\.writers).map(\.writer)
            case .timer(let milliseconds):
                rows.filter { $0.kind == .timer && $0.numbers.interval == milliseconds * 1_000_000 }.map(\.function)
            case .idle: rows.filter { $0.kind == .idle }.map(\.function)
            case .handler(let handler): rows.filter { $0.kind == .handler && $0.of == handler }.map(\.function)
            case .hang: hangs(in: export, of: process.pid)
            }
        return Set(texts).sorted()
    }

    /// The innermost function of the program's own in each stack. Of JavaScript, which has none, the handler or source.
    private func hangs(in export: StatsExport, of process: Int32) -> [String] {
        let hangs = (export.run?.hangs ?? []).filter {
            $0.pid == process && $0.durationNanoseconds >= Self.hangNanoseconds
        }
        if language == .javaScript { return hangs.compactMap(\.source) }
        return hangs.flatMap(\.stacks).compactMap { stack in
            let own = stack.frames.first { files.contains(FoundName($0).file ?? "") }
            // A hang at the beginning is GTK's.
            return own.flatMap { FoundName($0).isMain ? nil : $0 }
        }
    }
}
