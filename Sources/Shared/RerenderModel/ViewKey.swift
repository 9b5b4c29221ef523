// SPDX-License-Identifier: MIT
// How a view is named, and how text of unknown origin is made safe for a terminal.

/// The name under which evaluations of one view are counted.
///
/// A key is the label that the app gave, or `"#fileID:#line"` of the probe where it gave none. Two stores, and two
/// processes, may use the same key for different views.
public struct ViewKey: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByStringLiteral, Comparable {
    /// The key as the app wrote it; any text at all, control characters included.
    public let rawValue: String

    /// Makes a key from any text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a key from a literal.
    public init(stringLiteral value: String) {
        self.rawValue = value
    }

    /// The key as it may be shown on a terminal or in a log: one line, no control characters.
    ///
    /// Every character that could move a cursor, change colours or reorder text is written as `\u{…}`. An empty key is written
    /// as `""`. The original stays in ``rawValue``.
    public var displayName: String {
        rawValue.isEmpty ? "\"\"" : Printable.text(rawValue)
    }

    /// Keys sort by their Unicode scalars, the same in every locale.
    public static func < (lhs: ViewKey, rhs: ViewKey) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

/// Names one instance of a view among those that share a ``ViewKey``.
///
/// The number is the framework's own: any value that stays the same while the instance lives.
public struct InstanceID: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByIntegerLiteral {
    /// The framework's number for the instance.
    public let rawValue: UInt64

    /// Wraps a number of the framework's.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Wraps a number of the framework's.
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Wraps a literal.
    public init(integerLiteral value: UInt64) {
        self.rawValue = value
    }

    /// Names the instance by an object that lives exactly as long as it does.
    ///
    /// An address is used again after the object is gone, so tell the store when the instance ends
    /// (`store.ended(_:instance:)`); otherwise the next object at that address passes for the same instance.
    public init(_ object: AnyObject) {
        self.rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
    }
}

/// Makes text from an app safe to print.
package enum Printable: Sendable {
    /// Returns the text as people read it: ``exact(_:)``, with mangled names made readable as ``MangledNames`` does.
    package static func text(_ text: String) -> String { exact(MangledNames.readable(text)) }

    /// Returns the text with everything escaped that a terminal would obey instead of show. For what must stay what it is, such as a path.
    ///
    /// Escaped as `\u{HEX}` are control characters (C0, DEL, C1), line and paragraph separators, and the
    /// bidirectional controls with which text can be made to look like other text. Linear in the text's length.
    package static func exact(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var safe = ""
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar) {
                safe += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
