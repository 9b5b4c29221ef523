// SPDX-License-Identifier: MIT
// An evaluation that two calls begin and end, for languages that cannot pass a body.

import CRerender
import RerenderModel
import Synchronization

#if RERENDER_PROBES
    /// An evaluation that has begun on this thread, and ends when it is told to.
    ///
    /// Proof of the unsafe parts. The frame and its details are this object's own memory, from `init` to `deinit`. The frames of a thread are a list that
    /// begins with the innermost. An evaluation in a call puts its frame in front when it begins, and when it ends it makes what was
    /// in front before it the first again. So all of the list is alive. This frame is in it until it is ended or dropped, or
    /// until an evaluation around it has ended, which takes it out. Where it is gone, its enclosing frame may be gone, too, and is not
    /// touched. Whoever keeps this object lets go of it only when it was ended or dropped.
    @safe
    package final class BegunEvaluation {
        /// Where it is among the evaluations that run on the calling thread.
        package enum Standing {
            case innermost
            /// Others have begun in it, and not ended.
            case outer
            /// What it began in has ended before it.
            case gone
        }

        /// The view's key.
        package let label: String
        package let instance: InstanceID?
        private let store: RerenderStore
        private let frame: UnsafeMutablePointer<EvaluationFrame>

        /// Begins an evaluation on this thread, where all other calls have to be, too; nil where nothing counts.
        package init?(_ label: String, in store: RerenderStore, instance: InstanceID?) {
            let core = store.core
            guard core.isEnabled else { return nil }
            let frame = UnsafeMutablePointer<EvaluationFrame>.allocate(capacity: 1)
            guard unsafe core.enter(frame) else {
                unsafe frame.deallocate()
                return nil
            }
            unsafe frame.pointee.details = EvaluationDetails.allocate()
            unsafe (self.label, self.instance, self.store, self.frame) = (label, instance, store, frame)
            let arguments = EvaluationArguments(
                label: nil, instance: instance, parent: nil, parentInstance: nil, reason: nil, inputs: nil,
                isPass: false,
                file: "", line: 0)
            unsafe core.begin(frame, arguments, of: core.view(label: label, file: "", line: 0), value: nil)
            unsafe core.bodyOfOpenBegins(frame)
        }

        deinit {
            unsafe frame.pointee.details?.deinitialize(count: 1)
            unsafe frame.pointee.details?.deallocate()
            unsafe frame.deallocate()
        }

        /// Costs a few nanoseconds for each evaluation in it.
        package var standing: Standing {
            var running = unsafe crerender_frame()?.assumingMemoryBound(to: EvaluationFrame.self)
            if unsafe running == frame { return .innermost }
            while let next = unsafe running {
                if unsafe next == frame { return .outer }
                unsafe running = next.pointee.enclosing
            }
            return .gone
        }

        /// Ends it and counts it. Only the innermost one may end.
        package func end() {
            unsafe store.core.bodyOfOpenEnded(frame)
            unsafe store.core.end(frame)
        }

        /// Forgets it: it never ended, and does not count. It is the innermost one or gone.
        package func drop() {
            if standing == .innermost { unsafe crerender_set_frame(frame.pointee.enclosing) }
            unsafe store.core.drop(frame)
        }
    }

    extension StoreCore {
        /// Gives the instance's memory back that an evaluation took which never ended.
        fileprivate func drop(_ frame: UnsafeMutablePointer<EvaluationFrame>) {
            unsafe crerender_tell_ended(frame)
            guard !crerender_is_silent(), let view = unsafe frame.pointee.view, let record = unsafe frame.pointee.record
            else { return }
            record.pending.bodyEnded()
            unsafe view._withUnsafeGuaranteedRef { view in view.state.withLock { _ in record.letGo() } }
        }
    }
#endif
