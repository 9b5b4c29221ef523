// SPDX-License-Identifier: MIT
// One or several axes.

extension Axis {
    /// Several directions.
    public struct Set: OptionSet, Hashable, Sendable {
        /// A bit for each direction.
        public let rawValue: Int8

        /// Makes a set of its bits.
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// From left to right.
        public static let horizontal = Set(rawValue: 1)
        /// From top to bottom.
        public static let vertical = Set(rawValue: 2)
    }
}
