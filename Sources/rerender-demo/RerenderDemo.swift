// SPDX-License-Identifier: MIT
// The command line of the demo.

import ArgumentParser

/// How the ticker is read, and what holds up the main loop.
enum Scenario: String, CaseIterable, ExpressibleByArgument {
    /// At the top, and handed down: every view depends on it, though one shows it.
    case wasteful
    /// Where it is shown.
    case isolated
    /// As isolated, and once a second the main loop is held up: by a body, a block, a sleep, a lock.
    case hang
}

@main
struct RerenderDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerender-demo",
        abstract: "A shop without a screen, instrumented with Rerender, for something to look at.",
        discussion: """
            A ticker runs, customers fill the cart, items sell out. With the scenario 'wasteful' the view at the top \
            reads the ticker, so that every view is evaluated at every tick; with 'isolated' only the label that \
            shows it. With 'hang' the main loop is also held up for 400 ms once a second: by a body, by a block on \
            the main queue, by a sleep, by a lock that another thread holds. Watch it with rerenderctl while it runs.
            """)

    static let rates = 1...1000
    static let longestSeconds: Double = 7 * 86_400

    @Option(
        help: ArgumentHelp(
            "Who reads the ticker: wasteful or isolated; or what holds up the loop: hang.", valueName: "name"))
    var scenario = Scenario.wasteful

    @Option(help: ArgumentHelp("How long to run; 0 runs until SIGINT or SIGTERM.", valueName: "n"))
    var seconds = 5.0

    @Option(help: ArgumentHelp("Ticks a second, 1 to 1000.", valueName: "n"))
    var rate = 60

    @Flag(help: "Print what the demo itself counted as a line of JSON at the end.")
    var printCounts = false

    @Option(help: ArgumentHelp("Write the store's export to this file at the end.", valueName: "file"))
    var export: String?

    func validate() throws {
        guard Self.rates.contains(rate) else {
            throw ValidationError("--rate \(rate) is not from \(Self.rates.lowerBound) to \(Self.rates.upperBound)")
        }
        guard (0...Self.longestSeconds).contains(seconds) else {
            throw ValidationError("--seconds \(seconds) is not from 0 to \(Int(Self.longestSeconds)), a week")
        }
    }

    func run() throws {
        // ArgumentParser calls this on the main thread.
        try MainActor.assumeIsolated { try Demo(self).run() }
    }
}
