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

    /// Makes a record of no waste.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case count, measured, inferred, nanoseconds, kinds
    }

    /// Reads what ``encode(to:)`` writes; unknown kinds are skipped.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        count = try container.decode(UInt64.self, forKey: .count)
        measured = try container.decode(UInt64.self, forKey: .measured)
        inferred = try container.decode(UInt64.self, forKey: .inferred)
        nanoseconds = try container.decode(UInt64.self, forKey: .nanoseconds)
        let counts = try container.decode([String: UInt64].self, forKey: .kinds)
        for kind in WasteKind.allCases {
            if let count = counts[kind.rawValue], count > 0 { kinds[kind] = count }
        }
    }

    /// Writes every kind, zeros included, so that a reader need not know which can be missing.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        try container.encode(measured, forKey: .measured)
        try container.encode(inferred, forKey: .inferred)
        try container.encode(nanoseconds, forKey: .nanoseconds)
        let all = Dictionary(uniqueKeysWithValues: WasteKind.allCases.map { ($0.rawValue, kinds[$0] ?? 0) })
        try container.encode(all, forKey: .kinds)
    }
}
