// SPDX-License-Identifier: MIT
// The command line of the benchmarks; `Scripts/bench` calls it with what each needs around it.

import ArgumentParser
import Foundation

/// The benchmarks by name, as the table of results lists them.
enum Benchmark: String, CaseIterable, ExpressibleByArgument {
    case signpostDisabled = "signpost.disabled"
    case signpostEnabled = "signpost.enabled"
    case evaluateOn = "evaluate.on"
    case evaluateCount = "evaluate.count"
    case evaluateInstructions = "evaluate.instructions"
    case evaluateRecording = "evaluate.recording"
    case storeFirst = "store.first"
    case compareUnchanged = "compare.unchanged"
    case compareChanged = "compare.changed"
    case causesTracking = "causes.tracking"
    case evaluateFull = "evaluate.full"
    case daemonIngest = "daemon.ingest"
    case daemonQuery = "daemon.query"
    case loopOneOfMany = "loop.one-of-many"
    case loopAll = "loop.all"
    case loopMemory = "loop.memory"
    case reportRead = "report.read"
    case recordStart = "record.start"
    case recordEnd = "record.end"
    case injectEvaluate = "inject.evaluate"
    case injectOff = "inject.off"
    case injectStart = "inject.start"
    case injectInert = "inject.inert"
    case gtkFrame = "gtk.frame"
    case gtkHUD = "gtk.hud"
    case gtkIdle = "gtk.idle"
}

@main
struct RerenderBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerender-bench", abstract: "Runs one benchmark; Scripts/bench runs them all.")

    @Argument(help: "Which one.")
    var benchmark: Benchmark

    @Option(help: "Write the row as JSON to this file too.")
    var json: String?

    @Option(help: "The library that Benchmarks/CBench/Programs/lttng-macros/build made.")
    var yardstick: String?

    @Option(help: "The name of the session that records.")
    var session: String?

    @Option(help: "Its channel.")
    var channel = "bench"

    @Option(help: "The runtime directory of the daemon.")
    var runtimeDir: String?

    @Option(help: "The daemon's process.")
    var daemonPid: Int32?

    @Option(help: "Where recordings are, or are made.")
    var traces: String?

    @Option(help: "The library that is preloaded.")
    var preload: String?

    @Option(help: "The program of Benchmarks/CBench/Programs/gtk-widgets.")
    var widgets: String?

    @Option(help: "The library of Benchmarks/CBench/Programs/gtk-frames.")
    var driver: String?

    @Option(help: "The demo, built without probes.")
    var plainDemo: String?

    @Option(help: "This program without debug information.")
    var stripped: String?

    @Option(help: "Measure nothing: be the app that makes a recording of so many events.")
    var record: Int?

    @Option(help: "Then write to this file when that began and ended, in nanoseconds of the monotonic clock.")
    var notes: String?

    @Option(name: .customLong("repeat"), help: "Measure nothing: do it so often, for callgrind or a row.")
    var repetitions: Int?

    func run() throws {
        if let record, let notes { return try RecordBenchmarks.command(events: record, noting: notes) }
        if let record { return try ReportBenchmarks.record(events: record) }
        if let repetitions { return try EvaluateBenchmarks.run(benchmark, repetitions) }
        let row = try measure()
        print(row.text)
        if let json { try Data(row.json().utf8).write(to: URL(fileURLWithPath: json)) }
    }

    private func measure() throws -> Row {
        switch benchmark {
        case .signpostDisabled: try SignpostBenchmarks.disabled()
        case .signpostEnabled: try SignpostBenchmarks.enabled(loadedYardstick())
        case .evaluateOn: try EvaluateBenchmarks.on()
        case .evaluateCount: try EvaluateBenchmarks.count()
        case .evaluateInstructions: try EvaluateBenchmarks.instructions(needed(stripped, "--stripped"))
        case .evaluateRecording:
            try EvaluateBenchmarks.recording(
                loadedYardstick(), Session(name: needed(session, "--session"), channel: channel))
        case .storeFirst: try StoreBenchmarks.first()
        case .compareUnchanged: CompareBenchmarks.unchanged()
        case .compareChanged: CompareBenchmarks.changed()
        case .causesTracking: try CausesBenchmarks.tracking()
        case .evaluateFull: try FullEvaluationBenchmark.full()
        case .daemonIngest: try daemon().ingest()
        case .daemonQuery: try daemon().query()
        case .loopOneOfMany: try MainActor.assumeIsolated { try LoopBenchmarks.oneOfMany() }
        case .loopAll: try MainActor.assumeIsolated { try LoopBenchmarks.all() }
        case .loopMemory: try MainActor.assumeIsolated { try LoopBenchmarks.memory() }
        case .reportRead: try ReportBenchmarks(directory: needed(traces, "--traces")).read()
        case .recordStart: try RecordBenchmarks(directory: needed(traces, "--traces")).start()
        case .recordEnd: try RecordBenchmarks(directory: needed(traces, "--traces")).end()
        case .injectEvaluate: try InjectBenchmarks.evaluate()
        case .injectOff: try injection().off()
        case .injectStart: try injection().start(demo: needed(plainDemo, "--plain-demo"))
        case .injectInert: try injection().inert()
        case .gtkFrame: try gtk().frame()
        case .gtkHUD: try gtk().hud()
        case .gtkIdle: try gtk().idle()
        }
    }

    private func loadedYardstick() throws -> Yardstick {
        try Yardstick(path: needed(yardstick, "--yardstick"))
    }

    private func daemon() throws -> DaemonBenchmarks {
        DaemonBenchmarks(directory: try needed(runtimeDir, "--runtime-dir"), pid: try needed(daemonPid, "--daemon-pid"))
    }

    private func injection() throws -> InjectBenchmarks { InjectBenchmarks(preload: try needed(preload, "--preload")) }

    private func gtk() throws -> GTKBenchmarks {
        GTKBenchmarks(
            preload: try needed(preload, "--preload"), driver: try needed(driver, "--driver"),
            idleProgram: try needed(widgets, "--widgets"))
    }

    private func needed<Value>(_ value: Value?, _ option: String) throws -> Value {
        guard let value else { throw ValidationError("\(benchmark.rawValue) needs \(option)") }
        return value
    }
}
