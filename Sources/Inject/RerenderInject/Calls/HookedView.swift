// SPDX-License-Identifier: MIT
// A requirement of a view that was replaced: what its thunk reaches.

import Rerender

/// The context of a hook. Kept for ever: a thunk may be called until the process ends.
final class HookedView: Sendable {
    /// nil for a framework's own views, which are not counted.
    let view: InjectedView?
    private let handler: WitnessHook.Handler
    private let outputs: Outputs

    init(_ view: InjectedView?, found: FoundView, handler: @escaping WitnessHook.Handler) {
        self.view = view
        self.handler = handler
        outputs = Outputs(of: found)
    }

    /// Runs in the place of the function that was replaced.
    @inline(__always)
    func take(_ call: borrowing WitnessCall) {
        handler(self, call)
    }

    /// Looks which views there are in a body's output.
    ///
    /// - Parameters:
    ///   - output: Where it is.
    ///   - type: The metadata of the view's type.
    ///   - table: Its witness table.
    @inline(__always)
    func look(at output: UInt, type: UInt, table: UInt) {
        if outputs.isWanted { outputs.look(at: output, type: type, table: table) }
    }
}

/// A requirement to replace.
struct WitnessHook: Sendable {
    /// What runs in the place of the function, and calls it on.
    typealias Handler = @Sendable (HookedView, borrowing WitnessCall) -> Void

    /// The place among the requirements.
    let requirement: Int
    let handler: Handler
}
