// SPDX-License-Identifier: MIT
// Which interval of a name an event belongs to.

/// Tells apart intervals of one name that are open at the same time.
///
/// Begin and end meet by signposter, name and id, inside the signposter's ``Signposter/Scope``.
/// Events with ``null`` or ``invalid`` are not recorded.
public struct SignpostID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    /// The number that is recorded.
    public let rawValue: UInt64

    /// An id of the caller's own.
    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// An id of the caller's own, such as a request number.
    @inlinable
    public init(_ value: UInt64) { rawValue = value }

    /// For names of which at most one interval is open at a time in the scope.
    @inlinable
    public static var exclusive: SignpostID { SignpostID(0xEEEE_B0B5_B2B2_EEEE) }

    /// The id of a disabled signposter.
    @inlinable
    public static var null: SignpostID { SignpostID(0) }

    /// The id of an object where objects cannot identify, which is across processes.
    @inlinable
    public static var invalid: SignpostID { SignpostID(~0) }

    /// By number.
    @inlinable
    public static func < (left: SignpostID, right: SignpostID) -> Bool { left.rawValue < right.rawValue }

    @usableFromInline
    var isRecordable: Bool {
        @inlinable get { self != .null && self != .invalid }
    }
}
