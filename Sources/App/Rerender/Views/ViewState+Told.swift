// SPDX-License-Identifier: MIT
// Counts evaluations of a view whose causes are told by numbers.

import RerenderModel

/// When an evaluation was, and how long it took.
struct EvaluationTimes {
    let beganAt: UInt64
    let endedAt: UInt64
    let body: UInt64
    /// ``body`` without the bodies of evaluations inside of it.
    let own: UInt64
    /// From the beginning of the body to its end, with the probes of evaluations inside of it.
    let total: UInt64
}

/// Where a view counts what it was told last: a reason and who wrote.
struct ToldSlots: Sendable {
    struct Slot: Sendable {
        /// 0 for none.
        var reason: UInt32 = 0
        var isProved = false
        var writer: UInt = 0
        /// Where the reason is in the table, and where the writer is in its details.
        var entry: UInt8 = 0
        var detail: UInt16 = 0
        /// What called the code that wrote, and where this is counted without input; nil until it came so.
        var callback: ToldCause.Callback?
        var work: WorkPlace?
    }

    private var slots = InlineArray<8, Slot>(repeating: Slot())
    /// Of what nothing explains.
    private var unexplained = Slot()

    private static func index(_ told: ToldCause) -> Int {
        let code = told.writer ^ (told.callback?.function ?? 0)
        return Int((told.reason ^ UInt32(truncatingIfNeeded: code)) & 7)
    }

    @inline(__always)
    func slot(of told: ToldCause) -> Slot? {
        if told.reason == 0 { return unexplained }
        let slot = slots[Self.index(told)]
        let isKnown =
            slot.reason == told.reason && slot.writer == told.writer && slot.isProved == told.isProved
            && slot.callback == told.callback
        return isKnown ? slot : nil
    }

    mutating func set(_ slot: Slot, of told: ToldCause) {
        if told.reason == 0 { unexplained = slot } else { slots[Self.index(told)] = slot }
    }
}

extension ViewState {
    /// Begins an evaluation of an instance that is known and at rest; nil for another one.
    @inline(__always)
    mutating func checkOutKnown(_ instance: UInt64, hint: inout UInt32) -> InstanceRecord? {
        withdrawOffer()
        guard let record = records.record(of: instance, hint: &hint),
            !record.isCheckedOut, !record.isStale, !record.hasReports
        else { return nil }
        lastInstance = instance
        record.isCheckedOut = true
        // What is told leaves another cause than none.
        record.isPlain = false
        return record
    }

    /// Where something is counted that was told; nil where it was not told before. What nothing explains has one place.
    @inline(__always)
    func place(of told: ToldCause) -> ToldSlots.Slot? { toldSlots.slot(of: told) }

    /// Remembers where something is counted that was told.
    ///
    /// - Parameter work: Where it is counted without input; nil where it came with input, or because of something inside of it.
    mutating func learn(_ told: ToldCause, as cause: EvaluationCause, work: WorkPlace?) {
        guard told.reason != 0 else { return toldSlots.set(ToldSlots.Slot(work: work), of: told) }
        guard let entry = reasons.index(of: cause.reason, cause.attribution) else { return }
        var place = ToldSlots.Slot(
            reason: told.reason, isProved: told.isProved, writer: told.writer, entry: UInt8(truncatingIfNeeded: entry),
            callback: told.callback, work: work)
        if let writer = cause.writers.first?.writer {
            guard let detail = reasons.entries[entry].details.place(of: writer) else { return }
            place.detail = UInt16(truncatingIfNeeded: detail)
        }
        toldSlots.set(place, of: told)
    }

    /// Counts an evaluation whose cause was told before, and takes the instance's memory back.
    @inline(__always)
    mutating func record(
        _ told: ToldCause, at place: ToldSlots.Slot, _ times: EvaluationTimes, _ record: InstanceRecord?
    ) {
        count(body: times.body, own: times.own, total: times.total, endedAt: times.endedAt)
        if told.reason == 0 {
            reasons.countUnknown(as: Reason.unknown)
        } else {
            reasons.count(at: Int(place.entry), writer: told.writer == 0 ? nil : Int(place.detail))
        }
        var verdict = WasteVerdict(selfNanoseconds: times.own)
        if let isSame = told.isSameOutput {
            verdict.kind = isSame ? .sameOutput : nil
            verdict.isMeasured = true
        } else {
            verdict.isUnjudged = true
        }
        addWaste(verdict)
        guard let record else { return }
        unsafe record.open.append(verdict, epoch: sums.epoch)
        record.ended(at: times.beganAt, told: told.reason, root: reasons.lastText)
        record.isCheckedOut = false
    }
}
