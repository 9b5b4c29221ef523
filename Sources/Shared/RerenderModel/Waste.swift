// SPDX-License-Identifier: MIT
// Evaluations that were not needed, by kind.

/// Why an evaluation was not needed.
public enum WasteKind: String, Hashable, Codable, Sendable, CaseIterable, CodingKeyRepresentable {
    /// The output equals the previous one.
    case sameOutput = "same output"
    /// A write put the value there that was there already.
    case sameValue = "same value"
    /// An equal value came under a new identity.
    case newIdentity = "new identity"
    /// Only a closure's identity changed: another one with the same function and equal captures.
    case closureIdentity = "closure identity"
    /// Only an ancestor's evaluation caused it.
    case parentOnly = "parent only"
    /// It was evaluated before in the same turn of the main loop, with no commit in between.
    case twiceInATurn = "twice in a turn"
    /// Nothing is known to have caused it, and all of its inputs are as they were.
    case sameInputs = "same inputs"

    /// Whether the output shows it, and not the inputs.
    package var isMeasured: Bool { self == .sameOutput }
}

/// Evaluations of a view that were not needed.
public struct Waste: Hashable, Codable, Sendable {
    /// All of them: ``measured`` and ``inferred``.
    public var count: UInt64 = 0
    /// Those whose output is known to equal the previous one.
    public var measured: UInt64 = 0
    /// Those that their inputs show to be needless, because all are known to be as they were, or a later evaluation in the
    /// same turn. What a body reads that nothing reports (a global variable, a clock, a file) is no input.
    public var inferred: UInt64 = 0
    /// Evaluations that neither their output nor their inputs tell of whether they were needed; no part of ``count``. Nil in a
    /// report of an older version's trace, which does not tell, and in an older export.
    public var unjudged: UInt64? = 0
    /// Self time spent in those that were not needed.
    public var nanoseconds: UInt64 = 0
    /// Counts by kind; a kind that is absent here counts zero, and in JSON every kind is present.
    public var kinds: [WasteKind: UInt64] = [:]
    /// Self time by kind; absent kinds as in ``kinds``.
    public var kindNanoseconds: [WasteKind: UInt64] = [:]

    /// Makes a record of no waste.
    package init() {}

    /// Self time spent in ``measured`` ones.
    public var measuredNanoseconds: UInt64 { nanoseconds - inferredNanoseconds }
    /// Self time spent in ``inferred`` ones; all of ``nanoseconds`` where there are such and the times by kind are unknown.
    public var inferredNanoseconds: UInt64 {
        if inferred == 0 { return 0 }
        return measured == 0 ? nanoseconds : nanoseconds - min(kindNanoseconds[.sameOutput] ?? 0, nanoseconds)
    }

    /// The name of a kind. A conformance of the kind itself would change how it is printed.
    private struct KindKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ kind: WasteKind) { stringValue = kind.rawValue }
        init?(stringValue: String) { return nil }
        init?(intValue: Int) { return nil }
    }

    private enum CodingKeys: String, CodingKey {
        case count, measured, inferred, unjudged, nanoseconds, kinds, kindNanoseconds
    }

    /// Reads what ``encode(to:)`` writes; unknown kinds are skipped, and an older export has no times by kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        count = try container.decode(UInt64.self, forKey: .count)
        measured = try container.decode(UInt64.self, forKey: .measured)
        inferred = try container.decode(UInt64.self, forKey: .inferred)
        unjudged = try container.decodeIfPresent(UInt64.self, forKey: .unjudged)
        nanoseconds = try container.decode(UInt64.self, forKey: .nanoseconds)
        kinds = Self.known(try container.decode([String: UInt64].self, forKey: .kinds))
        kindNanoseconds = Self.known(
            try container.decodeIfPresent([String: UInt64].self, forKey: .kindNanoseconds) ?? [:])
    }

    /// Writes every kind, zeros included, so that a reader need not know which can be missing.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encode(measured, forKey: .measured)
        try container.encode(inferred, forKey: .inferred)
        try container.encodeIfPresent(unjudged, forKey: .unjudged)
        try container.encode(nanoseconds, forKey: .nanoseconds)
        // In place: with a dictionary made for each, a view takes a sixth more time.
        for (numbers, key) in [(kinds, CodingKeys.kinds), (kindNanoseconds, CodingKeys.kindNanoseconds)] {
            var all = container.nestedContainer(keyedBy: KindKey.self, forKey: key)
            for kind in WasteKind.allCases { try all.encode(numbers[kind] ?? 0, forKey: KindKey(kind)) }
        }
    }

    private static func known(_ numbers: [String: UInt64]) -> [WasteKind: UInt64] {
        var kinds: [WasteKind: UInt64] = [:]
        for kind in WasteKind.allCases {
            if let number = numbers[kind.rawValue], number > 0 { kinds[kind] = number }
        }
        return kinds
    }
}
