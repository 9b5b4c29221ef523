// SPDX-License-Identifier: MIT
// What is read of SwiftCrossUI's requirements is found by what symbols tell of them, and not by their numbers.

import Testing

@testable import RerenderInject

@Suite("The requirements of SwiftCrossUI's views")
struct CrossUIShapeTests {
    private static let (associated, conformance, getter, method): (UInt8, UInt8, UInt8, UInt8) = (7, 8, 0x13, 0x11)
    private static let children = "SwiftCrossUI.ViewGraphNodeChildren"
    private static let features = ["Buttons", "Images", "Sliders"].map { "A1: SwiftCrossUI.BackendFeatures.\($0)" }

    /// The requirements as of February 2026, with what the backend conforms to, and what its widget is called then.
    private func requirements(_ backend: String, _ widget: String) -> [(flags: UInt8, text: String)] {
        let generic = "<A where \(backend)>"
        let environment = "environment: SwiftCrossUI.EnvironmentValues"
        let snapshots = "snapshots: Swift.Optional<Swift.Array<SwiftCrossUI.ViewGraphSnapshotter.NodeSnapshot>>"
        return [
            (Self.conformance, ""), (Self.associated, ""), (Self.getter, "body.getter : A.Content"),
            (Self.method, "children\(generic)(backend: A1, \(snapshots), \(environment)) -> \(Self.children)"),
            (
                Self.method,
                "layoutableChildren\(generic)(backend: A1, children: \(Self.children)) -> "
                    + "Swift.Array<SwiftCrossUI.LayoutSystem.LayoutableChild>"
            ),
            (Self.method, "asWidget\(generic)(_: \(Self.children), backend: A1) -> \(widget)"),
            (
                Self.method,
                "computeLayout\(generic)(_: \(widget), children: \(Self.children), proposedSize: "
                    + "SwiftCrossUI.ProposedViewSize, \(environment), backend: A1) -> SwiftCrossUI.ViewLayoutResult"
            ),
            (
                Self.method,
                "commit\(generic)(_: \(widget), children: \(Self.children), layout: SwiftCrossUI.ViewLayoutResult, "
                    + "\(environment), backend: A1) -> ()"
            ),
        ]
    }

    private func shape(_ requirements: [(flags: UInt8, text: String)]) -> CrossUIShape? {
        CrossUIShape(requirements: requirements.map(\.flags)) { [requirements[$0].text] }
    }

    @Test("are known with a backend of one protocol, and of many with a getter more")
    func generations() throws {
        let old = try #require(shape(requirements("A1: SwiftCrossUI.AppBackend", "A1.Widget")))
        #expect(old.body == 2 && old.children == .init(requirement: 3, word: 3))
        #expect(old.widget == .init(requirement: 5, word: 2))
        #expect(old.layout == .init(requirement: 6, word: 0) && old.commit == .init(requirement: 7, word: 0))
        let widget = "A1.SwiftCrossUI.BackendFeatures.Widgets.Widget"
        let now = requirements(Self.features.joined(separator: ", "), widget)
        let items = (flags: Self.getter, text: "_asMenuItems.getter : Swift.Array<SwiftCrossUI.MenuItem>")
        #expect(shape(now + [items]) == old)
    }

    @Test("may be in another order, with other arguments whose places are known")
    func invented() throws {
        var all = requirements("A1: SwiftCrossUI.Platform", "A1.Widget")
        all[5].text = "asWidget<A where A1: SwiftCrossUI.Platform>(name: Swift.String, backend: A1) -> A1.Widget"
        all[7].text = "commit<A where A1: SwiftCrossUI.Platform>(backend: A1, widget: A1.Widget) -> ()"
        all.insert((Self.getter, "title.getter : Swift.String"), at: 2)
        all.swapAt(5, 8)
        let found = try #require(shape(all))
        #expect(found.body == 3 && found.children == .init(requirement: 4, word: 3))
        #expect(found.widget == .init(requirement: 6, word: 3) && found.layout == .init(requirement: 7, word: 0))
        #expect(found.commit == .init(requirement: 5, word: 1))
    }

    private static let tooMany = Array(repeating: "A1: SwiftCrossUI.P", count: 40).joined(separator: ", ")

    @Test(
        "are not read where an argument's place is not known, one is lacking or there twice, or there are too many tables",
        arguments: [
            "asWidget<A where A1: SwiftCrossUI.AppBackend>(size: SwiftCrossUI.ViewSize, backend: A1) -> A1.Widget",
            "asWidget<A where A1: SwiftCrossUI.AppBackend>(_: Swift.Int, backend: A1) -> Swift.Int",
            "asWidget<A, B where A1: SwiftCrossUI.AppBackend, B1: SwiftCrossUI.Pen>(_: B1, backend: A1) -> A1.Widget",
            "asWidget<A where A1: SwiftCrossUI.AppBackend, A1.Widget == Swift.Int>(backend: A1) -> A1.Widget",
            "asWidget(backend: SwiftCrossUI.Backend) -> SwiftCrossUI.Widget", "", "asWidget<A where", "asWidget<>()",
            "asWidget<A where \(CrossUIShapeTests.tooMany)>(backend: A1) -> A1.Widget",
        ])
    func unknown(_ text: String) {
        var all = requirements("A1: SwiftCrossUI.AppBackend", "A1.Widget")
        all[5].text = text
        #expect(shape(all) == nil)
        let second = (flags: Self.method, text: "commit<A where A1: SwiftCrossUI.AppBackend>(_: A1.Widget) -> ()")
        #expect(shape(requirements("A1: SwiftCrossUI.AppBackend", "A1.Widget") + [second]) == nil)
    }

    @Test("are described with functions among their arguments, too")
    func arguments() throws {
        let text = "draw<A where A1: Kit.Pen>(_: A1, then: (Swift.Int, Swift.Int) -> (), all: [A1 : (A1) -> A1]) -> A1"
        let signature = try #require(RequirementSignature(text))
        #expect(signature.parameters == ["A1", "(Swift.Int, Swift.Int) -> ()", "[A1 : (A1) -> A1]"])
        #expect(signature.tables == 1 && signature.result == "A1" && signature.words(before: 1) == 1)
        #expect(signature.words(before: nil) == nil && signature.mostWords == 1 + 1 + 2 + 9)
    }

    @Test("that are not known are a gap of the store, which fits into the first line")
    func gaps() {
        for isStripped in [false, true] {
            let gap = Adapters.Stranger(module: "SwiftCrossUI", isStripped: isStripped).gap
            #expect(gap.contains("SwiftCrossUI") && gap.hasSuffix("most reasons are unknown") && gap.utf8.count <= 120)
        }
    }
}
