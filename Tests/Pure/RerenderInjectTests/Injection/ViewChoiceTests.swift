// SPDX-License-Identifier: MIT
// Which views are the program's own.

import Testing

@testable import RerenderInject

@Suite("The choice of views")
struct ViewChoiceTests {
    private typealias Home = ViewChoice.Home

    @Test("leaves a framework's own views out, if another module has views of its protocol")
    func framework() {
        let homes = [
            Home(body: "Kit", declarer: "Kit", protocol: 1), Home(body: "App", declarer: "Kit", protocol: 1),
            Home(body: "Cards", declarer: "Kit", protocol: 1),
        ]
        #expect(ViewChoice.areBuildingBlocks(homes, entry: "App") == [true, false, false])
        #expect(ViewChoice.areBuildingBlocks(homes, entry: nil) == [true, false, false])
        #expect(ViewChoice.areBuildingBlocks(Array(homes.prefix(1)), entry: "App") == [false], "nobody else has one")
    }

    @Test("takes the views of the module in which the program begins, also where that declares the protocol")
    func entry() {
        let homes = [
            Home(body: "App", declarer: "App", protocol: 1), Home(body: "Plug", declarer: "App", protocol: 1),
            Home(body: "Kit", declarer: "Kit", protocol: 2), Home(body: "App", declarer: "Kit", protocol: 2),
        ]
        #expect(ViewChoice.areBuildingBlocks(homes, entry: "App") == [false, false, true, false])
        #expect(ViewChoice.areBuildingBlocks(homes, entry: nil) == [true, false, true, false])
    }

    @Test("leaves those of a framework out that declares its protocol in a part of its own, and none of the program's")
    func part() {
        func home(_ body: String, hasBody: Bool = true) -> Home {
            Home(body: body, declarer: "KitView", protocol: 1, hasBody: hasBody)
        }
        let homes = [home("KitView", hasBody: false), home("Kit", hasBody: false), home("Kit")]
        // One draws something itself, and one has a name that begins as the framework's.
        let own = [home("App"), home("Cards"), home("Cards", hasBody: false), home("KitViewCards", hasBody: false)]
        for entry in ["App", nil] {
            let areBlocks = ViewChoice.areBuildingBlocks(homes + own, entry: entry)
            #expect(areBlocks == [true, true, true, false, false, false, false])
        }
        #expect(ViewChoice.areBuildingBlocks(homes, entry: nil) == [false, false, false], "no other module")
        #expect(ViewChoice.areBuildingBlocks(homes + own, entry: "Kit").prefix(3) == [true, false, false])
        let bodies = [home("Kit"), home("App")]
        #expect(ViewChoice.areBuildingBlocks(bodies, entry: "App") == [false, false], "nothing says what Kit is")
    }
}
