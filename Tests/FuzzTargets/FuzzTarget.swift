// SPDX-License-Identifier: MIT
// What is fuzzed: readers of bytes that others wrote, each with what must hold whatever the bytes are.

/// A reader with what must hold of it. `Scripts/fuzz` gives it bytes by the million, `FuzzTests` the kept ones.
package struct FuzzTarget: Sendable {
    package let name: String
    /// Longer inputs reach nothing that shorter ones do not.
    package let longest: Int
    /// Reads the bytes. Throws ``FuzzFinding`` where something does not hold; whatever ends the process is a finding, too.
    package let run: @Sendable (_ bytes: [UInt8]) throws -> Void

    init(_ name: String, longest: Int, _ run: @escaping @Sendable (_ bytes: [UInt8]) throws -> Void) {
        (self.name, self.longest, self.run) = (name, longest, run)
    }

    /// The target of that name; nil if there is none.
    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// What does not hold of a reader.
package struct FuzzFinding: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Ends a run where something does not hold.
func hold(_ condition: Bool, _ text: @autoclosure () -> String) throws(FuzzFinding) {
    if !condition { throw FuzzFinding(text()) }
}

/// The bytes of an input, taken from the first on: numbers that steer, and what is read.
struct FuzzBytes {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    /// The next byte; 0 at the end.
    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// The next two bytes as a number.
    mutating func short() -> Int { Int(byte()) | Int(byte()) << 8 }

    /// The next eight bytes as a number, lowest first.
    mutating func word() -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(byte()) << UInt64(8 * $1) } }

    /// The next bytes, fewer at the end.
    mutating func take(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
