// SPDX-License-Identifier: MIT
// Observers of a loop's events.

/// An observer that can be cancelled.
@MainActor
public struct LoopObservation {
    weak let loop: RenderLoop?
    let id: UInt64

    /// Ends the observation.
    public func cancel() {
        loop?.graph.observers.remove(id)
    }
}

extension RenderLoop {
    /// Calls `body` with every event from now on, in their order, until the observation is cancelled.
    ///
    /// Reasons are recorded from now on: observe before the first turn to get all of them. An observer may change state,
    /// which invalidates as anywhere else.
    @discardableResult
    public func observe(_ body: @escaping @MainActor (LoopEvent) -> Void) -> LoopObservation {
        LoopObservation(loop: self, id: graph.observers.add(body))
    }
}
