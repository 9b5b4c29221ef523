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
        let known = Self.all.first { $0.name == argument }?.scenario
        #if RenderLoop
            guard let known else { return nil }
            self = known
        #else
            self = known ?? .absent(argument)
        #endif
    }

    static var allValueStrings: [String] { all.map(\.name) }

    var defaultValueDescription: String { Self.all.first { $0.scenario == self }?.name ?? "" }

    #if !RenderLoop
        /// The error for a build without the screens.
        static let absence = """
            This build has no screens in a render loop. To get them: \
            swift build --product rerender-demo --traits Tools,RenderLoop
            """
    #endif

    /// Every name with what it is, as help shows them.
    static var listing: String {
        let width = all.map(\.name.count).max() ?? 0
        return all.map { name, summary, _ in
            "  " + name + String(repeating: " ", count: width + 2 - name.count) + summary
        }.joined(separator: "\n")
    }

    private static var all: [(name: String, summary: String, scenario: DemoScenario)] {
        var all = ShopScenario.allCases.map { ($0.rawValue, $0.summary, DemoScenario.shop($0)) }
        #if RenderLoop
            all += RedrawScenario.allCases.map { ($0.rawValue, $0.summary, .screen($0)) }
        #endif
        return all
    }
}
