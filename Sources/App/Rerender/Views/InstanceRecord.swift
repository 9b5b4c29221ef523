// SPDX-License-Identifier: MIT
// What is kept of one instance of a view between its evaluations.

import CRerender
import Glibc
import RerenderModel
import Synchronization

/// The memory of one instance: what its properties were, what its body read, what has happened since.
///
/// Proof of the unchecked part: `evaluated` is touched only by the evaluation that has the record checked out, and
/// the others only under the view's lock, through which the record passes from one evaluation to the
/// next. No lock is held while values are compared or released: releasing can run the app's code.
final class InstanceRecord: @unchecked Sendable {
    /// Stands in places that hold none.
    static let vacant = InstanceRecord(settings: CauseSettings())

    /// Causes that wait; any thread.
    let pending = PendingBox()
    /// What Observation calls before a write; made once, so that no evaluation allocates it.
    let onWrite: @Sendable (ObservedWrite) -> Void
    /// For the evaluation that has the record checked out, which the runtime need not be asked about.
    @exclusivity(unchecked) var evaluated = EvaluatedState()
    /// Under the view's lock.
    var isCheckedOut = false
    /// Under the view's lock.
    var open = OpenVerdicts()
    /// Under the view's lock: the instance was evaluated meanwhile without this memory.
    var isStale = false
    /// Under the view's lock: the turn of the main loop in which the instance was last evaluated.
    var turn: UInt64 = 0
    /// Under the view's lock: reads that a bridge reported since the last evaluation.
    var reportedReads: [ObservedReads] = []

    init(settings: CauseSettings) {
        onWrite = { [pending] in pending.note($0, settings) }
    }

    /// Adds a report, under the view's lock; returns the one that is to be cancelled to make room.
    func report(_ reads: ObservedReads) -> ObservedReads? {
        reportedReads.append(reads)
        return reportedReads.count > StoreLimits.reportedReads ? reportedReads.removeFirst() : nil
    }
}

/// What the last evaluation of an instance leaves for the next.
struct EvaluatedState: ~Copyable {
    /// The stored properties of the view.
    var properties = ValueSnapshot()
    /// What the body read.
    var reads: ObservedReads?
    /// Raised when counting begins anew after a pause, in which nothing was remembered.
    var generation: UInt32 = 0
    /// Where the models hang off the view.
    var paths = ModelPaths()
    /// The values that the body read.
    var values = ObservedValues()
    /// What the view's models were, where reads are not tracked.
    var untracked = UntrackedModels()
    var output: (any KeptOutput)?
    /// How often the announced parent had been evaluated.
    var parentSerial: UInt64 = 0
    /// The reason and the chain that a parent's evaluation for a cause last gave.
    var parentReason = ParentReason()

    /// Lets go of everything that a comparison would need.
    mutating func forget() {
        properties.forget()
        values = ObservedValues()
        paths = ModelPaths()
        untracked = UntrackedModels()
        output = nil
    }
}

/// A parent's reason and chain, kept because they are the same each time.
struct ParentReason {
    private var parent: ViewKey?
    private var parentCause = ""
    private(set) var reason = ""
    private(set) var chain = ""

    /// The texts for a parent that was evaluated for `cause`. Allocates only for another parent or cause.
    mutating func update(parent: ViewKey, cause: String) {
        guard parent != self.parent || cause != parentCause else { return }
        self.parent = parent
        parentCause = cause
        reason = Reason.parent(parent)
        chain = Self.bounded(cause.isEmpty ? parent.rawValue : "\(parent.rawValue) ← \(cause)")
    }

    /// As much as travels, and as many levels as anybody reads; the nearest are kept.
    private static func bounded(_ chain: String) -> String {
        let levels = chain.split(separator: " ← ", maxSplits: StoreLimits.chainLevels)
        guard levels.count > StoreLimits.chainLevels else { return chain }
        return levels.prefix(StoreLimits.chainLevels).joined(separator: " ← ") + " ← …"
    }
}

extension PendingBox {
    /// Notes an observed write; runs on the writer's thread.
    func note(_ write: ObservedWrite, _ settings: CauseSettings) {
        // In the child of a fork a lock may be held by a thread that is not there.
        guard !write.isDeinit, !crerender_is_forked() else { return }
        let stack = settings.recordsWriters.load(ordering: .relaxed) ? StackID.capture() : StackID.none
        if noteDuringBody() { return }
        noteThread(of: write, UInt(pthread_self()))
        note { $0.note(write, stack: stack) }
        if WriteSignpost.isOn { WriteLog.note(write, stack: stack, by: self) }
    }
}
