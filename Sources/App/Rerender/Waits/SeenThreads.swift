// SPDX-License-Identifier: MIT
// Whether threads have waited without a break since they were looked at.

/// Threads that wait, each with the moment at which it was looked at.
///
/// A thread's wait is one thing and the memory that its arguments lead to is another, read later. The two belong together only
/// if the thread has not run in between. The kernel counts how often it has run.
final class SeenThreads {
    private struct Moment: Hashable {
        /// How long the thread has run, how long it has waited for a processor, and how often it got one.
        let runs: String
        /// The system call with its arguments.
        let call: String

        /// Kernels that do not count say 0.
        var isKnown: Bool { !runs.isEmpty && !runs.hasPrefix("0 0 0") }

        init(_ thread: Int32) {
            runs = ProcText.file("/proc/self/task/\(thread)/schedstat", limit: 128)
            call = ProcText.file("/proc/self/task/\(thread)/syscall", limit: 256)
        }
    }

    private var moments: [Int32: Moment] = [:]
    private var hasMoved = false

    func look(at thread: Int32) { moments[thread] = Moment(thread) }
    func has(_ thread: Int32) -> Bool { moments[thread] != nil }
    /// Of one that runs, nothing further is told.
    func forget(_ thread: Int32) { moments[thread] = nil }
    /// Something was seen to change.
    func noteMove() { hasMoved = true }

    /// Whether all that was read since is of one moment.
    var areUnmoved: Bool {
        !hasMoved && moments.allSatisfy { $0.value.isKnown && Moment($0.key) == $0.value }
    }
}
