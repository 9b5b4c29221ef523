// SPDX-License-Identifier: MIT
// Decides why an evaluation happens: before its body runs, from what was noted since the last one, or after, from what the caller found.

import RerenderModel

/// The reason of one evaluation, and what goes with it.
struct EvaluationCause {
    /// The reason's text; `<external signal>` if nothing explains the evaluation.
    var reason = Reason.externalSignal
    var attribution: Attribution?
    /// Where a parent caused it: the way to the first cause.
    var chain: String?
    /// Who wrote what caused it.
    var writers: [(writer: Writer, count: UInt64)] = []
    /// The kind of waste that the inputs show; nil if an input changed, or if that cannot be told.
    var waste: WasteKind?
    /// Whether the inputs show neither a change nor that there is none.
    var isUnjudged = false
    /// Whether the reason was an exact one before it was not.
    private(set) var isUncertain = false
    /// Whether the host says that this is a further evaluation in the same turn.
    var isAgain = false
    /// The step that led to it; nil where something from outside did.
    var link: CauseLink?
    /// Whether somebody else found it, as of the widgets of GTK.
    var isTold = false
    /// The cause that it is added to, where it came without input.
    var work: WorkPlace?

    /// Nothing explains the evaluation.
    init(waste: WasteKind? = nil) { self.waste = waste }

    /// Something explains it. A reason that is assigned without an attribution or a chain counts as `<external signal>`.
    init(
        reason: String, attribution: Attribution, writers: [(writer: Writer, count: UInt64)] = [],
        waste: WasteKind? = nil
    ) {
        (self.reason, self.attribution, self.writers, self.waste) = (reason, attribution, writers, waste)
    }

    /// Where nothing is known to compare with.
    static var unjudged: EvaluationCause {
        var cause = EvaluationCause()
        cause.isUnjudged = true
        return cause
    }

    /// Takes back that the evaluation was wasted by its inputs: something else decided the result.
    mutating func leaveUnjudged() {
        guard waste != nil else { return }
        waste = nil
        isUnjudged = true
    }

    /// Says that the reason is no proven one.
    mutating func leaveUncertain() {
        guard attribution == .exact else { return }
        attribution = nil
        isUncertain = true
    }

    /// The cause of a further evaluation of the same update, which is no waste of the app's whatever its inputs are.
    var ofPass: EvaluationCause {
        var cause = self
        (cause.waste, cause.isUnjudged, cause.isAgain) = (nil, false, false)
        return cause
    }

    /// Whether nothing explains it, and nobody said so.
    var isPlain: Bool { !isExplained && link == nil && work == nil && !isTold }

    /// Becomes that of another evaluation which nothing explains.
    @inline(__always)
    mutating func becomePlain(_ waste: WasteKind?) {
        (self.waste, isUnjudged, isAgain) = (waste, waste == nil, false)
    }

    /// Whether anything explains the evaluation.
    var isExplained: Bool { attribution != nil || chain != nil || isUncertain }

    /// What the cause of a child of this evaluation ends with.
    var root: String { chain ?? reason }
}

/// What is known before the body runs.
///
/// A reason that holds whatever was written or compared is one more answer of `StoreCore.found`. Other evidence is a property here
/// with its place in the rank of ``cause()``: `StoreCore.decide` asks for it before it returns early, and `StoreCore.explain`
/// collects it. What a plain evaluation can have as a cause is also asked for in `beginPlain`.
struct CauseEvidence {
    var callersReason: String?
    /// What the store found by itself, such as the first evaluation of an instance.
    var found: FixedReason?
    /// The instance was evaluated before, but what is needed to compare was dropped.
    var isForgotten = false
    var pending: PendingCauses?
    /// Whether its framework evaluates a view whose model was written.
    var observesModels = true
    /// How the stored properties differ; nil if they were not given.
    var properties: ValueChange?
    /// The properties' names, made only if some changed.
    var changedNames: String?
    var observed: ObservedCauses?
    /// Something was written, and it is not known what, or whether the last body saw it.
    var hasUnknownWrites = false
    /// Whether nothing that the last body read can have changed without a write that is known.
    var areReadsProved = false
    /// Whether there is anything that the evaluation's inputs could be compared by.
    var hasInputs = false
    /// A parent whose evaluation explains this one.
    var parent: ParentReason?
}

extension CauseEvidence {
    /// The strongest explanation, in this order: the caller's reason, the first evaluation, an announced cause, an observed
    /// write, a stored property, the parent. Without any of them it is an external signal.
    func cause() -> EvaluationCause {
        var cause = foundCause()
        guard let pending, pending.isAgain else { return cause }
        cause.isAgain = true
        return cause
    }

    private func foundCause() -> EvaluationCause {
        if let callersReason { return EvaluationCause(reason: callersReason, attribution: .announced) }
        if let found { return EvaluationCause(reason: found.text, attribution: .exact) }
        if let announced = pending?.announced, !announced.isEmpty { return announcedCause(announced) }
        if isForgotten { return .unjudged }
        if observesModels, let observed, !observed.names.isEmpty { return observedCause(observed) }
        var cause = EvaluationCause(waste: wasteOfInputs)
        cause.isUnjudged = cause.waste == nil && changedNames == nil
        if let changedNames {
            cause.reason = changedNames
            cause.attribution = .diff
            cause.writers = pending?.writers(of: changedNames) ?? []
        } else if let parent, !hasNamelessWrites {
            cause.reason = parent.reason
            cause.chain = parent.chain
            cause.attribution = isComplete ? .exact : nil
        }
        return cause
    }

    private func announcedCause(_ announced: [PendingCauses.Announced]) -> EvaluationCause {
        var writers: [(writer: Writer, count: UInt64)] = announced.compactMap { announced in
            announced.writer.map { (writer: $0, count: announced.count) }
        }
        if let beyond = pending?.announcementsBeyond, beyond > 0 { writers.append((.unknown, beyond)) }
        let names = CauseNames.joined(
            announced.map(\.cause), beyond: pending?.causesBeyond.count ?? 0,
            areCut: pending?.areAnnouncementsCut == true)
        return EvaluationCause(reason: names, attribution: .announced, writers: writers)
    }

    private func observedCause(_ observed: ObservedCauses) -> EvaluationCause {
        let isNeedless =
            observed.isSameValue && pending?.areWritesCut != true && areInputsProved && changedNames == nil
        var cause = EvaluationCause(
            reason: observed.names, attribution: observed.attribution, writers: observed.writers,
            waste: isNeedless ? .sameValue : nil)
        cause.isUnjudged = observed.isSameValue && !isNeedless && changedNames == nil
        return cause
    }

    /// Whether a write is known that changed a value: what else there is does not matter then.
    var isExplainedByWrite: Bool { observed.map { !$0.names.isEmpty && !$0.isSameValue } ?? false }

    /// Whether something that was read is known to have been written, and not what.
    private var hasNamelessWrites: Bool {
        observesModels && observed == nil && pending?.observed.isEmpty == false
    }

    /// Whether every stored property is known to be as it was, or to have changed in identity alone.
    private var isComplete: Bool {
        guard let properties, !hasUnknownWrites else { return false }
        return !properties.isFirst && !properties.unknown
    }

    /// Whether everything that the evaluation can have used is known: what changed of it, and that the rest did not.
    private var areInputsProved: Bool { isComplete && properties?.isProved == true && areReadsProved }

    /// What the inputs say of an evaluation that no write caused.
    private var wasteOfInputs: WasteKind? {
        guard let properties, areInputsProved else { return nil }
        if changedNames != nil { return properties.equalReplacement ? .newIdentity : nil }
        if properties.hasNewIdentity { return .newIdentity }
        if properties.hasNewClosure { return .closureIdentity }
        if parent != nil { return .parentOnly }
        // Who evaluates a view that has no inputs has a reason of their own.
        return hasInputs ? .sameInputs : nil
    }
}

/// What the observed writes since the last evaluation amount to.
struct ObservedCauses {
    var names = ""
    var attribution = Attribution.exact
    /// Whether every written property has the value that the body read.
    var isSameValue = false
    var writers: [(writer: Writer, count: UInt64)] = []
}

/// How the names of causes become a reason.
enum CauseNames {
    /// At most ``StoreLimits/namedCauses`` names, each once, then how many more.
    ///
    /// - Parameters:
    ///   - beyond: How many others there were.
    ///   - areCut: Whether there were further causes, whose names may be others.
    static func joined(_ names: [String], beyond: Int = 0, areCut: Bool = false) -> String {
        if names.count == 1, beyond == 0, !areCut { return names[0] }
        var unique: [String] = []
        for name in names where !unique.contains(name) { unique.append(name) }
        let shown = unique.prefix(StoreLimits.namedCauses).joined(separator: ", ")
        let more = max(0, unique.count - StoreLimits.namedCauses) + beyond
        return (more > 0 ? "\(shown), +\(more)" : shown) + (areCut ? ", maybe more" : "")
    }
}

/// Why something was evaluated, and whether that was needed, as somebody else found it.
package struct ToldCause: Sendable {
    /// The number of the reason, which stands for a text; 0 if nothing that is known explains it. An instance's first evaluation
    /// is `initial`, whatever the caller says.
    var reason: UInt32
    /// Whether the reason is proved to have led to the evaluation. Otherwise it is what is known to have happened before it.
    var isProved: Bool
    /// Whether the output is that of the instance's last evaluation; nil if that is not known.
    var isSameOutput: Bool?

    /// Where the program wrote what is the reason: the address that its call returns to; 0 where that is not known.
    var writer: UInt

    /// What called the code that wrote.
    package struct Callback: Equatable, Sendable {
        package enum Source: String, Sendable { case timer, idleFunction = "idle function", source }

        let source: Source
        /// Its function's address; 0 where that is not known.
        let function: UInt

        package init(_ source: Source, function: UInt) { (self.source, self.function) = (source, function) }
    }

    /// What called the code that wrote; nil where that is not known.
    var callback: Callback?

    @inline(__always)
    package init(
        reason: UInt32, isProved: Bool, isSameOutput: Bool?, writer: UInt = 0,
        callback: Callback? = nil
    ) {
        (self.reason, self.isProved, self.isSameOutput) = (reason, isProved, isSameOutput)
        (self.writer, self.callback) = (writer, callback)
    }

    var workCallback: WorkCallback? {
        callback.map { WorkCallback(source: $0.source.rawValue, function: $0.function) }
    }

    /// As the store counts it, with the text of the reason; nil for no reason.
    func cause(_ text: String?) -> EvaluationCause {
        var cause = text.map { EvaluationCause(reason: $0, attribution: .exact) } ?? EvaluationCause()
        if text == nil { cause.reason = Reason.unknown }
        cause.isTold = true
        if !isProved { cause.leaveUncertain() }
        cause.isUnjudged = isSameOutput == nil
        if writer != 0, text != nil {
            let origin = WriteOrigin(stack: .ofCaller(writer), handler: nil)
            cause.writers = [(Writer(function: .caller, origin: origin), 1)]
        }
        return cause
    }
}
