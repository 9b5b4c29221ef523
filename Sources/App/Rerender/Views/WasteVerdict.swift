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
    /// Whether it was a further one in the same turn, with no commit since the one before.
    var isAgain = false
    /// Time in its body, without the bodies inside of it: those are wasted by themselves, or not at all.
    var selfNanoseconds: UInt64 = 0
    /// The number of the evaluation's trace events; 0 where they are not recorded.
    var signpostID: UInt64 = 0

    /// Whether it was wasted as far as its cause tells.
    var isInferredWaste: Bool { kind != nil && !isMeasured }

    /// What became of an evaluation's output at a commit.
    fileprivate enum Standing {
        /// It is what the commit showed.
        case shown
        /// Another one of the same turn took its place.
        case superseded
        /// It is from an earlier turn.
        case earlier
    }

    /// What a commit makes of it.
    fileprivate func decided(changed: Bool, _ standing: Standing) -> WasteVerdict {
        var verdict = self
        if !changed {
            guard !isMeasured || kind == nil else { return self }
            (verdict.kind, verdict.isMeasured, verdict.isUnjudged) = (.sameOutput, true, false)
        } else if standing == .shown {
            if !isMeasured { (verdict.kind, verdict.isUnjudged) = (nil, false) }
        } else if standing == .superseded, kind == nil {
            (verdict.kind, verdict.isMeasured, verdict.isUnjudged) = (.twiceInATurn, false, false)
        }
        return verdict
    }

    /// The standing of the evaluation before this one: those that another one followed in the same turn are a chain that ends
    /// where a turn begins. What one with the same output showed is also the output of the one before it.
    fileprivate func standingOfEarlier(_ standing: Standing) -> Standing {
        guard isAgain, standing != .earlier else { return .earlier }
        return isMeasured && kind == .sameOutput ? standing : .superseded
    }

    fileprivate func isSame(as other: WasteVerdict) -> Bool {
        kind == other.kind && isMeasured == other.isMeasured && isUnjudged == other.isUnjudged
    }

    /// As the trace has it: 0 not wasted, 1 inferred, 2 measured.
    var traceCode: UInt8 { kind == nil ? 0 : isMeasured ? 2 : 1 }

    /// What it adds to ``WasteTotals/unjudged``, and as the trace has it: 1 where nothing tells whether it was needed, else 0.
    var unjudgedCode: UInt8 { kind == nil && isUnjudged ? 1 : 0 }
}

extension WasteVerdict {
    /// What its inputs say, and nothing else.
    init(of evaluation: borrowing Evaluation) {
        self.init(kind: evaluation.cause.waste, selfNanoseconds: evaluation.selfNanoseconds)
        signpostID = evaluation.signpostID
    }
}

extension WasteTotals {
    mutating func add(_ verdict: WasteVerdict) {
        guard let kind = verdict.kind else { return unjudged &+= UInt64(verdict.unjudgedCode) }
        add(kind, nanoseconds: verdict.selfNanoseconds, evaluations: 1)
    }

    /// Takes back what ``add(_:)`` added.
    mutating func remove(_ verdict: WasteVerdict) {
        guard let kind = verdict.kind else { return unjudged &-= UInt64(verdict.unjudgedCode) }
        remove(kind, nanoseconds: verdict.selfNanoseconds)
    }
}

/// What one commit decides of the evaluations before it, for the trace: that of the latest, of those that it overrules,
/// and of those whose waste was only inferred until then.
struct DecidedVerdicts: Sendable {
    private var verdicts = InlineArray<8, WasteVerdict>(repeating: WasteVerdict())
    private(set) var count = 0
    /// The instance that the commit was of; nil for the one without a number.
    var instance: UInt64?
    /// The cause that the latest evaluation was added to, where it came without input and the commit shows that it was not needed.
    var wastedWork: WorkPlace?

    /// Adds one; the latest evaluation's comes first. There are at most ``StoreLimits/openVerdicts``.
    fileprivate mutating func append(_ verdict: WasteVerdict) {
        guard count < verdicts.count else { return }
        verdicts[count] = verdict
        count += 1
    }

    /// That of the latest evaluation; an empty one where there is none.
    var latest: WasteVerdict { verdicts[0] }

    /// Those of the evaluations before it, the oldest first.
    var earlier: some Sequence<WasteVerdict> { (1..<Swift.max(1, count)).reversed().lazy.map { verdicts[$0] } }
}

/// The sums of verdicts for which a ring has no room: enough for a commit that changed nothing.
struct DroppedVerdicts: Sendable {
    // By kind, and in the first place those without one.
    private var counts = InlineArray<8, UInt64>(repeating: 0)
    private var nanoseconds = InlineArray<8, UInt64>(repeating: 0)
    private var unjudged: UInt64 = 0

    @inline(__always)
    mutating func add(_ verdict: WasteVerdict) {
        // What was measured to be wasted stays so.
        if verdict.isMeasured, verdict.kind != nil { return }
        let place = Self.place(of: verdict.kind)
        counts[place] &+= 1
        nanoseconds[place] &+= verdict.selfNanoseconds
        unjudged &+= UInt64(verdict.unjudgedCode)
    }

    /// Counts all of them as wasted, measured.
    func measure(in waste: inout WasteTotals) {
        for kind in WasteKind.allCases {
            let place = Self.place(of: kind)
            waste.remove(kind, nanoseconds: nanoseconds[place], evaluations: counts[place])
        }
        waste.unjudged &-= unjudged
        for place in counts.indices {
            waste.add(.sameOutput, nanoseconds: nanoseconds[place], evaluations: counts[place])
        }
    }

    @inline(__always)
    private static func place(of kind: WasteKind?) -> Int {
        switch kind {
        case nil: 0
        case .sameOutput: 1
        case .sameValue: 2
        case .newIdentity: 3
        case .closureIdentity: 4
        case .parentOnly: 5
        case .twiceInATurn: 6
        case .sameInputs: 7
        }
    }
}

/// Verdicts of one instance that the next commit may overrule. A ring once it is full; of those that leave it, the sums are kept.
///
/// Proof of the unsafe parts: what is `further` is memory for all places but the first, made with the second verdict and freed with
/// this. A place below `count` was written.
@safe
struct OpenVerdicts: ~Copyable {
    private static let places = StoreLimits.openVerdicts

    private var epoch: UInt32 = 0
    private var count = 0
    /// The place of the latest.
    private var latest = 0
    /// In the first place. Most instances are committed after each evaluation, and need no other one.
    private var first = WasteVerdict()
    private var further: UnsafeMutablePointer<Further>?
    private var hasDropped = false

    /// All places but the first, and what left the ring.
    private struct Further {
        var verdicts = InlineArray<7, WasteVerdict>(repeating: WasteVerdict())
        var dropped = DroppedVerdicts()
    }

    init() {}

    deinit { unsafe further?.deallocate() }

    /// Whether the instance was evaluated since the last commit.
    var isEmpty: Bool { count == 0 }

    private subscript(place: Int) -> WasteVerdict {
        guard place > 0, let further = unsafe further else { return first }
        return unsafe further.pointee.verdicts[place - 1]
    }

    /// Adds a verdict. Without commits the oldest ones stay as they are. Allocates only for the second one that is open.
    @inline(__always)
    mutating func append(_ verdict: WasteVerdict, epoch: UInt32) {
        if epoch != self.epoch {
            removeAll()
            self.epoch = epoch
        }
        let place = count == 0 ? 0 : (latest &+ 1) & (Self.places - 1)
        latest = place
        if count < Self.places { count &+= 1 } else { drop(place) }
        if place == 0 {
            first = verdict
        } else if let further = unsafe further {
            unsafe further.pointee.verdicts[place &- 1] = verdict
        } else {
            appendSecond(verdict)
        }
    }

    /// Adds the oldest verdict to those that left the ring.
    @inline(__always)
    private mutating func drop(_ place: Int) {
        guard let further = unsafe further else { return }
        hasDropped = true
        unsafe further.pointee.dropped.add(place == 0 ? first : further.pointee.verdicts[place &- 1])
    }

    @inline(never)
    private mutating func appendSecond(_ verdict: WasteVerdict) {
        let memory = UnsafeMutablePointer<Further>.allocate(capacity: 1)
        unsafe memory.initialize(to: Further())
        unsafe memory.pointee.verdicts[0] = verdict
        unsafe further = memory
    }

    /// Applies what the framework says about the evaluations since its last commit, and returns what is decided by that.
    ///
    /// Nothing changed: all of them were wasted, measured, those that left the ring too. Something did: the latest was needed,
    /// whatever was inferred, and those before it in the same turn were not, because their output was never shown.
    mutating func commit(changed: Bool?, epoch: UInt32, waste: inout WasteTotals) -> DecidedVerdicts {
        defer { removeAll() }
        var decided = DecidedVerdicts()
        guard epoch == self.epoch else { return decided }
        if changed == false, hasDropped { unsafe further?.pointee.dropped.measure(in: &waste) }
        var standing = WasteVerdict.Standing.shown
        for age in 0..<count {
            let verdict = self[(latest + count - age) % count]
            let decision = changed.map { verdict.decided(changed: $0, standing) }
            if let decision, !decision.isSame(as: verdict) {
                waste.remove(verdict)
                waste.add(decision)
                decided.append(decision)
            } else if age == 0 || verdict.isInferredWaste {
                decided.append(verdict)
            }
            standing = verdict.standingOfEarlier(standing)
        }
        return decided
    }

    private mutating func removeAll() {
        count = 0
        guard hasDropped else { return }
        hasDropped = false
        unsafe further?.pointee.dropped = DroppedVerdicts()
    }
}
