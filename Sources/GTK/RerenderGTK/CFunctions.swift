// SPDX-License-Identifier: MIT
// What rerender.h declares, in Swift, and the evaluations that C began. Sources/GTK/CInterface gives it the names that programs link.

import Glibc
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
        // An interpreter calls everything by one function: then its script's function is the writer.
        let writer = caller == 0 ? (InjectedScripts.here?.place ?? 0) : caller
        store.invalidate(view, instance: instance(number), cause: reason, caller: writer)
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

    /// Keeps them in order, and brings those to an end that were never ended.
    final class ThreadEvaluations {
        /// Innermost last. Each is among the evaluations that run on this thread, or was until an evaluation around it ended.
        private var open: [BegunEvaluation] = []
        /// More than so many are not in each other: they were left by a jump, or their ends are forgotten.
        private static let most = 256

        private init() {}

        // MARK: Of a thread

        /// Proof of the unsafe parts: a value of the key is an object that is retained until its thread ends.
        private static let key: pthread_key_t? = {
            var key = pthread_key_t()
            let isMade = unsafe pthread_key_create(&key) { object in
                guard let object = unsafe object else { return }
                unsafe Unmanaged<ThreadEvaluations>.fromOpaque(object).takeRetainedValue().dropAll()
            }
            return isMade == 0 ? key : nil
        }()

        /// Those of the calling thread, made where there are none; nil where the system has no room for them.
        static var ofThisThread: ThreadEvaluations? {
            guard let key else { return nil }
            if let object = unsafe pthread_getspecific(key) {
                return unsafe Unmanaged<ThreadEvaluations>.fromOpaque(object).takeUnretainedValue()
            }
            let made = ThreadEvaluations()
            let object = unsafe Unmanaged.passRetained(made)
            guard unsafe pthread_setspecific(key, object.toOpaque()) == 0 else {
                unsafe object.release()
                return nil
            }
            return made
        }

        private func dropAll() { while let last = open.popLast() { last.drop() } }

        // MARK: Beginning and ending

        func begin(_ view: String, _ instance: InstanceID?, in store: RerenderStore) {
            prune()
            if open.count == Self.most { dropAll() }
            if let evaluation = BegunEvaluation(view, in: store, instance: instance) { open.append(evaluation) }
        }

        /// Ends the innermost evaluation of a view's instance. Those that began in it and did not end are forgotten.
        ///
        /// Does nothing without one, or if something runs in it that is not C's.
        func end(_ view: String, _ instance: InstanceID?) {
            prune()
            guard let place = open.lastIndex(where: { $0.label == view && $0.instance == instance }) else { return }
            while open.count > place, let last = open.last, last.standing == .innermost {
                open.removeLast()
                if open.count == place { last.end() } else { last.drop() }
            }
        }

        /// Forgets those that were not ended before what they began in.
        private func prune() {
            while let last = open.last, last.standing == .gone {
                last.drop()
                open.removeLast()
            }
        }
    }
#endif
