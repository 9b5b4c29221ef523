// SPDX-License-Identifier: MIT
// What rerender.h declares, in Swift. Sources/GTK/CInterface gives it the names that programs link.

import Rerender

#if RERENDER_PROBES && RERENDER_GTK
    /// The store of programs that have none of their own, made when the first evaluation begins.
    private let store = RerenderStore(name: "main")

    /// A view as C names it. Proof of the unsafe part: a text of C lives for the call.
    private func text(_ text: UnsafePointer<CChar>?) -> String? {
        guard let text = unsafe text else { return nil }
        return unsafe String(cString: text)
    }

    /// 0 stands for the only instance of a view.
    private func instance(_ number: UInt64) -> InstanceID? { number == 0 ? nil : InstanceID(rawValue: number) }

    /// `rerender_evaluate_begin`.
    @c package func rerender_part_begin(_ view: UnsafePointer<CChar>?, _ number: UInt64) {
        guard let view = unsafe text(view) else { return }
        ThreadEvaluations.ofThisThread?.begin(view, instance(number), in: store)
    }

    /// `rerender_evaluate_end`.
    @c package func rerender_part_end(_ view: UnsafePointer<CChar>?, _ number: UInt64) {
        guard let view = unsafe text(view) else { return }
        ThreadEvaluations.ofThisThread?.end(view, instance(number))
    }

    /// `rerender_invalidate`, with the address that its call returns to.
    @c package func rerender_part_invalidate(
        _ view: UnsafePointer<CChar>?, _ number: UInt64, _ reason: UnsafePointer<CChar>?, _ caller: UInt
    ) {
        guard let view = unsafe text(view), let reason = unsafe text(reason) else { return }
        store.invalidate(view, instance: instance(number), cause: reason, caller: caller)
    }

    /// `rerender_committed`.
    @c package func rerender_part_committed(_ view: UnsafePointer<CChar>?, _ number: UInt64, _ changed: CInt) {
        guard let view = unsafe text(view) else { return }
        let isChanged = changed < 0 ? nil : changed > 0
        store.committed(view, changed: isChanged, instance: instance(number), fileID: "", line: 0)
    }

    /// `rerender_ended`.
    @c package func rerender_part_ended(_ view: UnsafePointer<CChar>?, _ number: UInt64) {
        guard let view = unsafe text(view) else { return }
        store.ended(view, instance: instance(number))
    }

    /// `rerender_gtk_start`. Proof of the unsafe parts here and below: the texts last for ever.
    @c package func rerender_part_start() -> UnsafePointer<CChar>? { unsafe LinkedStart.start() }

    /// `rerender_gtk_show_hud`.
    @c package func rerender_part_show_hud(_ window: UnsafeMutableRawPointer?) -> UnsafePointer<CChar>? {
        unsafe LinkedStart.showHUD(in: window, .topRight, store: nil)
    }

    /// `rerender_gtk_hide_hud`.
    @c package func rerender_part_hide_hud() { LinkedStart.hideHUD() }
#endif
