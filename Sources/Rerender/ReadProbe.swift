// SPDX-License-Identifier: MIT
// A look whether a body reads anything observable, for a tenth of what it costs to learn what.

import Observation

/// Runs bodies that read nothing the last time.
enum ReadProbe {
    /// Runs the body once and says whether it read anything observable.
    ///
    /// If it did, `pending` is told once, by the writer's thread, when any of it is written; which is not known. The
    /// expression for `onChange` is an autoclosure that Observation evaluates only if there is something to register.
    /// Allocates nothing where there is not.
    static func run<Output, Failure: Error>(
        _ sawReads: inout Bool, telling pending: PendingBox, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let result = withObservationTracking(
            { () -> Result<Output, Failure> in
                do throws(Failure) {
                    return .success(try body())
                } catch {
                    return .failure(error)
                }
            }, onChange: note(&sawReads, pending))
        return try result.get()
    }

    private static func note(_ sawReads: inout Bool, _ pending: PendingBox) -> @Sendable () -> Void {
        sawReads = true
        return { pending.note { $0.isAnonymous = true } }
    }
}
