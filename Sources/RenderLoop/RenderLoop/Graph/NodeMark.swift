// SPDX-License-Identifier: MIT
// Numbers of turns, rounds and commits in four bytes.

/// The number of a turn, a round or a commit, as nodes keep it in four bytes: told apart from the four billion before it.
package struct NodeMark: Hashable, Sendable {
    private let value: UInt32

    package init(_ number: UInt64) { value = UInt32(number % UInt64(UInt32.max)) + 1 }
    private init() { value = 0 }

    /// That of no number.
    package static let none = NodeMark()
}
