// SPDX-License-Identifier: MIT
// A run of a program under rerenderctl, injected or not, and what was counted of its views.

import Foundation
import RerenderModel
import TestSupport
import Testing

/// What `rerenderctl run` counted, and what it said.
struct InjectedRun {
    /// One view's numbers.
    struct View {
        let count: UInt64
        let reasons: [String: UInt64]
        let stats: Stats

        /// Who wrote what was the reason, and how often.
        func writers(_ reason: String) -> [String: UInt64] {
            let found = stats.reasons.filter { $0.reason == reason }.flatMap(\.writers)
            return Dictionary(found.map { ($0.writer, $0.count) }, uniquingKeysWith: +)
        }
    }

    /// The views that were evaluated, by their keys, of each store by its name.
    private(set) var stores: [String: [String: View]] = [:]
    /// The views that were not evaluated: of each store by its name.
    private(set) var unevaluated: [String: [String: Stats]] = [:]
    /// The frames of each store by its name, where they were seen.
    private(set) var frames: [String: FrameStats] = [:]
    /// Evaluations that are in no view, and the sentences about what is missing: of each store by its name.
    private(set) var dropped: [String: UInt64] = [:]
    private(set) var gaps: [String: [String]] = [:]
    /// What the views of each store are, by its name.
    private(set) var kinds: [String: StoreKind] = [:]
    let output: String
    let said: String

    /// - Parameters:
    ///   - isInjected: Whether the library is injected, which must have been made (``Fixture/preload()``).
    ///   - changes: Variables of the environment that are different.
    static func run(
        _ command: [String], isInjected: Bool = true, environment changes: [String: String] = [:]
    ) async throws -> InjectedRun {
        try await InjectedRun(command, isInjected, changes)
    }

    private init(_ command: [String], _ isInjected: Bool, _ changes: [String: String]) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("export.json")
        var environment = ProcessInfo.processInfo.environment.merging(changes) { $1 }
        if changes["DISPLAY"] != nil { environment["WAYLAND_DISPLAY"] = nil }
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        // All counts arrive, however busy the machine is.
        environment["RERENDER_WAIT_AT_EXIT"] = "60000"
        let tool =
            [ChildProcess.product("rerenderctl"), "run", "--all", "--json", "-o", file.path]
            + (isInjected ? ["--inject"] : ["--no-inject"])
        let ended = try await ChildProcess.run(tool + ["--"] + command, environment: environment)
        try #require(ended.exit == .status(0), "\(ended.standardError)")
        (output, said) = (ended.standardOutput, ended.standardError)
        let processes = try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: file)).processes
        try #require(processes.allSatisfy { $0.lost == 0 })
        for process in processes {
            (frames[process.store], kinds[process.store]) = (process.frames, process.kind)
            (dropped[process.store], gaps[process.store]) = (process.dropped, process.gaps)
            for view in process.views where view.count == 0 {
                unevaluated[process.store, default: [:]][view.key.rawValue] = view
            }
            for view in process.views where view.count > 0 {
                let reasons = Dictionary(view.reasons.map { ($0.reason, $0.count) }, uniquingKeysWith: +)
                stores[process.store, default: [:]][view.key.rawValue] = View(
                    count: view.count, reasons: reasons, stats: view)
            }
        }
    }

    /// How often each view of a store was evaluated.
    func counts(_ store: String) -> [String: UInt64] { stores[store, default: [:]].mapValues(\.count) }

    /// What the program printed of its own counts: lines of a view, a tab, and a number.
    var truth: [String: UInt64] {
        var counts: [String: UInt64] = [:]
        for line in output.split(separator: "\n") {
            let words = line.split(separator: "\t")
            if words.count == 2, let count = UInt64(words[1]) { counts[String(words[0])] = count }
        }
        return counts
    }
}
