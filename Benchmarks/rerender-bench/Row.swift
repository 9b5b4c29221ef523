// SPDX-License-Identifier: MIT
// One line of the result, for people and as JSON.

import Foundation

/// The median of some figures and how far they spread.
struct Spread: Encodable {
    let median: Double
    let min: Double
    let max: Double
    /// Half of the figures lie between these two.
    let lowerQuartile: Double
    let upperQuartile: Double

    init(_ values: [Double]) {
        let sorted = values.sorted()
        median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        lowerQuartile = sorted.isEmpty ? 0 : sorted[sorted.count / 4]
        upperQuartile = sorted.isEmpty ? 0 : sorted[sorted.count * 3 / 4]
        min = sorted.first ?? 0
        max = sorted.last ?? 0
    }
}

/// What one benchmark found.
struct Row: Encodable {
    let name: String
    let unit: String
    var ours: Double
    var baseline: Double?
    var ratio: Spread?
    /// Figures beside, by name; they stand in the JSON beside the others, so no name is one of theirs.
    var more: [(name: String, value: Double)] = []
    /// What the figures have to reach, in words.
    let target: String

    private static let names: Set<String> = ["name", "unit", "ours", "baseline", "ratio", "target"]

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: Key("name"))
        try container.encode(unit, forKey: Key("unit"))
        try container.encode(rounded(ours), forKey: Key("ours"))
        // Null and not left out, where there is none.
        try container.encode(baseline.map(rounded), forKey: Key("baseline"))
        try container.encode(ratio, forKey: Key("ratio"))
        try container.encode(target, forKey: Key("target"))
        for (name, value) in more {
            guard !Self.names.contains(name) else { throw Fault("the row has a figure named \(name) already") }
            try container.encode(rounded(value), forKey: Key(name))
        }
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// `name, ours, baseline, ratio (median, middle half, min–max)`, and what else was found.
    var text: String {
        let baseline = baseline.map { "\(Self.figure($0)) \(unit)" } ?? "-"
        let ratio = ratio.map { text($0) } ?? "-"
        let line = "\(name), \(Self.figure(ours)) \(unit), \(baseline), \(ratio)"
        let rest = more.map { "\($0.name) \(Self.figure($0.value))" } + ["to reach: \(target)"]
        return line + "\n    " + rest.joined(separator: ", ")
    }

    private func text(_ ratio: Spread) -> String {
        let half = "\(fraction(ratio.lowerQuartile))–\(fraction(ratio.upperQuartile))"
        return "\(fraction(ratio.median)) (\(half), \(fraction(ratio.min))–\(fraction(ratio.max)))"
    }

    private func fraction(_ value: Double) -> String { value.formatted(.number.precision(.fractionLength(2))) }
    private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

    private static func figure(_ value: Double) -> String {
        value.formatted(.number.precision(.fractionLength(value < 1000 ? 2 : 0)))
    }
}
