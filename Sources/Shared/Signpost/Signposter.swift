// SPDX-License-Identifier: MIT
// The shape of Apple's OSSignposter, on LTTng-UST, and intervals around a piece of work.

import CShared
import Synchronization

/// Records intervals and events of one category as LTTng tracepoints `SUBSYSTEM.CATEGORY:begin`, `:end` and `:event`.
///
/// Make one per category and keep it, for instance in a global constant: the first one of a process has LTTng loaded,
/// on a thread of its own, and until then nothing is recorded. Signposters of the same name share their tracepoints.
/// Where LTTng is not installed, in a forked child, and under a name that cannot be used, nothing is ever recorded.
/// Every call may be made on any thread; none blocks. While no session records, a begin and end cost under a nanosecond in
/// release builds and no message is evaluated.
public struct Signposter: Sendable {
    /// Where the begin and the end of an interval look for each other.
    public enum Scope: UInt8, Sendable, CaseIterable {
        case thread
        case process
        case system

        /// As it is recorded.
        var text: StaticString {
            switch self {
            case .thread: "thread"
            case .process: "process"
            case .system: "system"
            }
        }
    }

    @usableFromInline let provider: Provider

    /// Where intervals match; recorded with every event, for viewers.
    public let scope: Scope

    /// Why nothing is ever recorded, nil if it can be. A missing LTTng is no failure of a signposter:
    /// see ``SignpostTracing/status``.
    public let failure: SignpostFailure?
}

extension Signposter {
    /// Finds or makes the tracepoints of this name. Never blocks and never fails; see ``failure``.
    public init(subsystem: String, category: String, scope: Scope = .process) {
        var error: Int32 = 0
        provider = Provider.named("\(subsystem).\(category)", error: &error)
        failure = provider.exists ? nil : SignpostFailure(code: Int(error))
        self.scope = scope
    }

    /// Records nothing; its ids are ``SignpostID/null``.
    public static let disabled = Signposter(provider: .none, scope: .process, failure: nil)

    /// Whether anyone records events of this signposter: to skip preparing what only messages need.
    @inlinable
    public var isEnabled: Bool { provider.beginIsOn || provider.endIsOn || provider.eventIsOn }

    /// A new id, unique in the signposter's scope. ``SignpostID/null`` if the signposter can never record.
    public func makeSignpostID() -> SignpostID {
        guard provider.exists else { return .null }
        return scope == .system ? IDSource.nextAcrossProcesses() : IDSource.next()
    }

    /// The id of an object, the same for as long as it lives. ``SignpostID/invalid`` in the system scope, where an
    /// object means nothing, and ``SignpostID/null`` if the signposter can never record.
    public func makeSignpostID(from object: AnyObject) -> SignpostID {
        guard provider.exists else { return .null }
        return scope == .system ? .invalid : IDSource.id(of: object)
    }

    /// Records an interval around `task`, with a message at its begin; it ends when `task` returns or throws.
    @inlinable
    public func withIntervalSignpost<T: ~Copyable, Failure: Error>(
        _ name: StaticString, id: SignpostID = .exclusive, _ message: @autoclosure () -> String = "",
        around task: () throws(Failure) -> T
    ) throws(Failure) -> T {
        let state = beginInterval(name, id: id, message())
        defer { endInterval(name, state) }
        return try task()
    }

    /// Records an interval around an asynchronous `task`, with a message at its begin; it ends when `task` returns or
    /// throws, also for cancellation.
    ///
    /// Runs on the caller's actor. Many tasks may be inside at once, so the interval gets an id of its own unless one
    /// is given; and a task changes threads, so a thread-scoped signposter records it in the scope of the process.
    @inlinable
    @_disfavoredOverload
    public func withIntervalSignpost<T, Failure: Error>(
        _ name: StaticString, id: SignpostID? = nil, _ message: @autoclosure () -> String = "",
        isolation: isolated (any Actor)? = #isolation, around task: () async throws(Failure) -> T
    ) async throws(Failure) -> T {
        let signposter = acrossThreads
        let state = signposter.beginInterval(name, id: id ?? signposter.newIDIfTracked(), message())
        defer { signposter.endInterval(name, state) }
        return try await task()
    }
}

extension Signposter {
    /// The same signposter for intervals that may end on another thread.
    @usableFromInline
    var acrossThreads: Signposter {
        @inlinable get { scope == .thread ? withScope(.process) : self }
    }

    /// An id for an interval that begins now; saves counting where nothing is tracked.
    @inlinable
    func newIDIfTracked() -> SignpostID { tracksIntervals ? makeSignpostID() : .null }

    @usableFromInline
    func withScope(_ scope: Scope) -> Signposter { Signposter(provider: provider, scope: scope, failure: failure) }
}

// Which interval of a name an event belongs to, and what is kept of one that has begun.

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

// Ends of intervals: what can be wrong with one, and which intervals have ended.

/// The mistakes an end can make, most telling first.
enum EndCheck: Equatable {
    case fine
    case endedTwice
    case otherSignposter
    case otherName(began: String, ended: String)

    /// The text for the developer, nil if all is well.
    var complaint: String? {
        switch self {
        case .fine: nil
        case .endedTwice: "signpost interval ended twice"
        case .otherSignposter: "signpost interval ended by another signposter than the one that began it"
        case .otherName(let began, let ended): "signpost interval \"\(began)\" ended as \"\(ended)\""
        }
    }

    /// The message of the closing event: the complaint before what the caller said.
    func message(_ message: String) -> String {
        guard let complaint else { return message }
        return message.isEmpty ? "error: \(complaint)" : "error: \(complaint); \(message)"
    }
}

/// Numbers intervals and remembers the ends of the latest ``CSIGNPOST_LEDGER_SIZE``.
///
/// Of one that began before those it is not known whether it has ended, and then it is believed to end for the first
/// time: a complaint is always right, and one may be missing.
enum EndLedger {
    /// The number of an interval that begins.
    static func open() -> UInt64 { csignpost_ledger_open() }

    /// False if it is known to have ended before.
    static func close(_ serial: UInt64) -> Bool { csignpost_ledger_close(serial) != 0 }
}
