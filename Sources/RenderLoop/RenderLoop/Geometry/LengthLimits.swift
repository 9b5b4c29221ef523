// SPDX-License-Identifier: MIT
// Lengths as SwiftUI writes them, and the limits of a flexible frame.

// As SwiftUI does: a literal of `CGFloat` needs it.
@_exported public import Foundation

extension CGFloat {
    /// The nearest number of cells; what is no number is none, and what is infinite as much as there can be.
    var cells: Int {
        guard !isNaN else { return 0 }
        let limits = CellLimit.range
        return Int(Swift.min(Swift.max(rounded(), CGFloat(limits.lowerBound)), CGFloat(limits.upperBound)))
    }
}

/// How long a frame may be in one direction, in cells.
public struct LengthLimits: Hashable, Sendable {
    /// At least this; nil where the content decides.
    public let min: Int?
    /// This where nothing is proposed; nil where the content decides.
    public let ideal: Int?
    /// At most this, and as far as space is proposed; nil where the content decides.
    public let max: Int?

    init(min: CGFloat?, ideal: CGFloat?, max: CGFloat?) {
        self.min = min.map { CellLimit.length($0.cells) }
        self.ideal = ideal.map { CellLimit.length($0.cells) }
        self.max = max.map { CellLimit.length($0.cells) }
    }

    /// What the content is proposed.
    func offer(_ proposed: Int?) -> Int? { (proposed ?? ideal).map(limited) }

    /// The frame's length around a content of some length.
    func length(around content: Int, proposed: Int?) -> Int {
        guard let proposed else { return limited(ideal ?? content) }
        var length = content
        if let min { length = Swift.max(min, Swift.min(length, proposed)) }
        if let max { length = Swift.min(max, Swift.max(length, proposed)) }
        return length
    }

    private func limited(_ length: Int) -> Int {
        Swift.max(Swift.min(length, max ?? .max), min ?? 0)
    }
}
