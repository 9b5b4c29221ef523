// SPDX-License-Identifier: MIT
// The command line of the demo.

import ArgumentParser

@main
struct RerenderDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerender-demo",
        abstract: "Instrumented views without a screen of their own, for something to look at.",
        discussion: """
            Scenarios:

            \(DemoScenario.listing)

            In the shop a ticker runs, customers fill the cart, items sell out; 'hang' holds the main loop up by a body, by \
            a block on the main queue, by a sleep, by a lock that another thread holds. \(screens) Watch all of it with \
            rerenderctl.
            """)

    private static var screens: String {
        #if RenderLoop
            """
            The others are screens in a render loop without a window. In a terminal they are operated: tab and the arrow \
            keys move the focus and a slider, enter and space tap, characters go into a field. \
            Ctrl-C ends, and q where no field takes it. With --script they operate themselves, one step a turn of the \
            main loop: tap:NAME, type:TEXT, slide:NUMBER from 0 to 1, wait; for example --script tap:heart,wait,tap:season.
            """
        #else
            DemoScenario.absence + "."
        #endif
    }

    static let rates = 1...1000
    static let longestSeconds: Double = 7 * 86_400

    @Option(help: ArgumentHelp("Which of the scenarios above.", valueName: "name"))
    var scenario = DemoScenario.shop(.wasteful)

    @Option(help: ArgumentHelp("How long the shop runs, 5 if not given; 0 until SIGINT or SIGTERM.", valueName: "n"))
    var seconds: Double?

    @Option(help: ArgumentHelp("The shop's ticks a second, 1 to 1000, 60 if not given.", valueName: "n"))
    var rate: Int?

    @Option(help: ArgumentHelp("What a screen's user does, in steps that commas separate.", valueName: "steps"))
    var script: String?

    @Flag(help: "Run the script in virtual time, without the main run loop.")
    var virtualClock = false

    @Flag(help: "Print what the demo itself counted as a line of JSON at the end.")
    var printCounts = false

    @Option(help: ArgumentHelp("Write the store's export to this file at the end.", valueName: "file"))
    var export: String?

    func validate() throws {
        switch scenario {
        case .shop: try validateShop()
        #if RenderLoop
            case .screen(let screen): try validateScreen(screen)
        #else
            case .absent(let name):
                throw ValidationError(
                    "'\(name)' is none of \(DemoScenario.allValueStrings.joined(separator: ", ")). \(DemoScenario.absence)"
                )
        #endif
        }
    }

    private func validateShop() throws {
        if let rate, !Self.rates.contains(rate) {
            throw ValidationError("--rate \(rate) is not from \(Self.rates.lowerBound) to \(Self.rates.upperBound)")
        }
        if let seconds, !(0...Self.longestSeconds).contains(seconds) {
            throw ValidationError("--seconds \(seconds) is not from 0 to \(Int(Self.longestSeconds)), a week")
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
                try ShopDemo(shop, rate: rate ?? 60, seconds: seconds ?? 5, output: output).run()
            #if RenderLoop
                case .screen(let screen):
                    let script = try parsedScript(for: screen)
                    try ScreenDemo(screen, script, usesVirtualClock: virtualClock, output: output).run()
            #else
                case .absent(let name): throw ValidationError("there is no scenario '\(name)'")
            #endif
            }
        }
    }

    private var output: DemoOutput { DemoOutput(printsCounts: printCounts, export: export) }

    private func warnWithoutProbes() {
        #if !RERENDER_PROBES
            Console.error(
                """
                rerender-demo: the probes are compiled out of this release build, so there is nothing to see; \
                build it with: swift build -c release --traits AlwaysOn
                """)
        #endif
    }
}
