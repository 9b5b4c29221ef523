// SPDX-License-Identifier: MIT
// Commits and ends of instances as trace events: `com.rerender.View:event`. The fence around their C calls.

import CSignpost
import RerenderModel
import RerenderWire

/// A view's numbers as of a commit or of an instance's end.
struct TracedView {
    let epoch: UInt32
    let instances: UInt64
    let commits: UInt64
    let waste: WasteTotals
}

/// The provider `com.rerender.View` of this process.
///
/// Proof of the unsafe parts: a provider lives for ever; the texts are copied while the closures run that lend them.
enum ViewSignpost {
    /// The pointers are to memory that lives for ever and is read atomically, so any thread may have them.
    @safe private struct Provider: @unchecked Sendable {
        let pointer: OpaquePointer
        let state: UnsafePointer<CInt>
    }

    private static let provider: Provider? = unsafe csignpost_provider_make(
        "com.rerender.View", CInt(CSIGNPOST_VIEW), nil
    ).map { unsafe Provider(pointer: $0, state: csignpost_state($0, CInt(CSIGNPOST_EVENT))) }

    /// Makes the provider, so that a session can record the first commit; before `BodyEvalSignpost` waits for the tracer.
    static func prepare() { _ = provider }

    /// Whether anyone records.
    @inline(__always)
    static var isOn: Bool {
        guard let provider else { return false }
        return unsafe csignpost_is_on(provider.state) != 0
    }

    /// Records what happened to a view, with its numbers after it.
    static func emit(
        _ change: StaticString, _ traced: TracedView, of view: ViewRecord, instance: UInt64?, in store: StoreCore
    ) {
        guard let provider else { return }
        change.withUTF8Buffer { change in
            unsafe change.withMemoryRebound(to: CChar.self) { change in
                unsafe withText(view.key.rawValue) { name in
                    unsafe withText(store.name) { storeName in
                        var event = unsafe event(traced, instance)
                        unsafe event.store_id = store.id
                        unsafe event.store = csignpost_text(bytes: storeName.baseAddress, length: storeName.count)
                        guard let text = change.baseAddress else { return }
                        unsafe csignpost_emit_view(
                            provider.pointer, name.baseAddress, name.count, text, change.count, &event)
                    }
                }
            }
        }
    }

    private static func event(_ traced: TracedView, _ instance: UInt64?) -> csignpost_view {
        var event = unsafe csignpost_view()
        unsafe event.instance = instance ?? .max
        unsafe event.epoch = traced.epoch
        unsafe event.instances = UInt32(clamping: traced.instances)
        unsafe event.commits = traced.commits
        unsafe event.measured = traced.waste.measured
        unsafe event.wasted_ns = traced.waste.nanoseconds
        let waste = traced.waste
        unsafe event.kinds.0 = waste[.sameOutput]
        unsafe event.kinds.1 = waste[.sameValue]
        unsafe event.kinds.2 = waste[.newIdentity]
        unsafe event.kinds.3 = waste[.closureIdentity]
        unsafe event.kinds.4 = waste[.parentOnly]
        unsafe event.kinds.5 = waste[.twiceInATurn]
        return unsafe event
    }

    private static func withText(_ text: String, _ body: (UnsafeBufferPointer<CChar>) -> Void) {
        // A bridged or sliced text has no storage of its own to lend; made native, it has.
        var text = text
        text.withUTF8 { bytes in unsafe bytes.withMemoryRebound(to: CChar.self, body) }
    }
}
