// SPDX-License-Identifier: MIT
// The evaluations of a thread that C began and has not ended.

import Glibc
import Rerender

#if RERENDER_PROBES && RERENDER_GTK
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
        /// Nothing happens where there is none, and where something runs in it that is not C's.
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
