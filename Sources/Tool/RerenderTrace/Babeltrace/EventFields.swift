// SPDX-License-Identifier: MIT
// The fields of each event, once. CSignpost writes what events.h lists; a test compares the names.

/// The fields of one kind of event that the decoder reads. A case is the name of a field in the trace, in camel case:
/// `bodyNs` reads `body_ns`.
protocol EventField: CaseIterable, RawRepresentable, Sendable where RawValue == Int {
    /// The first field that older traces, or other events of the provider, need not have; nil where all must be there.
    ///
    /// A new field comes behind it: an older trace does not have the field, and would lose every event of the kind.
    static var firstOptional: Self? { get }
}

extension EventField {
    static var firstOptional: Self? { nil }

    /// The names in the trace, in the order of the cases.
    static var names: [String] {
        allCases.map { field in
            "\(field)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
        }
    }

    /// How many fields must be there, counted from the first.
    static var needed: Int { firstOptional?.rawValue ?? allCases.count }
}

enum EvaluationBegunField: Int, EventField {
    case name, signpostId, file, line, parent, instance
    static let firstOptional: Self? = .file
}

enum EvaluationEndedField: Int, EventField {
    case name, signpostId, reason, bodyNs, totalNs, wasted, turn, count, epoch
    case store, storeId, instance, instances, attribution, kind, writers, chain, pass, selfNs
    static let firstOptional: Self? = .store
}

enum ViewChangedField: Int, EventField {
    case name, message, store, storeId, epoch, instance, instances, commits, measured, wastedNs
    // In the order of `WasteKind.allCases`.
    case sameOutput, sameValue, newIdentity, closureIdentity, parentOnly, twiceInATurn, sameInputs
    case signpostId, wasted
    static let wasteKinds: InlineArray<7, Self> = [
        .sameOutput, .sameValue, .newIdentity, .closureIdentity, .parentOnly, .twiceInATurn, .sameInputs,
    ]
    static let firstOptional: Self? = .sameInputs
}

enum TurnField: Int, EventField {
    case turn, evaluations
    static let firstOptional: Self? = .evaluations
}

enum PhaseField: Int, EventField {
    case name, signpostId, turn
}

enum WriteField: Int, EventField {
    case name, message, views
}

enum HangField: Int, EventField {
    case name, signpostId, lastRendered, pid, attribution, verdict, durationNs, atThreshold, turn, ageNs, starvedNs,
        guess, storeId, atThresholdStoreId, lastRenderedStoreId, stoppedNs, counts, handler, handlerNs
    static let firstOptional: Self? = .durationNs
}

/// What LTTng adds to each event, where the recording asked for it.
enum ContextField: Int, EventField {
    case vpid, vtid, procname
    static let firstOptional: Self? = .vpid
}

enum OtherField: Int, EventField {
    case name, signpostId, message
    static let firstOptional: Self? = .name
}

/// Which event it is.
enum EventKind: String, CaseIterable, Sendable {
    case evaluationBegan = "com.rerender.BodyEval:begin"
    case evaluationEnded = "com.rerender.BodyEval:end"
    case viewChanged = "com.rerender.View:event"
    case turnBegan = "com.rerender.RenderLoop:begin"
    case turnEnded = "com.rerender.RenderLoop:end"
    case phaseBegan = "com.rerender.RenderLoop.Phase:begin"
    case phaseEnded = "com.rerender.RenderLoop.Phase:end"
    case write = "com.rerender.Write:event"
    case hangBegan = "com.rerender.Hang:begin"
    case hangEnded = "com.rerender.Hang:end"
    case other = ""

    /// The fields that the decoder reads of it.
    var fields: any EventField.Type {
        switch self {
        case .evaluationBegan: EvaluationBegunField.self
        case .evaluationEnded: EvaluationEndedField.self
        case .viewChanged: ViewChangedField.self
        case .turnBegan, .turnEnded: TurnField.self
        case .phaseBegan, .phaseEnded: PhaseField.self
        case .write: WriteField.self
        case .hangBegan, .hangEnded: HangField.self
        case .other: OtherField.self
        }
    }
}
