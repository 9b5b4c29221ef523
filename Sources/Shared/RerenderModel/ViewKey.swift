// SPDX-License-Identifier: MIT
// How a view and its instances are named.

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
