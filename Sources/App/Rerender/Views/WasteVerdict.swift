// SPDX-License-Identifier: MIT
// Judges whether evaluations were needed, and sums up those that were not.

import RerenderModel
import RerenderWire

/// What is known of one evaluation's use.
struct WasteVerdict: Sendable {
    /// Why it was not needed; nil if nothing shows that it was not.
    var kind: WasteKind?
    /// Whether the output was compared, by us or by the framework.
    var isMeasured = false
    /// Whether neither the output nor the inputs tell.
    var isUnjudged = false
    var bodyNanoseconds: UInt64 = 0
    /// Whether it was a further one in the same turn, with no commit since the one before.
    var isAgain = false

    /// As the trace has it: 0 not wasted, 1 inferred, 2 measured.
    var traceCode: UInt8 { kind == nil ? 0 : isMeasured ? 2 : 1 }
}

extension WasteTotals {
    mutating func add(_ verdict: WasteVerdict) {
        guard let kind = verdict.kind else { return unjudged &+= verdict.isUnjudged ? 1 : 0 }
        add(kind, isMeasured: verdict.isMeasured, nanoseconds: verdict.bodyNanoseconds)
    }

    /// Takes back what ``add(_:)`` added.
    mutating func remove(_ verdict: WasteVerdict) {
        guard let kind = verdict.kind else { return unjudged &-= verdict.isUnjudged ? 1 : 0 }
        remove(kind, isMeasured: verdict.isMeasured, nanoseconds: verdict.bodyNanoseconds)
    }
}

/// Verdicts of one instance that the next commit may overrule.
struct OpenVerdicts: Sendable {
    private var epoch: UInt32 = 0
    /// A ring once it is full.
    private var verdicts: [WasteVerdict] = []
    private var latest = -1

    /// Whether the instance was evaluated since the last commit.
    var isEmpty: Bool { verdicts.isEmpty }

    /// Adds a verdict. Without commits the oldest ones stay as they are.
    mutating func append(_ verdict: WasteVerdict, epoch: UInt32) {
        if epoch != self.epoch {
            removeAll()
            self.epoch = epoch
        }
        if verdicts.count < StoreLimits.openVerdicts {
            verdicts.append(verdict)
            latest = verdicts.count - 1
        } else {
            latest = (latest + 1) % StoreLimits.openVerdicts
            verdicts[latest] = verdict
        }
    }

    /// Applies what the framework says about the evaluations since its last commit.
    ///
    /// Nothing changed: all of them were wasted, measured. Something did: the latest was needed, whatever was inferred, and
    /// those before it in the same turn were not, because their output was never shown.
    mutating func commit(changed: Bool?, epoch: UInt32, waste: inout WasteTotals) {
        defer { removeAll() }
        guard epoch == self.epoch, let changed, latest >= 0 else { return }
        if changed {
            if !verdicts[latest].isMeasured { waste.remove(verdicts[latest]) }
            return addSuperseded(to: &waste)
        }
        for verdict in verdicts where !verdict.isMeasured || verdict.kind == nil {
            waste.remove(verdict)
            waste.add(
                WasteVerdict(kind: .sameOutput, isMeasured: true, bodyNanoseconds: verdict.bodyNanoseconds))
        }
    }

    /// The evaluations that another one followed in the same turn, unless they count as wasted already.
    private func addSuperseded(to waste: inout WasteTotals) {
        var index = latest
        for _ in 1..<verdicts.count where verdicts[index].isAgain {
            index = (index + verdicts.count - 1) % verdicts.count
            guard verdicts[index].kind == nil else { continue }
            waste.remove(verdicts[index])
            waste.add(WasteVerdict(kind: .twiceInATurn, bodyNanoseconds: verdicts[index].bodyNanoseconds))
        }
    }

    private mutating func removeAll() {
        verdicts.removeAll(keepingCapacity: true)
        latest = -1
    }
}
