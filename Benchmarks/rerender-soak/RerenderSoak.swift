// SPDX-License-Identifier: MIT
// The command line of the soak tests; `Scripts/soak` runs them all.

import ArgumentParser
import Glibc

/// What takes minutes or needs a quiet machine.
enum Soak: String, CaseIterable, ExpressibleByArgument {
    case durations
    case quiet
    case wakeups
    case watchdog
    case pages
    case top
    case attach
    case cycles
    case restart
    case hostile
    case day
    case clock
}

@main
struct RerenderSoak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerender-soak",
        abstract: "Runs one soak test and prints its figures; Scripts/soak runs them all. Ends with 1 if one is missed."
    )

    @Argument(help: "Which one.")
    var soak: Soak

    @Option(help: "How many hangs, or seconds, pages, minutes, or attaches; each soak has its own default.")
    var amount: Int?

    @Option(help: "For 'day' and 'attach': a program of GTK.")
    var window: String?

    @Option(help: "For 'day': the library that is preloaded into it.")
    var preload: String?

    @Option(help: "For 'attach': rerenderctl, with the libraries where it finds them.")
    var tool: String?

    @Option(help: "For 'attach': what its moments are made of.")
    var seed: UInt64?

    func run() async throws {
        var report = Report(name: soak.rawValue)
        switch soak {
        case .durations: try await Durations.run(hangs: amount ?? 200, &report)
        case .quiet: try await Quiet.run(seconds: amount ?? 60, &report)
        case .wakeups: try await Wakeups.run(seconds: amount ?? 30, &report)
        case .watchdog: try await WatchdogCost.run(seconds: amount ?? 20, &report)
        case .pages: try await HostilePages.run(pages: amount ?? 20_000, &report)
        case .attach:
            guard let window, let tool else { throw ValidationError("attach needs --window and --tool") }
            let harm = AttachHarm(tool: tool, program: window, seed: seed ?? .random(in: 0...UInt64(UInt32.max)))
            try await harm.run(attaches: amount ?? 1_000, &report)
        case .top: try await TopCost.run(seconds: amount ?? 15, &report)
        case .restart: try await Restart.run(apps: amount ?? 1_000, &report)
        case .hostile: try await HostileSoak.run(connections: amount ?? 10_000, &report)
        case .day:
            let window = window.flatMap { window in preload.map { ReplayedDay.Window(program: window, preload: $0) } }
            try await ReplayedDay.run(minutes: amount ?? 60, window: window, &report)
        case .clock: try await ClockError.run(minutes: amount ?? 10, &report)
        case .cycles: try await CycleSearch.run(minutes: amount ?? 60, &report)
        }
        if !report.holds { throw ExitCode(1) }
    }
}

/// Prints figures as they come, each with what it should be.
struct Report {
    let name: String
    private(set) var holds = true

    init(name: String) { self.name = name }

    /// A figure with its goal.
    mutating func line(_ text: String, _ holds: Bool) {
        say("\(text)\(holds ? "" : "  MISSED")")
        self.holds = self.holds && holds
    }

    func note(_ text: String) { say(text) }

    /// At once, also into a pipe: a run of an hour shows how far it is.
    private func say(_ text: String) {
        print("\(name): \(text)")
        fflush(nil)
    }
}

/// A sorted sample.
struct Spread {
    private let sorted: [Double]

    init(_ values: [Double]) { sorted = values.sorted() }

    func quantile(_ part: Double) -> Double {
        sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }

    var text: String {
        func figure(_ value: Double) -> String { String(Double(Int(value * 1_000)) / 1_000) }
        return "median \(figure(quantile(0.5))), p99 \(figure(quantile(0.99))), "
            + "max \(figure(sorted.last ?? .nan)) of \(sorted.count)"
    }
}
