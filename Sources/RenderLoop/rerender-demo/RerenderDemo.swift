// SPDX-License-Identifier: MIT
// The command line of the demo: its options, and all its scenarios by their names.

import ArgumentParser
import Foundation
import RenderLoopScenarios
import Rerender

@main
struct RerenderDemo: ParsableCommand {
    /// What errors begin with.
    static var _errorLabel: String { "rerender-demo" }

    static let configuration = CommandConfiguration(
        commandName: "rerender-demo",
        abstract: "Runs instrumented views as a program to try rerenderctl on.",
        usage: """
            rerender-demo [--scenario <name>] [--seconds <n> | --ticks <n>]
                          [--rate <n>] [--print-counts] [--export <file>]
            rerender-demo --scenario <name> --script <steps> [--virtual-clock] ...
            rerender-demo --window [--scenario <name>]
            """,
        discussion: """
            Scenarios:

            \(DemoScenario.listing)

            The shop has a ticker, a cart that customers fill, and items that sell out.
            "hang" also blocks the main loop: with a body, a block on the main queue, a
            sleep, and a lock that another thread holds. A pulse of a view of the shop
            prints the shop with borders around that view.

            The other scenarios are screens. In a terminal, Tab and the arrow keys move the
            focus and a slider, Enter and Space tap, and characters go into a field. Ctrl-C
            quits, and q does outside of a field. With --window they are in a window of
            GTK 4, with the HUD above.

            With --script a screen performs one step a turn of the main loop: tap:NAME,
            type:TEXT, slide:NUMBER from 0 to 1, or wait.

            Examples:
              rerenderctl run -- rerender-demo
              rerender-demo --scenario hang --seconds 0
              rerender-demo --scenario showmax-1 --script tap:heart,wait,tap:season
              rerender-demo --window
            """,
        version: RerenderVersion.current)

    static let rates = 1...1000
    static let longestSeconds: Double = 7 * 86_400

    @Option(
        name: .customLong("scenario"),
        help: ArgumentHelp("Run one of the scenarios above (default: wasteful).", valueName: "name"))
    var chosenScenario: DemoScenario?

    @Flag(help: "Show the screens in a window of GTK 4, with the HUD above. Needs a build with GTK's headers.")
    var window = false

    @Option(
        help: ArgumentHelp(
            "Run the shop for this many seconds (default: 5). 0 runs it until SIGINT or SIGTERM.", valueName: "n"))
    var seconds: Double?

    @Option(help: ArgumentHelp("Run the shop for this many ticks, however long they take.", valueName: "n"))
    var ticks: Int?

    @Option(help: ArgumentHelp("Tick the shop this many times a second, from 1 to 1000 (default: 60).", valueName: "n"))
    var rate: Int?

    @Option(help: ArgumentHelp("Perform these steps on a screen, separated by commas.", valueName: "steps"))
    var script: String?

    @Flag(help: "Run the script in virtual time instead of on the main run loop.")
    var virtualClock = false

    @Flag(help: "Print the demo's own counts as a line of JSON at the end.")
    var printCounts = false

    @Option(help: ArgumentHelp("Write the store's export to this file at the end.", valueName: "file"))
    var export: String?

    /// What is run.
    var scenario: DemoScenario { chosenScenario ?? (window ? .screen(.dashboardWasteful) : .shop(.wasteful)) }

    func validate() throws {
        switch scenario {
        case .shop: try validateShop()
        case .screen(let screen): try validateScreen(screen)
        }
    }

    private func validateShop() throws {
        if window { throw ValidationError("the shop has no window: --window shows the other scenarios") }
        if let rate, !Self.rates.contains(rate) {
            throw ValidationError("--rate \(rate) is not from \(Self.rates.lowerBound) to \(Self.rates.upperBound)")
        }
        if let seconds, !(0...Self.longestSeconds).contains(seconds) {
            throw ValidationError("--seconds \(seconds) is not from 0 to \(Int(Self.longestSeconds)), a week")
        }
        if let ticks, ticks < 1 { throw ValidationError("--ticks \(ticks) is not 1 or more") }
        guard seconds == nil || ticks == nil else {
            throw ValidationError("--seconds and --ticks both tell when the shop ends: give one of them")
        }
        guard script == nil, !virtualClock else {
            throw ValidationError("the shop runs by itself: --script and --virtual-clock are for the other scenarios")
        }
    }

    func run() throws {
        warnWithoutProbes()
        // ArgumentParser calls this on the main thread.
        try MainActor.assumeIsolated {
            switch scenario {
            case .shop(let shop):
                let end = ticks.map(ShopEnd.ticks) ?? .seconds(seconds ?? 5)
                try ShopDemo(shop, rate: rate ?? 60, end: end, output: output).run()
            case .screen(let screen) where window: try WindowDemo(scenario: screen, output: output).run()
            case .screen(let screen):
                let script = try parsedScript(for: screen)
                try ScreenDemo(screen, script, usesVirtualClock: virtualClock, output: output).run()
            }
        }
    }

    private var output: DemoOutput { DemoOutput(printsCounts: printCounts, export: export) }

    private func warnWithoutProbes() {
        #if !RERENDER_PROBES
            Console.error(
                """
                rerender-demo: this release build has no probes, so rerenderctl shows nothing; \
                build it with: swift build -c release --traits AlwaysOn
                """)
        #endif
    }
}

extension RerenderDemo {
    /// The script that was given; nil for a user at the terminal.
    func parsedScript(for screen: RedrawScenario) throws(ScriptError) -> Script? {
        guard let script else { return nil }
        let parsed = try Script(parsing: script)
        try parsed.check(screen.controls, of: screen.rawValue)
        return parsed
    }

    func validateScreen(_ screen: RedrawScenario) throws {
        guard seconds == nil, ticks == nil, rate == nil else {
            throw ValidationError(
                "--seconds, --ticks and --rate are for the shop; \(screen.rawValue) ends with its script or Ctrl-C")
        }
        if window {
            guard script == nil, !virtualClock else {
                throw ValidationError("a window is operated by hand: --script and --virtual-clock are for runs without")
            }
            return
        }
        do {
            guard try parsedScript(for: screen) == nil else { return }
        } catch {
            throw ValidationError(error.description)
        }
        if virtualClock {
            throw ValidationError("--virtual-clock needs a script: --script \(screen.exampleScript)")
        }
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw ValidationError(
                "\(screen.rawValue) needs a terminal, and standard input or output is not one; "
                    + "give it a script: --script \(screen.exampleScript)")
        }
    }
}

/// A shop that runs by itself, or a screen that is operated.
enum DemoScenario: ExpressibleByArgument, Equatable {
    case shop(ShopScenario)
    case screen(RedrawScenario)

    init?(argument: String) {
        guard let known = Self.all.first(where: { $0.name == argument }) else { return nil }
        self = known.scenario
    }

    static var allValueStrings: [String] { all.map(\.name) }

    /// Every name with what it is, as help shows them: in lines of at most 80 columns.
    static var listing: String {
        let width = (all.map(\.name.count).max() ?? 0) + 4
        return all.map { name, summary, _ in
            let indent = String(repeating: " ", count: width)
            let first = "  " + name.padding(toLength: width - 2, withPad: " ", startingAt: 0)
            return first + wrapped(summary, 80 - width).joined(separator: "\n" + indent)
        }.joined(separator: "\n")
    }

    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            guard let last = lines.last, last.count + 1 + word.count <= width else { return lines.append(String(word)) }
            lines[lines.count - 1] = last + " " + word
        }
    }

    private static var all: [(name: String, summary: String, scenario: DemoScenario)] {
        ShopScenario.allCases.map { ($0.rawValue, $0.summary, .shop($0)) }
            + RedrawScenario.allCases.map { ($0.rawValue, $0.summary, .screen($0)) }
    }
}
