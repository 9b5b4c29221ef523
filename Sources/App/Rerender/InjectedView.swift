// SPDX-License-Identifier: MIT
// A view whose body is called through a hook, in a program that knows nothing of Rerender.

import CRerender
import RerenderModel

#if RERENDER_PROBES
    /// Counts the evaluations of one view from outside: no probe is around its body, its getter was replaced.
    ///
    /// Proof of the unsafe parts: the record lives as long as its store, which this keeps; the frame is that of ``EvaluationFrame``.
    @safe
    package final class InjectedView: @unchecked Sendable {
        private let store: RerenderStore
        private let core: StoreCore
        /// nil if there is no room for another view.
        private let record: Unmanaged<ViewRecord>?

        /// - Parameters:
        ///   - label: The view's key.
        ///   - file: The file of its body, as `#fileID` has it; empty where it is not known.
        package init(_ label: String, in store: RerenderStore, file: String, line: UInt32) {
            self.store = store
            core = store.core
            unsafe record = core.view(label: label, file: file, line: line)
        }

        /// Evaluates a body that gives its result away itself, and counts that.
        ///
        /// Nothing is compared: which instance it is of is not known.
        @inline(__always)
        package func evaluate(_ body: () -> Void) {
            var frame = unsafe EvaluationFrame()
            guard unsafe core.enter(&frame) else { return body() }
            unsafe withUnsafeMutablePointer(to: &frame) { frame in
                let arguments = EvaluationArguments(
                    label: nil, instance: nil, parent: nil, parentInstance: nil, reason: nil, file: "", line: 0)
                unsafe core.begin(frame, arguments, of: record, value: nil)
                unsafe core.run(frame, comparing: nil, body)
                unsafe core.end(frame)
            }
        }
    }
#endif
