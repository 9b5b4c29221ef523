// SPDX-License-Identifier: MIT
// What is fuzzed: readers of bytes that others wrote, each with what must hold whatever the bytes are.

/// A reader with what must hold of it. `Scripts/fuzz` gives it bytes by the million, `FuzzTests` the kept ones.
package struct FuzzTarget: Sendable {
    package let name: String
    /// Longer inputs reach nothing that shorter ones do not.
    package let longest: Int
    /// Where an input is one step after the other: how many bytes each has, and how many come before the first.
    package let head, step: Int
    /// The processor time that an input may take, in seconds: more than any needs.
    package let seconds: UInt32
    /// Whether it starts other programs, which read what is written for them.
    package let startsPrograms: Bool
    /// Reads the bytes, and returns whether the reader found something in them; always true of a target that does not tell.
    ///
    /// Throws ``FuzzFinding`` where something does not hold; whatever ends the process is a finding, too.
    package let read: @Sendable (_ bytes: [UInt8]) throws -> Bool

    /// A target that tells whether its reader found something.
    package init(
        _ name: String, longest: Int, head: Int = 0, step: Int = 1, seconds: UInt32 = 25, startsPrograms: Bool = false,
        reading read: @escaping @Sendable (_ bytes: [UInt8]) throws -> Bool
    ) {
        (self.name, self.longest, self.head, self.step) = (name, longest, head, step)
        (self.seconds, self.startsPrograms, self.read) = (seconds, startsPrograms, read)
    }

    /// A target that does not tell.
    package init(
        _ name: String, longest: Int, seconds: UInt32 = 25, startsPrograms: Bool = false,
        _ run: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void
    ) {
        self.init(name, longest: longest, seconds: seconds, startsPrograms: startsPrograms) { bytes in
            try run(bytes)
            return true
        }
    }
}

/// What does not hold of a reader.
package struct FuzzFinding: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Ends a run where something does not hold.
package func hold(_ condition: Bool, _ text: @autoclosure () -> String) throws(FuzzFinding) {
    if !condition { throw FuzzFinding(text()) }
}

/// The bytes of an input, taken from the first on: numbers that steer, and what is read.
package struct FuzzBytes {
    package private(set) var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Whether nothing is left.
    package var isEmpty: Bool { rest.isEmpty }

    /// The next byte; 0 at the end.
    package mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// The next two bytes as a number.
    package mutating func short() -> Int { Int(byte()) | Int(byte()) << 8 }

    /// The next eight bytes as a number, lowest first.
    package mutating func word() -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(byte()) << UInt64(8 * $1) } }

    /// The next bytes, fewer at the end.
    package mutating func take(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
