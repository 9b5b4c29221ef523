// SPDX-License-Identifier: MIT
// An evaluation that two calls begin and end, for languages that cannot pass a body.

import CRerender
import RerenderModel
import Synchronization

#if RERENDER_PROBES
    /// An evaluation that has begun on this thread, and ends when it is told to.
    ///
    /// Proof of the unsafe parts. The frame and its details are this object's own memory, from `init` to `deinit`, and so is the store.
    /// The frame is listed until it is ended or dropped, or until an evaluation around it has ended, which drops it. The owner of this object
    /// lets go of it only when it is gone.
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
            unsafe frame.initialize(to: EvaluationFrame())
            guard unsafe core.enter(frame) else {
                unsafe frame.deallocate()
                return nil
            }
            unsafe frame.pointee.store = Unmanaged.passUnretained(core)
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

        package var standing: Standing {
            guard unsafe frame.pointee.isListed else { return .gone }
            return unsafe StoreCore.innermostFrame == frame ? .innermost : .outer
        }

        /// Ends it and counts it. Only the innermost one may end.
        package func end() {
            unsafe store.core.bodyOfOpenEnded(frame)
            unsafe store.core.end(frame)
        }

        /// Drops it, and what began in it: it never ended, and does not count. Nothing happens where it is gone.
        package func drop() { if unsafe frame.pointee.isListed { unsafe store.core.drop(frame) } }
    }
#endif
