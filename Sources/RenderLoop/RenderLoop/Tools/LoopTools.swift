// SPDX-License-Identifier: MIT
// What the debugging tools keep for one loop.

/// What the debugging tools keep for one loop.
@MainActor
final class LoopTools: LoopExtension {
    let overlays = LayerOverlays()
    let pulses = PulseDisplay()
    /// Told whether views flash that are evaluated again.
    var highlights: @MainActor (Bool) -> Void = { _ in }
    /// The latest turn, and the stores that were told of it.
    var toldTurn: (number: UInt64, stores: Set<ObjectIdentifier>) = (0, [])

    func willCommit(_ root: Layer) { overlays.place(in: root) }

    func tookInput() { pulses.tookInput() }

    func end() {
        pulses.end()
        overlays.end()
    }
}

extension RenderLoop {
    /// Has a window told whether views flash that are evaluated again, so that what they are drawn with need not.
    package func onHighlight(_ body: @escaping @MainActor (Bool) -> Void) { tools.highlights = body }

    /// The loop's tools, made for the first one that is used.
    var tools: LoopTools {
        for case let tools as LoopTools in extensions { return tools }
        let tools = LoopTools()
        extensions.append(tools)
        return tools
    }
}
