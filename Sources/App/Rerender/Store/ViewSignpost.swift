// SPDX-License-Identifier: MIT
// Commits and ends of instances as trace events: `com.rerender.View:event`.

import CShared
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
        FieldText.lend(view.key.rawValue, store.name) { name, storeName, _, _, _ in
            csignpost_view(
                name: name, message: FieldText.constant(change), store: storeName, store_id: store.id,
                epoch: traced.epoch, instance: instance ?? .max, instances: UInt32(clamping: traced.instances),
                commits: traced.commits, measured: waste.measured, wasted_ns: waste.nanoseconds,
                same_output: waste[.sameOutput], same_value: waste[.sameValue], new_identity: waste[.newIdentity],
                closure_identity: waste[.closureIdentity], parent_only: waste[.parentOnly],
                twice_in_a_turn: waste[.twiceInATurn], same_inputs: waste[.sameInputs],
                signpost_id: verdict?.signpostID ?? 0, wasted: verdict?.traceCode ?? 0
            ).emit()
        }
    }
}
