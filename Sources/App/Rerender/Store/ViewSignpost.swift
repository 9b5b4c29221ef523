// SPDX-License-Identifier: MIT
// Commits and ends of instances as trace events: `com.rerender.View:event`.

import RerenderModel
import RerenderWire
import Signpost

/// The provider `com.rerender.View` of this process.
enum ViewSignpost {
    private static let provider = Provider.reserved(.view)

    /// Makes the provider, so that a session can record the first commit; before `BodyEvalSignpost` waits for the tracer.
    static func prepare() { _ = provider }

    /// Whether anyone records.
    @inline(__always)
    static var isOn: Bool { provider.eventIsOn }

    /// Records what happened to a view, with its numbers after it, and what that decides of one evaluation.
    static func emit(
        _ change: StaticString, _ traced: ViewTotals, _ verdict: WasteVerdict?, of view: ViewRecord,
        instance: UInt64?, in store: StoreCore
    ) {
        let waste = traced.waste
        FieldValue.lend(view.key.rawValue, store.name) { name, storeName, _, _, _ in
            provider.emit(
                .event,
                [
                    name, .text(change), storeName, .number(UInt64(store.id)), .number(UInt64(traced.epoch)),
                    .number(instance ?? .max), .number(UInt64(UInt32(clamping: traced.instances))),
                    .number(traced.commits), .number(waste.measured), .number(waste.nanoseconds),
                    .number(waste[.sameOutput]), .number(waste[.sameValue]), .number(waste[.newIdentity]),
                    .number(waste[.closureIdentity]), .number(waste[.parentOnly]), .number(waste[.twiceInATurn]),
                    .number(waste[.sameInputs]),
                    .number(verdict?.signpostID ?? 0), .number(UInt64(verdict?.traceCode ?? 0)),
                ])
        }
    }
}
