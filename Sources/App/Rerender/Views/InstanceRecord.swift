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
    /// Under the view's lock, so that no access is in another one.
    @exclusivity(unchecked) var open = OpenVerdicts()
    /// Under the view's lock: the instance was evaluated meanwhile without this memory.
    var isStale = false
    /// Whether the next evaluation may be a plain one. Of who has it checked out; under the view's lock otherwise.
    var isPlain = false
    /// Under the view's lock: a plain evaluation has it, and does not retain it.
    private var isHeldPlain = false
    /// Under the view's lock: the view has let go of it, and keeps it for that evaluation.
    private var isAbandoned = false
    /// Under the view's lock: the turn in which the instance was last evaluated.
    private(set) var turn = LoopTurn.none
    /// Under the view's lock: when its last evaluation began that has ended, and what caused it, with the way to it.
    private(set) var beganAt: UInt64 = 0
    private(set) var root = Reason.externalSignal
    private var isExplained = false
    /// The number of that cause, where it was told.
    private var toldReason: UInt32?
    /// Under the view's lock: the step that led to that evaluation.
    private(set) var link: CauseLink?
    /// Under the view's lock: the cause of that evaluation, where it came without input.
    private(set) var work: WorkPlace?
    /// Under the view's lock: reads that a bridge reported since the last evaluation.
    private var reportedReads: [ObservedReads] = []
    /// Under the view's lock: whether there are any; a word, which the runtime need not be asked about.
    private(set) var hasReports = false

    /// Whether it stands for all instances of a view, which cannot be told apart.
    let isOfAnyInstance: Bool

    /// The instance's number; nil for the one that has none.
    let instance: UInt64?

    init(settings: CauseSettings, instance: UInt64? = nil, isOfAnyInstance: Bool = false) {
        self.instance = instance
        self.isOfAnyInstance = isOfAnyInstance
        onWrite = { [pending] in pending.note($0, settings) }
    }

    /// Hands it to a plain evaluation, if it can be one.
    @inline(__always)
    func beginPlain() -> Bool {
        guard isReadyForPlain else { return false }
        isTakenPlain()
        return true
    }

    /// Whether it is at rest, and the next evaluation may be a plain one; under the view's lock.
    @inline(__always)
    var isReadyForPlain: Bool {
        // In this order: who has it checked out says whether it is plain.
        !isCheckedOut && isPlain && !isStale && !hasReports
    }

    /// Notes that a plain evaluation has it; under the view's lock.
    @inline(__always)
    func isTakenPlain() {
        isCheckedOut = true
        isHeldPlain = true
    }

    /// Takes it from a plain evaluation; whether it is to be released, once the lock is.
    @inline(__always)
    func endPlain() -> Bool {
        isHeldPlain = false
        defer { isAbandoned = false }
        return isAbandoned
    }

    /// Takes it from an evaluation that does not count and leaves nothing; under the view's lock.
    func letGo() {
        isPlain = false
        isCheckedOut = false
    }

    /// Keeps it for the plain evaluation that has it: the view lets go of it.
    func leaveToPlain() {
        guard isHeldPlain, !isAbandoned else { return }
        isAbandoned = true
        _ = unsafe Unmanaged.passRetained(self)
    }

    /// Keeps what other evaluations ask of a plain one that has ended, under the view's lock. The one before it was plain, too.
    @inline(__always)
    func endedPlain(at beganAt: UInt64, in turn: LoopTurn) {
        self.turn = turn
        self.beganAt = beganAt
    }

    /// Keeps what other evaluations ask of one that has ended, under the view's lock.
    func ended(_ evaluation: borrowing Evaluation) {
        // A pass in a later turn does not make the update after it a second one of that turn.
        if !evaluation.isPass { turn = evaluation.turn }
        beganAt = evaluation.beganAt
        toldReason = nil
        // Most evaluations of a busy app are unexplained, and a text is more than a word.
        if evaluation.cause.isExplained || isExplained { root = evaluation.cause.root }
        isExplained = evaluation.cause.isExplained
        if evaluation.cause.link != nil || link != nil { link = evaluation.cause.link }
        work = evaluation.cause.work
    }

    /// The same for one whose cause was told by a number, 0 for none; `root` is its text.
    @inline(__always)
    func ended(at beganAt: UInt64, told reason: UInt32, root text: @autoclosure () -> String) {
        turn = .none
        self.beganAt = beganAt
        if link != nil { link = nil }
        work = nil
        guard toldReason != reason else { return }
        toldReason = reason
        root = text()
        isExplained = reason != 0
    }

    /// Adds a report, under the view's lock; returns the one that is to be cancelled to make room.
    func report(_ reads: ObservedReads) -> ObservedReads? {
        reportedReads.append(reads)
        hasReports = true
        guard reportedReads.count > StoreLimits.reportedReads else { return nil }
        // Nothing is heard of writes to what it read: whether the next evaluation is needed is not known.
        pending.taint()
        return reportedReads.removeFirst()
    }

    /// Takes reports back that a further evaluation of the same update does not end; under the view's lock.
    func keep(_ reports: [ObservedReads]) {
        reportedReads.insert(contentsOf: reports, at: 0)
        hasReports = !reportedReads.isEmpty
    }

    /// Takes the reports out, under the view's lock.
    func takeReports() -> [ObservedReads] {
        hasReports = false
        defer { reportedReads = [] }
        return reportedReads
    }
}
