// SPDX-License-Identifier: MIT
// Counts and times the evaluations of one view. Plain values; the lock of the view's record guards them.

import RerenderModel
import RerenderWire

/// One evaluation that has ended.
struct Evaluation {
    /// Clock nanoseconds before its body, at the latest when that began.
    var beganAt: UInt64
    /// Clock nanoseconds at its end.
    var endedAt: UInt64
    var bodyNanoseconds: UInt64
    /// ``bodyNanoseconds`` without the bodies of evaluations inside of it.
    var selfNanoseconds: UInt64
    /// From the beginning of the body to its end, with the probes of evaluations inside of it.
    var totalNanoseconds: UInt64
    var cause: EvaluationCause
    /// Whether the output equals the previous one; nil if that is not known.
    var isSameOutput: Bool?
    var turn: LoopTurn
    /// The instance's number; nil if the caller gave none.
    var instance: UInt64?
    /// The number of its trace events; 0 where its begin was not recorded.
    var signpostID: UInt64 = 0
    /// Whether it is a further evaluation of the instance's last update.
    var isPass = false
}

/// An instance's memory, handed to the evaluation that begins.
struct CheckOut {
    /// nil if another evaluation of the instance has it, or if there are too many instances.
    var record: InstanceRecord?
    var isInitial: Bool
    var isForgotten: Bool
    /// Reads that a bridge reported; the new evaluation makes them void.
    var reportedReads: [ObservedReads] = []
    /// The record that had to make room; let go of when the lock is released.
    var evicted: InstanceRecord?
}

/// Totals of one view since the epoch began.
///
/// Proof of the unsafe part: see ``PlainOffer``.
@safe
struct ViewState {
    /// Whether the view waits in its store's list of what to send.
    var isDirty = false
    /// The epoch, the counts of evaluations and commits, and the waste; the other numbers are filled in by ``totals(wallClock:)``.
    private(set) var sums: ViewTotals
    /// Hangs that the view was blamed for, as the daemon counts them.
    var hangs = HangTotals()
    var reasons = ReasonTable()
    /// Where what is told is counted.
    var toldSlots = ToldSlots()
    private var durations = DurationState()
    /// The numbers of live instances.
    private var instances: Set<UInt64> = []
    var records = InstanceCache()
    /// The instance that was evaluated last, without its record, which must not be let go of under the lock.
    var lastInstance: UInt64?
    /// Whether an evaluation was ever counted, in whatever epoch, or somebody else counts the view.
    private(set) var isEvaluated = false
    /// When the latest evaluation ended, on the clock of the evaluations; 0 before the first.
    private(set) var lastEnd: UInt64 = 0
    private var lastEndTime: (end: UInt64, time: Timestamp) = (0, Timestamp(nanosecondsSince1970: 0))

    /// Where an instance's memory is offered, and which it was last; nil while none is.
    let offer: PlainOffer
    var offered: Unmanaged<InstanceRecord>?

    /// - Parameter empty: The view's place and its epoch, with nothing counted.
    init(_ empty: ViewTotals, _ offer: PlainOffer = PlainOffer()) { (sums, self.offer) = (empty, offer) }

    /// Whether the view has anything to show in the current epoch.
    ///
    /// A view that hung has, even if no evaluation has ended since the reset: its first one may go on around a nested loop.
    var isVisible: Bool { sums.count > 0 || sums.commits > 0 || hangs.count > 0 || sums.isNotSeen }

    /// Clears the counts if a new epoch has begun; instances live on. A count that is not cleared here survives a reset.
    @inline(__always)
    mutating func enter(epoch: UInt32) {
        if epoch != sums.epoch { clear(for: epoch) }
    }

    /// A function of its own: its memory would be taken from the stack of each evaluation.
    @inline(never)
    private mutating func clear(for epoch: UInt32) {
        let mayBeMore = sums.mayBeMore
        sums = ViewTotals(storeID: sums.storeID, index: sums.index, epoch: epoch)
        sums.mayBeMore = mayBeMore
        hangs = HangTotals()
        reasons.removeAll()
        toldSlots = ToldSlots()
        durations.removeAll()
        records.forgotten = 0
        lastEnd = 0
    }

    /// Begins an evaluation: adds the instance if it is new, and hands out its record.
    mutating func checkOut(_ instance: UInt64?, isOfAny: Bool = false, _ settings: CauseSettings) -> CheckOut {
        withdrawOffer()
        lastInstance = instance
        if let record = records.record(of: instance) { return Self.checkOut(record) }
        let isNew = instance.map { !instances.contains($0) } ?? true
        var checkOut = CheckOut(isInitial: isNew, isForgotten: !isNew)
        if isNew, let instance {
            guard instances.count < StoreLimits.instancesPerView else {
                return CheckOut(isInitial: false, isForgotten: true)
            }
            instances.insert(instance)
        }
        let record = InstanceRecord(settings: settings, instance: instance, isOfAnyInstance: isOfAny)
        record.isCheckedOut = true
        checkOut.evicted = records.insert(record, for: instance)
        checkOut.record = record
        return checkOut
    }

    private static func checkOut(_ record: InstanceRecord) -> CheckOut {
        guard !record.isCheckedOut else {
            // What the other evaluation leaves will not be what was there last.
            record.isStale = true
            return CheckOut(isInitial: false, isForgotten: true)
        }
        record.isCheckedOut = true
        // Until its end says so.
        record.isPlain = false
        var checkOut = CheckOut(record: record, isInitial: false, isForgotten: record.isStale)
        record.isStale = false
        if record.hasReports { checkOut.reportedReads = record.takeReports() }
        return checkOut
    }

    /// Counts one evaluation and takes the instance's memory back; returns whether it was wasted.
    mutating func record(_ evaluation: borrowing Evaluation, _ record: InstanceRecord?) -> WasteVerdict {
        count(
            body: evaluation.bodyNanoseconds, own: evaluation.selfNanoseconds, total: evaluation.totalNanoseconds,
            endedAt: evaluation.endedAt)
        if evaluation.isPass { sums.passes += 1 }
        // Whatever its reason says.
        if evaluation.cause.isExplained {
            reasons.count(evaluation.cause.reason, evaluation.cause.attribution, isPass: evaluation.isPass)
            // What was written for an update was not written again for each of its evaluations.
            reasons.noteDetails(evaluation.isPass ? [] : evaluation.cause.writers, chain: evaluation.cause.chain)
        } else {
            let text = evaluation.cause.isTold ? Reason.unknown : Reason.externalSignal
            reasons.countUnknown(as: text, isPass: evaluation.isPass)
        }
        let verdict = evaluation.isPass ? WasteVerdict(of: evaluation) : judge(evaluation, record)
        sums.waste.add(verdict)
        guard let record else { return verdict }
        // What a commit says is of its update's first evaluation: a pass is never wasted.
        if !evaluation.isPass { unsafe record.open.append(verdict, epoch: sums.epoch) }
        record.ended(evaluation)
        record.isCheckedOut = false
        return verdict
    }

    /// Counts one evaluation and its times.
    @inline(__always)
    mutating func count(body nanoseconds: UInt64, own: UInt64, total all: UInt64, endedAt: UInt64) {
        sums.count += 1
        sums.selfNanoseconds &+= own
        isEvaluated = true
        sums.notSeen = 0
        durations.record(body: nanoseconds, total: all)
        lastEnd = endedAt
    }

    mutating func addWaste(_ verdict: WasteVerdict) { sums.waste.add(verdict) }

    /// Notes that a value of the view was in an evaluated output; true if that is new, and its body was never seen.
    mutating func noteInOutput() -> Bool {
        guard !isEvaluated, sums.notSeen == 0 else { return false }
        sums.notSeen = 1
        return true
    }

    /// Notes for ever that the body is also called where no evaluation is counted.
    mutating func noteMore() { sums.mayBeMore = 1 }

    /// Notes that somebody else counts the view; true if it was listed as one whose body was never seen.
    mutating func leave() -> Bool {
        isEvaluated = true
        defer { sums.notSeen = 0 }
        return sums.notSeen != 0
    }

    /// A measurement outranks what the inputs show; the turn counts only where neither says anything.
    private func judge(_ evaluation: borrowing Evaluation, _ record: InstanceRecord?) -> WasteVerdict {
        var verdict = WasteVerdict(of: evaluation)
        verdict.isAgain = isAgain(evaluation, record)
        if let isSame = evaluation.isSameOutput {
            verdict.kind = isSame ? .sameOutput : nil
            verdict.isMeasured = true
        } else if verdict.kind == nil, verdict.isAgain {
            verdict.kind = .twiceInATurn
        }
        verdict.isUnjudged = evaluation.cause.isUnjudged && verdict.kind == nil && !verdict.isMeasured
        return verdict
    }

    /// Whether the instance was evaluated before in the same turn, with no commit in between.
    ///
    /// Without a number it may be another instance, and only the host can say so.
    private func isAgain(_ evaluation: borrowing Evaluation, _ record: InstanceRecord?) -> Bool {
        guard let record, unsafe !record.open.isEmpty else { return false }
        if evaluation.cause.isAgain { return true }
        return evaluation.instance != nil && evaluation.turn != .none && record.turn == evaluation.turn
    }

    /// An instance's latest evaluation that has ended.
    struct LatestEvaluation {
        let beganAt: UInt64
        /// What caused it, with the way to it.
        let root: String
        let link: CauseLink?
        /// The cause that it was added to, where it came without input.
        let work: WorkPlace?
    }

    /// The latest evaluation of an instance that has ended.
    ///
    /// Where no instance is named, it is the only one; nil if there are several, since it is not known which is meant.
    mutating func latestEvaluation(of instance: UInt64?) -> LatestEvaluation? {
        guard instance != nil || instanceCount == 1 else { return nil }
        return records.record(of: instance ?? instances.first).map {
            LatestEvaluation(beganAt: $0.beganAt, root: $0.root, link: $0.link, work: $0.work)
        }
    }

    /// Counts a commit; what it says of its evaluations overrules what was inferred. Returns what it decides.
    ///
    /// Without an instance it is the one without a number, or, where all have numbers, the one evaluated last.
    mutating func recordCommit(of instance: UInt64?, changed: Bool?, nanoseconds: UInt64 = 0) -> DecidedVerdicts {
        sums.commits += 1
        sums.commitNanoseconds &+= nanoseconds
        noteTaken()
        var meant = instance
        if instance == nil, records.record(of: nil) == nil { meant = lastInstance }
        var decided = DecidedVerdicts()
        if let record = records.record(of: meant) {
            decided = unsafe record.open.commit(changed: changed, epoch: sums.epoch, waste: &sums.waste)
            if decided.count > 0, decided.latest.kind == .sameOutput { decided.wastedWork = record.work }
        }
        decided.instance = meant
        return decided
    }

    mutating func recordLayouts(_ count: UInt64, nanoseconds: UInt64) {
        sums.layouts &+= count
        sums.layoutNanoseconds &+= nanoseconds
    }

    mutating func recordFrameOverInterval() { sums.framesOverInterval &+= 1 }

    /// Instances that live, as far as they are known.
    var instanceCount: UInt64 { UInt64(instances.count + (records.unnumbered?.isOfAnyInstance == false ? 1 : 0)) }

    /// What a commit or the end of an instance changes, as the trace has it.
    var traced: ViewTotals {
        var totals = sums
        totals.instances = instanceCount
        return totals
    }

    /// The records that an announcement is for: the instance's, or all where none is named and all have numbers.
    mutating func recordsAnnounced(_ instance: UInt64?) -> [InstanceRecord] {
        if let record = records.record(of: instance) { return [record] }
        return instance == nil ? records.all : []
    }

    /// Forgets an instance; nil stands for the one without a number. Let go of the record when the lock is released.
    mutating func end(instance: UInt64?) -> InstanceRecord? {
        withdrawOffer()
        if let instance { instances.remove(instance) }
        return records.remove(instance)
    }

    /// The numbers as they travel; remembers the wall-clock time of the last evaluation, so that it never changes.
    mutating func totals(wallClock: WallClock) -> ViewTotals {
        if lastEnd != lastEndTime.end { lastEndTime = (lastEnd, wallClock.time(at: lastEnd)) }
        var totals = traced
        (totals.body, totals.total) = (durations.bodies, durations.evaluations)
        totals.lastRenderedAt = lastEndTime.time
        totals.lastReason = UInt32(reasons.last)
        totals.forgotten = records.forgotten
        return totals
    }
}

extension ViewState {
    /// What the trace event of the evaluation says that was just counted.
    func recorded(_ verdict: WasteVerdict) -> RecordedEvaluation {
        RecordedEvaluation(
            count: sums.count, epoch: sums.epoch, reason: reasons.lastText, instances: instanceCount, verdict: verdict)
    }
}

/// What an evaluation's trace event says of its view.
struct RecordedEvaluation {
    let count: UInt64
    let epoch: UInt32
    let reason: String
    let instances: UInt64
    let verdict: WasteVerdict
}
