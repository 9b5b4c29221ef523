// SPDX-License-Identifier: MIT
// What there is to know about LTTng in this process.

public import CShared

/// The tracer behind all signposters of this process.
public enum SignpostTracing: Sendable {
    /// How a wait for the tracer ended.
    public enum Readiness: Sendable {
        /// Active sessions record every signpost from now on (or there is no session, or no session daemon).
        case ready
        /// LTTng-UST is not installed, or this is a forked child: signposts are off for good.
        case noLibrary
        /// The time was up, or the session daemon did not answer: signposts may come on at any time.
        case timedOut
    }

    /// A snapshot of the tracer's state.
    public struct Status: Sendable {
        /// What became of loading LTTng.
        public enum Library: Sendable, Equatable {
            /// No signposter was made. Rerender's own events alone are no reason to load it before a session daemon comes.
            case notTried
            case loading
            case missing(reason: String)
            case loaded(path: String)
        }

        /// What became of loading LTTng.
        public let library: Library
        /// Whether the session daemons told in time what they record; true if none runs.
        public let sessionDaemonsAnswered: Bool
        /// Providers made in this process.
        public let providers: Int
        /// Providers asked for and refused.
        public let refused: Int
        /// Events not recorded because memory ran out; LTTng counts full buffers itself.
        public let dropped: Int
    }
}

/// Why a signposter records nothing, whatever the session.
public enum SignpostFailure: Error, Sendable, Equatable, CustomStringConvertible {
    case badName
    case reserved
    case otherFields
    case tooMany
    case noMemory

    /// What is wrong and what to do about it.
    public var description: String {
        switch self {
        case .badName:
            """
            LTTng cannot carry this name: give SUBSYSTEM.CATEGORY at most 249 bytes, no empty part between dots, and \
            no space, control character, colon, asterisk, quote or backslash
            """
        case .reserved: "Rerender emits under this name itself: choose another category"
        case .otherFields: "a provider of this name exists with other fields: choose another category"
        case .tooMany: "this process has 1024 categories already: use fewer, and put what varies into the message"
        case .noMemory: "there was no memory for another category"
        }
    }
}

extension SignpostTracing {
    /// Loads LTTng if need be and waits until every signpost emitted from now on is recorded by the active sessions.
    ///
    /// Covers the signposters made before this call. Blocks the calling thread for at most `milliseconds` (none, if
    /// that is zero or less): for command-line tools and tests, not for a user interface.
    @available(*, noasync, message: "blocks the thread")
    public static func waitUntilReady(milliseconds: Int) -> Readiness {
        switch Int(csignpost_wait_until_ready(CInt(clamping: max(0, milliseconds)))) {
        case CSIGNPOST_READY: .ready
        case CSIGNPOST_NO_LIBRARY: .noLibrary
        default: .timedOut
        }
    }

    /// Has LTTng loaded, also where no session daemon is yet. Waits for nothing.
    package static func load() { csignpost_load() }

    /// Has LTTng loaded if it is not, and a session daemon has come. Waits for no more than the file system.
    package static func look() { csignpost_look() }

    /// The state of LTTng in this process, for diagnosis.
    public static var status: Status {
        var status = csignpost_status()
        let path = unsafe withUnsafeBytes(of: &status.path) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let library: Status.Library =
            switch status.library {
            case CSIGNPOST_LOADED: .loaded(path: path)
            case CSIGNPOST_MISSING: .missing(reason: path)
            case CSIGNPOST_LOADING: .loading
            default: .notTried
            }
        return Status(
            library: library, sessionDaemonsAnswered: status.answered != 0, providers: Int(status.providers),
            refused: Int(status.refused), dropped: Int(status.dropped))
    }
}

extension SignpostFailure {
    init(code: Int) {
        self =
            switch code {
            case CSIGNPOST_RESERVED: .reserved
            case CSIGNPOST_OTHER_SHAPE: .otherFields
            case CSIGNPOST_TOO_MANY: .tooMany
            case CSIGNPOST_NO_MEMORY: .noMemory
            default: .badName
            }
    }
}

// LTTng providers, and the texts of events as C takes them: the fence around the C calls that record.

/// One LTTng provider, or none: records the events of one category.
///
/// Making one is idempotent: a process has one provider of each name, for ever. Any thread may record, and none waits.
///
/// Proof for `@safe` and `@unchecked Sendable`: the pointers are immutable and point to a provider that
/// `csignpost_provider_make` never frees, or to the static zero below; what they point to is read with one atomic load
/// (`csignpost_is_on`), and the emit function may be called from any thread.
@usableFromInline
@safe
package struct Provider: @unchecked Sendable {
    @usableFromInline let raw: OpaquePointer?
    @usableFromInline let begin: UnsafePointer<CInt>
    @usableFromInline let end: UnsafePointer<CInt>
    @usableFromInline let event: UnsafePointer<CInt>

    /// Events of a provider, in the order of the C enumeration.
    @usableFromInline
    @frozen
    package enum Kind: CInt {
        case begin, end, event
    }

    /// The fields of a provider's events, in the order of the C enumeration; `event_table.h` lists them.
    package enum Shape: CInt {
        case generic, bodyEval, write, turn, hang, phase, view
        case store, loop, part, stretch, loopRow, fact, threads, work, cycle
    }

    /// Finds or makes the provider of a signposter; on failure, `error` is the C side's reason.
    static func named(_ name: String, error: inout CInt) -> Provider {
        // A NUL would end the name early and make a provider of another name.
        guard !name.utf8.contains(0) else {
            error = CInt(CSIGNPOST_BAD_NAME)
            return .none
        }
        return unsafe Provider(csignpost_provider_make(name, Shape.generic.rawValue, &error))
    }

    /// Finds or makes the provider `com.rerender.…` of events that Rerender itself records.
    package static func reserved(_ shape: Shape) -> Provider {
        guard let name = unsafe csignpost_reserved_name(shape.rawValue) else { return .none }
        return unsafe Provider(csignpost_provider_make(name, shape.rawValue, nil))
    }

    /// Records nothing, ever.
    package static let none: Provider = {
        let off = UnsafeMutablePointer<CInt>.allocate(capacity: 1)
        unsafe off.initialize(to: 0)
        return unsafe Provider(raw: nil, begin: UnsafePointer(off), end: UnsafePointer(off), event: UnsafePointer(off))
    }()

}

extension Provider {
    private init(_ raw: OpaquePointer?) {
        guard let raw = unsafe raw else {
            self = .none
            return
        }
        unsafe self.init(
            raw: raw, begin: csignpost_state(raw, Kind.begin.rawValue), end: csignpost_state(raw, Kind.end.rawValue),
            event: csignpost_state(raw, Kind.event.rawValue))
    }

    /// A provider in one word, for what is passed about a lot.
    @safe
    struct Reference: @unchecked Sendable, BitwiseCopyable {
        fileprivate let raw: OpaquePointer?

        var provider: Provider { unsafe Provider(raw) }
    }

    var reference: Reference { unsafe Reference(raw: raw) }

    package var exists: Bool { unsafe raw != nil }

    /// Whether two stand for the same provider.
    func isSame(as other: Reference) -> Bool { unsafe raw == other.raw }

    /// Whether a session records begins: one load.
    @inlinable
    package var beginIsOn: Bool {
        @inline(__always) get { unsafe csignpost_is_on(begin) != 0 }
    }

    /// Whether a session records ends: one load.
    @inlinable
    package var endIsOn: Bool {
        @inline(__always) get { unsafe csignpost_is_on(end) != 0 }
    }

    /// Whether a session records moments: one load.
    @inlinable
    package var eventIsOn: Bool {
        @inline(__always) get { unsafe csignpost_is_on(event) != 0 }
    }

    /// Records an event of a signposter. Does nothing while no session records.
    @inline(__always)
    func emit(_ kind: Kind, _ event: csignpost_generic) {
        guard let raw = unsafe raw else { return }
        unsafe event.emit(raw, kind.rawValue)
    }
}

/// Makes texts for events, which they are lent to.
///
/// Proof of the unsafe parts: the bytes of a text are there for ever (a static string's), or as long as the closure of `lend`
/// runs, which must not let the value out. The C side copies them.
@usableFromInline
package enum FieldText: Sendable {
    @inlinable
    package static func constant(_ text: StaticString) -> csignpost_text {
        guard text.hasPointerRepresentation else { return csignpost_text() }
        return csignpost_text(address: unsafe UInt(bitPattern: text.utf8Start), length: text.utf8CodeUnitCount)
    }

    /// Lends the bytes of a text while `body` runs.
    @inlinable
    @inline(__always)
    package static func lend(_ text: String, to body: (csignpost_text) -> Void) {
        unsafe withUnsafeTemporaryAllocation(byteCount: shortBytes, alignment: 1) { room in
            unsafe body(lent(text, room))
        }
        withExtendedLifetime(text) {}
    }

    /// Lends the bytes of up to five texts while `body` runs.
    ///
    /// The body is there once. With a closure around each text, the compiler made it anew for each way in which a string keeps its bytes:
    /// a fifth of the time in which it optimised `Rerender`.
    @inlinable
    @inline(__always)
    package static func lend(
        _ first: String, _ second: String, _ third: String = "", _ fourth: String = "", _ fifth: String = "",
        to body: (csignpost_text, csignpost_text, csignpost_text, csignpost_text, csignpost_text) -> Void
    ) {
        unsafe withUnsafeTemporaryAllocation(byteCount: 5 * shortBytes, alignment: 1) { room in
            func part(_ number: Int) -> UnsafeMutableRawBufferPointer {
                unsafe UnsafeMutableRawBufferPointer(rebasing: room[number * shortBytes..<(number + 1) * shortBytes])
            }
            unsafe body(
                lent(first, part(0)), lent(second, part(1)), lent(third, part(2)), lent(fourth, part(3)),
                lent(fifth, part(4)))
        }
        withExtendedLifetime((first, second, third, fourth, fifth)) {}
    }

    /// No text that Swift keeps in the string itself has more bytes.
    @usableFromInline static var shortBytes: Int { 15 }

    /// The bytes of a text that lives as long as they are lent.
    ///
    /// Proof: the bytes of a longer text are those of an object that it holds, or of the program, and stay where they are. Those of a
    /// short one may be in the string itself, which has no place of its own; they are copied to `room`, which has space for them.
    @usableFromInline
    @inline(never)
    static func lent(_ text: String, _ room: UnsafeMutableRawBufferPointer) -> csignpost_text {
        let lent = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.count <= shortBytes else {
                return csignpost_text(address: UInt(bitPattern: bytes.baseAddress), length: bytes.count)
            }
            unsafe room.copyMemory(from: UnsafeRawBufferPointer(bytes))
            return csignpost_text(address: UInt(bitPattern: room.baseAddress), length: bytes.count)
        }
        // Strings are contiguous on Linux; one that is not would be recorded as the empty text.
        return lent ?? csignpost_text()
    }
}
