// SPDX-License-Identifier: MIT
// Sums of the most expensive names, and one of all others.

/// Sums that only grow: one for each name that has a place, and one for all others.
///
/// What is added goes to the name if it has a place at that moment, and else to the others. So no sum falls when a name gets or loses
/// its place, and nothing is in two. A name that gets a place begins with 0; one that loses it takes its sum along.
struct MetricGroup<Counts: SIMD & Hashable & Codable & Sendable>: Hashable, Codable, Sendable
where Counts.Scalar == UInt64 {
    /// What stands in the place of each label of all others.
    static var other: String { "other" }

    /// Labels of those with a place, sorted.
    private(set) var names: [[String]] = []
    /// Their sums.
    private(set) var sums: [Counts] = []
    /// The sum of all others.
    private(set) var rest = Counts.zero
    /// The labels of all others.
    let restName: [String]

    /// - Parameter width: How many labels a name has.
    init(width: Int) { restName = Array(repeating: Self.other, count: width) }

    /// Whether what was read hangs together.
    func isSound(width: Int) -> Bool {
        let isWhole = names.count == sums.count && restName == Array(repeating: Self.other, count: width)
        return isWhole && names.count <= MetricLedger.places && names.allSatisfy { $0.count == width && $0 != restName }
            && zip(names, names.dropFirst()).allSatisfy { Self.precedes($0, $1) }
    }

    /// The places of the names.
    var indices: [[String]: Int] {
        Dictionary(zip(names, names.indices)) { first, _ in first }
    }

    /// Gives the places to those that cost most now.
    ///
    /// One with a place loses it only to one that costs a quarter more, so that two that cost about the same do not take turns. Of
    /// those that cost the same, the first by name.
    mutating func choose(_ costs: [[String]: UInt64]) {
        let places = indices
        var ranked: [(name: [String], rank: UInt64, hasPlace: Bool)] = costs.map { name, cost in
            let hasPlace = places[name] != nil
            return (name, hasPlace ? cost.clampedSum(cost / 4) : cost, hasPlace)
        }
        ranked += names.filter { costs[$0] == nil }.map { ($0, 0, true) }
        // Who is called like all others is one of them.
        ranked.removeAll { $0.name == restName }
        ranked.sort {
            if $0.rank != $1.rank { return $0.rank > $1.rank }
            return $0.hasPlace != $1.hasPlace ? $0.hasPlace : Self.precedes($0.name, $1.name)
        }
        let chosen = ranked.prefix(MetricLedger.places).map(\.name).sorted(by: Self.precedes)
        sums = chosen.map { name in places[name].map { sums[$0] } ?? .zero }
        names = chosen
    }

    /// Adds to a name's sum; nil is all others.
    mutating func add(_ growth: Counts, to place: Int?) {
        if let place { sums[place] = sums[place].clampedSum(growth) } else { rest = rest.clampedSum(growth) }
    }

    private static func precedes(_ one: [String], _ other: [String]) -> Bool { one.lexicographicallyPrecedes(other) }
}
