// SPDX-License-Identifier: MIT
// Observers of a loop's events.

/// An observer, or a display link, that can be cancelled.
@MainActor
public struct LoopObservation {
    let end: @MainActor () -> Void

    /// Ends the calls.
    public func cancel() { end() }
}

extension RenderLoop {
    /// Calls `body` with every event from now on, in their order, until the observation is cancelled.
    ///
    /// Reasons are recorded from now on: observe before the first turn to get all of them. An observer may change state,
    /// which invalidates as anywhere else.
    @discardableResult
    public func observe(_ body: @escaping @MainActor (LoopEvent) -> Void) -> LoopObservation {
        let id = graph.observers.add(body)
        return LoopObservation { [weak self] in self?.graph.observers.remove(id) }
    }
}
