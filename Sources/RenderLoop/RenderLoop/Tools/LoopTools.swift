// SPDX-License-Identifier: MIT
// What the debugging tools keep for one loop.

import Synchronization

/// The tools' part of a loop. Empty, it costs a check in each turn.
@MainActor
final class LoopTools {
    /// Tells the loops of a process apart, so that instances of several count apart in one store.
    let loopNumber = LoopTools.loops.wrappingAdd(1, ordering: .relaxed).newValue
    let overlays = LayerOverlays()
    let pulses = PulseDisplay()
    var colors = DebugColors(seed: 0)

    var changesOutput: @MainActor (String) -> Void = { StandardError.print($0) }

    private static let loops = Atomic<UInt32>(0)

    /// The loop is about to go.
    func end() {
        pulses.end()
        overlays.end()
    }
}
