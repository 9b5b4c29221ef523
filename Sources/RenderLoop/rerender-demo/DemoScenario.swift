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
        /// The error for a build without the screens.
        static let absence = """
            This build has no screens in a render loop. To get them: \
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
