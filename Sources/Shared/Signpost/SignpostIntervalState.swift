// SPDX-License-Identifier: MIT
// Which interval of a name an event belongs to, and what is kept of one that has begun.

internal import Synchronization

/// Returned by `beginInterval`, wanted by `endInterval`; ends at most once, on any thread.
///
/// Costs nothing while no session records: then it is empty in release builds, and ending it does nothing, also if a
/// recording has started meanwhile.
public struct SignpostIntervalState: Sendable {
    /// nil if no session recorded at the begin. Plain bytes and no reference, for both ways to begin: even the release of
    /// a reference that is nil was 2 ns, and an object for each begin was 39 ns.
    @usableFromInline let interval: OpenInterval?

    @usableFromInline
    init(_ interval: OpenInterval?) { self.interval = interval }

    /// The state of an interval that was begun elsewhere, known by its id alone; its end is not checked.
    public static func beginState(id: SignpostID) -> SignpostIntervalState {
        SignpostIntervalState(OpenInterval(id: id))
    }
}

/// An interval that has begun.
@usableFromInline
struct OpenInterval: Sendable {
    let id: SignpostID
    let name: StaticString
    let provider: Provider.Reference
    let scope: Signposter.Scope
    /// Whether it began here; else nothing but its id is known.
    let isOwn: Bool
    private let serial: UInt64

    /// Begun here.
    init(id: SignpostID, name: StaticString, signposter: Signposter) {
        self.id = id
        self.name = name
        provider = signposter.provider.reference
        scope = signposter.scope
        isOwn = true
        serial = EndLedger.open()
    }

    /// Begun elsewhere.
    init(id: SignpostID) {
        self.id = id
        isOwn = false
        name = ""
        provider = Provider.none.reference
        scope = .process
        serial = EndLedger.open()
    }

    /// Marks the end; true the first time.
    func close() -> Bool { EndLedger.close(serial) }
}

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

    /// For names with at most one interval open at a time in the scope.
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
