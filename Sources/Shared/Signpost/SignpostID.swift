// SPDX-License-Identifier: MIT
// Which interval of a name an event belongs to, and where unique ids come from.

internal import Synchronization

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

/// The maker of ids, one per process.
enum IDSource {
    private static let counter = Atomic<UInt64>(0)
    private static let seed = UInt64.random(in: .min ... .max)

    /// Objects' ids have the top bit, counted ones do not, so they never meet (nor do they meet `exclusive`, whose
    /// bits 47 to 62 are not all zero).
    private static let objectMark: UInt64 = 1 << 63
    private static let addressBits: UInt64 = (1 << 47) - 1

    /// Unique in this process: 1, 2, 3 …
    static func next() -> SignpostID {
        SignpostID(counter.add(1, ordering: .relaxed).newValue)
    }

    /// Unique on this machine for all practical purposes: ids of all processes are spread over 64 bits, so that among
    /// n of them two meet with a probability of n²/2⁶⁵ (a millionth for six million ids).
    static func nextAcrossProcesses() -> SignpostID {
        while true {
            let id = scattered(counter.add(1, ordering: .relaxed).newValue, seed: seed)
            if id.isRecordable, id != .exclusive { return id }
        }
    }

    /// A bijection for a given seed: different counts give different ids.
    static func scattered(_ count: UInt64, seed: UInt64) -> SignpostID {
        var bits = seed &+ count &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return SignpostID(bits ^ (bits >> 31))
    }

    /// The same for the same object while it lives. The address is masked by a secret of the process, because traces
    /// travel and addresses help attackers.
    static func id(of object: AnyObject) -> SignpostID {
        let address = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
        return SignpostID(((address ^ seed) & addressBits) | objectMark)
    }
}
