// SPDX-License-Identifier: MIT
// RenderLoop: its protocol asks for a body with the number of the instance.

import CInject
import Rerender

/// Replaces `static func body(of view: Self, instance: UInt64) -> Body`, through which the graph asks for each body.
enum RenderLoopAdapter: Adapter {
    private static let getter = UInt8(CRERENDER_GETTER.rawValue)
    private static let method = UInt8(CRERENDER_METHOD.rawValue)
    private static let ofInstance = UInt8(CRERENDER_OF_INSTANCE.rawValue)

    /// `Body`, that it is a view, `body`, `body(of:instance:)`, `makeNode(_:in:)` and `isOneView`.
    private static let requirements = [
        UInt8(CRERENDER_ASSOCIATED_TYPE.rawValue), UInt8(CRERENDER_ASSOCIATED_CONFORMANCE.rawValue),
        getter | ofInstance, method, method, getter,
    ]

    static func hooks(of view: FoundView) -> [WitnessHook]? {
        // Two kinds of requirements lie in front of those that the source declares, in an order that the compiler chooses.
        guard view.protocolModule == "RenderLoop", view.requirements.count == requirements.count,
            view.requirements.dropFirst(2) == requirements.dropFirst(2),
            view.requirements.prefix(2).sorted() == requirements.prefix(2).sorted()
        else { return nil }
        return [
            WitnessHook(requirement: 3) { hooked, call in
                // By the convention of witnesses: the view's address, the number, and the type. All live as long as the call.
                guard let view = hooked.view, let value = unsafe UnsafeRawPointer(bitPattern: call.argument(0)),
                    let type = unsafe UnsafeRawPointer(bitPattern: call.argument(2))
                else { return call.goOn() }
                unsafe view.evaluate(value, type: type, instance: UInt64(call.argument(1))) { call.goOn() }
                hooked.look(at: call.result, type: call.argument(2), table: call.argument(3))
            }
        ]
    }
}
