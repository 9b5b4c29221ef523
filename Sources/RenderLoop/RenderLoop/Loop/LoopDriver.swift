// SPDX-License-Identifier: MIT
// What drives a loop: it decides when turns begin and end.

/// A source of turns and frames.
///
/// For each turn it calls ``RenderLoop/beginTurn()`` before the first callout, and ``RenderLoop/finishTurn()`` right
/// before it waits. All on the main actor.
@MainActor
public protocol LoopDriver: AnyObject {
    /// A time that never goes back, in nanoseconds.
    var now: UInt64 { get }

    /// Takes up a loop, which it must not keep alive.
    func connect(_ loop: RenderLoop)

    /// The loop has work: a turn must come, now or after the present one.
    func wake()

    /// Whether ``RenderLoop/beginFrame(_:)`` is to be called at each frame.
    func setFrames(_ areWanted: Bool)
}
