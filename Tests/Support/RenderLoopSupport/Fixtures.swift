// SPDX-License-Identifier: MIT
// What the tests of the render loop share: a loop in virtual time, its log, its screen and a switch.

import OpenCombine
import RenderLoop

/// A loop in virtual time, with all that it says and shows.
@MainActor
final class Stage {
    let clock = VirtualClock()
    let loop: RenderLoop
    let renderer = TextRenderer()
    private(set) var events: [LoopEvent] = []
    private(set) var warnings: [LoopWarning] = []

    init<Root: View>(_ root: Root, width: Int = 40, height: Int = 12) {
        loop = RenderLoop(root, driver: clock, size: CellSize(width: width, height: height))
        loop.observe { [unowned self] in events.append($0) }
        loop.onWarning = { [unowned self] in warnings.append($0) }
        loop.add(renderer)
        clock.settle()
    }

    var screen: String { renderer.text }

    /// The views whose bodies were evaluated since the last call, in order.
    func takeEvaluations() -> [String] {
        defer { events = [] }
        return events.compactMap { if case .evaluated(let node, _) = $0 { node.name } else { nil } }
    }

    func takeEvents() -> [LoopEvent] {
        defer { events = [] }
        return events
    }

    /// Runs something as a source of a turn, and all turns that follow.
    func act(_ body: @escaping @MainActor () -> Void) {
        clock.source("act", body)
        clock.settle()
    }

    func tap(_ name: String) {
        loop.send(InputEvent(.tap, target: name))
        clock.nextFrame()
        clock.settle()
    }
}

/// Refers to the layer of a ``LayerHost``, from when it appears.
@MainActor
final class LayerReference {
    var layer: Layer?
}

/// A view whose layer the test changes beside the graph.
struct LayerHost: LayerView {
    private let reference: LayerReference

    init(_ reference: LayerReference) { self.reference = reference }

    func configure(_ layer: Layer) {
        layer.layout = .fill
        reference.layer = layer
    }
}

/// A button that turns a value over, shown as `[x] label` or `[ ] label`; tests find it by its label.
struct Switch: View {
    let label: String
    @Binding var isOn: Bool

    var body: some View {
        Button("\(isOn ? "[x]" : "[ ]") \(label)") { isOn.toggle() }.inputName(label)
    }
}
