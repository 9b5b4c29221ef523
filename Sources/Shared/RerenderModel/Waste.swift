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
    /// Only a closure's identity changed.
    case closureIdentity = "closure identity"
    /// Only an ancestor's evaluation caused it.
    case parentOnly = "parent only"
    /// It was evaluated before in the same turn of the main loop, with no commit in between.
    case twiceInATurn = "twice in a turn"
}

/// Evaluations of a view that were not needed.
public struct Waste: Hashable, Codable, Sendable {
    /// All of them: ``measured`` and ``inferred``.
    public var count: UInt64 = 0
    /// Those whose output is known to equal the previous one.
    public var measured: UInt64 = 0
    /// Those that the cause shows to be needless.
    public var inferred: UInt64 = 0
    /// Body time spent in them.
    public var nanoseconds: UInt64 = 0
    /// Counts by kind; a kind that is absent here counts zero, and in JSON every kind is present.
    public var kinds: [WasteKind: UInt64] = [:]
    /// Body time by kind; absent kinds as in ``kinds``.
    public var kindNanoseconds: [WasteKind: UInt64] = [:]

    /// Makes a record of no waste.
    package init() {}

    private enum CodingKeys: String, CodingKey {
        case count, measured, inferred, nanoseconds, kinds, kindNanoseconds
    }

    /// Reads what ``encode(to:)`` writes; unknown kinds are skipped, and an older export has no times by kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        count = try container.decode(UInt64.self, forKey: .count)
        measured = try container.decode(UInt64.self, forKey: .measured)
        inferred = try container.decode(UInt64.self, forKey: .inferred)
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
        try container.encode(nanoseconds, forKey: .nanoseconds)
        try container.encode(Self.all(kinds), forKey: .kinds)
        try container.encode(Self.all(kindNanoseconds), forKey: .kindNanoseconds)
    }

    private static func known(_ numbers: [String: UInt64]) -> [WasteKind: UInt64] {
        var kinds: [WasteKind: UInt64] = [:]
        for kind in WasteKind.allCases {
            if let number = numbers[kind.rawValue], number > 0 { kinds[kind] = number }
        }
        return kinds
    }

    private static func all(_ kinds: [WasteKind: UInt64]) -> [String: UInt64] {
        Dictionary(uniqueKeysWithValues: WasteKind.allCases.map { ($0.rawValue, kinds[$0] ?? 0) })
    }
}
