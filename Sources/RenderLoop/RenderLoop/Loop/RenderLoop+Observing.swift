// SPDX-License-Identifier: MIT
// Looking at the loop from outside: events, renderers, transactions.

import Foundation

extension RenderLoop {
    /// Calls `body` with every event from now on, in their order, until the token is cancelled.
    ///
    /// Nothing is known of what was before: observe before the first turn to know all causes. An observer may change
    /// state, which invalidates as anywhere else.
    @discardableResult
    public func observe(_ body: @escaping @MainActor (LoopEvent) -> Void) -> LoopObservation {
        observerSerial += 1
        observers.append((observerSerial, body))
        return LoopObservation(loop: self, id: observerSerial)
    }

    /// Whether events have to be made.
    var isObserved: Bool { !observers.isEmpty || printChanges }

    func emit(_ event: @autoclosure () -> LoopEvent) {
        guard !observers.isEmpty else { return }
        let event = event()
        let cancelled = cancelledObservers
        for observer in observers {
            // One that another has cancelled meanwhile is called no more.
            guard cancelled == cancelledObservers || observers.contains(where: { $0.id == observer.id }) else {
                continue
            }
            observer.body(event)
        }
    }

    /// Adds a renderer, which gets every commit that changes anything; the first it gets may be any.
    public func add(_ renderer: any LayerRenderer) { renderers.append(renderer) }

    /// The tree of layers as the renderers know it: the state of the last commit.
    public var committedRoot: Layer { rootLayer }

    /// Changes layers in an explicit transaction: it commits at its end, unless it is inside of another one, the
    /// implicit one of the turn included.
    public func transaction<Result>(_ body: () throws -> Result) rethrows -> Result {
        beginTransaction()
        defer { endTransaction() }
        return try body()
    }

    /// Opens a level of an explicit transaction.
    public func beginTransaction() { transactions.begin() }

    /// Ends a level of an explicit transaction. Without an open one nothing happens.
    public func endTransaction() {
        if transactions.end() { commit(isExplicit: true) }
    }

    func changed(_ layer: Layer) {
        transactions.changed()
        commits.insert(layer)
        if phase == nil { driver.wake() }
    }
}

/// An observer that can be taken away again.
@MainActor
public struct LoopObservation {
    weak let loop: RenderLoop?
    let id: UInt64

    /// Ends the observation.
    public func cancel() {
        guard let loop else { return }
        loop.observers.removeAll { $0.id == id }
        loop.cancelledObservers += 1
    }
}

enum StandardError {
    static func print(_ text: String) {
        // A reader that has left is no reason to stop.
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }
}
