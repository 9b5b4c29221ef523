// SPDX-License-Identifier: MIT
// Rows and events for the tests of the HUD.

@testable import RerenderGTK

/// A HUD in a window of 800 by 600 pixels, and where its parts are in the window.
struct HUDFixture {
    var state: HUDState

    init(rows: Int = 4, stores: [String] = ["main"], corner: HUDCorner = .topRight) {
        state = HUDState(corner: corner)
        state.resize(to: HUDSize(800, 600))
        state.show(Self.content(rows: rows, stores: stores))
    }

    static func content(rows: Int, stores: [String] = ["main"], folded: Int = 0) -> HUDContent {
        var content = HUDContent(
            stores: stores,
            rows: (0..<rows).map { HUDRow(key: "View\($0)", count: UInt64(100 - min($0, 99)), rate: 2, why: "tick") })
        content.folded = folded
        return content
    }

    /// The middle of a part, in the window's coordinates; nil where it is not shown.
    func point(_ target: HUDTarget) -> HUDPoint? {
        guard let frame = state.frame else { return nil }
        let layout = state.layout
        let header = HUDRect(12, 8, 10, 10)
        var places: [(HUDTarget, HUDRect)] = layout.items.map { ($0.target, $0.frame) }
        places += layout.buttons.map { ($0.target, $0.frame) }
        places.append((.header, header))
        if let store = layout.store { places.append((.store, store)) }
        if let footer = layout.footer { places.append((.footer, footer)) }
        guard let place = places.first(where: { $0.0 == target })?.1 else { return nil }
        return HUDPoint(frame.x + place.center.x, frame.y + place.center.y)
    }

    /// Sends events and returns what is to be done for all of them.
    @discardableResult mutating func send(_ inputs: HUDInput...) -> [HUDAction] {
        inputs.flatMap { state.take($0).actions }
    }

    /// Sends events and returns for each whether it was consumed.
    mutating func consumes(_ inputs: HUDInput...) -> [Bool] { inputs.map { state.take($0).isConsumed } }

    /// Presses and releases the primary button on a part.
    @discardableResult mutating func click(_ target: HUDTarget) -> [HUDAction] {
        guard let point = point(target) else { return [] }
        return send(.press(point), .release(point))
    }

    /// Drags the HUD by its header to where its middle is at a point.
    mutating func drag(middleTo goal: HUDPoint) -> [HUDAction] {
        guard let start = point(.header), let center = state.frame?.center else { return [] }
        let end = HUDPoint(start.x + goal.x - center.x, start.y + goal.y - center.y)
        return send(.press(start), .motion(end), .release(end))
    }

    /// The texts that are drawn.
    var texts: [HUDText] { state.operations.compactMap { if case .text(let text) = $0 { text } else { nil } } }

    func shows(_ text: String) -> Bool { texts.contains { $0.text == text } }
}
