// SPDX-License-Identifier: MIT
// What the debugging tools keep for one loop.

/// What the debugging tools keep for one loop.
@MainActor
final class LoopTools: LoopExtension {
    let overlays = LayerOverlays()
    let pulses = PulseDisplay()
    let hud = HUDPanel()
    /// The latest turn, and the stores that were told of it.
    var toldTurn: (number: UInt64, stores: Set<ObjectIdentifier>) = (0, [])

    func willCommit(_ root: Layer) { overlays.place(in: root, below: hud.layer(over: root)) }

    func tookInput() { pulses.tookInput() }

    func end() {
        pulses.end()
        hud.end()
        overlays.end()
    }
}

extension RenderLoop {
    /// The loop's tools, made for the first one that is used.
    var tools: LoopTools {
        for case let tools as LoopTools in extensions { return tools }
        let tools = LoopTools()
        extensions.append(tools)
        return tools
    }
}
