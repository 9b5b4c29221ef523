// SPDX-License-Identifier: MIT
// All scenarios of the demo, by their names.

import ArgumentParser

#if RenderLoop
    import RenderLoopScenarios
#endif

/// A shop that runs by itself, or a screen that is operated.
enum DemoScenario: ExpressibleByArgument, Equatable {
    case shop(ShopScenario)
    #if RenderLoop
        case screen(RedrawScenario)
    #else
        /// Perhaps the name of a screen, all of which this build leaves out.
        case absent(String)
    #endif

    init?(argument: String) {
        if let shop = ShopScenario(rawValue: argument) {
            self = .shop(shop)
            return
        }
        #if RenderLoop
            if let screen = RedrawScenario(rawValue: argument) {
                self = .screen(screen)
                return
            }
            return nil
        #else
            self = .absent(argument)
        #endif
    }

    static var allValueStrings: [String] { names.map(\.name) }

    var defaultValueDescription: String {
        switch self {
        case .shop(let shop): shop.rawValue
        #if RenderLoop
            case .screen(let screen): screen.rawValue
        #else
            case .absent(let name): name
        #endif
        }
    }

    #if !RenderLoop
        /// What is said of the screens where they are not.
        static let absence = """
            The screens in a render loop are left out of this build; for them: \
            swift build --product rerender-demo --traits Tools,RenderLoop
            """
    #endif

    /// Every name with what it is, as help shows them.
    static var listing: String {
        let width = names.map(\.name.count).max() ?? 0
        return names.map { name, summary in
            "  " + name + String(repeating: " ", count: width + 2 - name.count) + summary
        }.joined(separator: "\n")
    }

    private static var names: [(name: String, summary: String)] {
        var names = ShopScenario.allCases.map { ($0.rawValue, $0.summary) }
        #if RenderLoop
            names += RedrawScenario.allCases.map { ($0.rawValue, $0.summary) }
        #endif
        return names
    }
}

/// How the shop's ticker is read, and what holds up the main loop.
enum ShopScenario: String, CaseIterable {
    /// At the top, and handed down: every view depends on it, though one shows it.
    case wasteful
    /// Where it is shown.
    case isolated
    /// As isolated, and once a second the main loop is held up: by a body, a block, a sleep, a lock.
    case hang

    /// What it is, in a line.
    var summary: String {
        switch self {
        case .wasteful: "the shop, whose top reads the ticker: every view is evaluated at every tick"
        case .isolated: "the shop, where only the label that shows the ticker reads it"
        case .hang: "as isolated, and once a second the main loop is held up for 400 ms"
        }
    }
}
