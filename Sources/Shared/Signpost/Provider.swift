// SPDX-License-Identifier: MIT
// The fence: every pointer and every C call of this module is in this file.

public import CSignpost

/// One LTTng provider, or none.
///
/// Proof for `@safe` and `@unchecked Sendable`: the pointers are immutable and point to a provider that
/// `csignpost_provider_make` never frees, or to the static zero below; what they point to is read with one atomic load
/// (`csignpost_is_on`), and the emit function may be called from any thread.
@usableFromInline
@safe
struct Provider: @unchecked Sendable {
    private let raw: OpaquePointer?
    @usableFromInline let begin: UnsafePointer<CInt>
    @usableFromInline let end: UnsafePointer<CInt>
    @usableFromInline let event: UnsafePointer<CInt>

    /// Events of a provider, in the order of the C enumeration.
    enum Kind: CInt {
        case begin, end, event
    }

    /// Finds or makes the provider; without one, says why.
    static func named(_ name: String) -> (Provider, SignpostFailure?) {
        // A NUL would end the name early and make a provider that nobody asked for.
        guard !name.utf8.contains(0) else { return (.none, .badName) }
        var error: CInt = 0
        guard let raw = unsafe csignpost_provider_make(name, CInt(CSIGNPOST_GENERIC), &error) else {
            return (.none, SignpostFailure(code: Int(error)))
        }
        return (unsafe Provider(raw), nil)
    }

    /// Records nothing, ever.
    static let none: Provider = {
        let off = UnsafeMutablePointer<CInt>.allocate(capacity: 1)
        unsafe off.initialize(to: 0)
        return unsafe Provider(raw: nil, begin: UnsafePointer(off), end: UnsafePointer(off), event: UnsafePointer(off))
    }()

    private init(_ raw: OpaquePointer?) {
        guard let raw = unsafe raw else {
            self = .none
            return
        }
        unsafe self.init(
            raw: raw, begin: csignpost_state(raw, Kind.begin.rawValue), end: csignpost_state(raw, Kind.end.rawValue),
            event: csignpost_state(raw, Kind.event.rawValue))
    }

    private init(
        raw: OpaquePointer?, begin: UnsafePointer<CInt>, end: UnsafePointer<CInt>, event: UnsafePointer<CInt>
    ) {
        unsafe self.raw = unsafe raw
        unsafe self.begin = unsafe begin
        unsafe self.end = unsafe end
        unsafe self.event = unsafe event
    }

    /// A provider in one word, for what is passed about a lot.
    @safe
    struct Reference: @unchecked Sendable, BitwiseCopyable {
        fileprivate let raw: OpaquePointer?

        var provider: Provider { unsafe Provider(raw) }
    }

    var reference: Reference { unsafe Reference(raw: raw) }

    var exists: Bool { unsafe raw != nil }

    /// SUBSYSTEM.CATEGORY; empty without a provider.
    var name: String {
        guard let raw = unsafe raw else { return "" }
        return unsafe String(cString: csignpost_name(raw))
    }

    /// Whether two stand for the same provider.
    func isSame(as other: Reference) -> Bool { unsafe raw == other.raw }

    @usableFromInline
    var beginIsOn: Bool {
        @inlinable @inline(__always) get { unsafe csignpost_is_on(begin) != 0 }
    }

    @usableFromInline
    var endIsOn: Bool {
        @inlinable @inline(__always) get { unsafe csignpost_is_on(end) != 0 }
    }

    @usableFromInline
    var eventIsOn: Bool {
        @inlinable @inline(__always) get { unsafe csignpost_is_on(event) != 0 }
    }

    func emit(_ kind: Kind, _ name: StaticString, _ id: SignpostID, _ message: String, _ scope: Signposter.Scope) {
        name.withUTF8Buffer { unsafe emit(kind, $0, id, message, scope) }
    }

    /// For names that came from another process.
    func emit(_ kind: Kind, _ name: String, _ id: SignpostID, _ message: String, _ scope: Signposter.Scope) {
        var name = name
        name.withUTF8 { unsafe emit(kind, $0, id, message, scope) }
    }

    private func emit(
        _ kind: Kind, _ name: UnsafeBufferPointer<UInt8>, _ id: SignpostID, _ message: String, _ scope: Signposter.Scope
    ) {
        guard let raw = unsafe raw else { return }
        var message = message
        message.withUTF8 {
            unsafe csignpost_emit(
                raw, kind.rawValue, id.rawValue, name.baseAddress, name.count, $0.baseAddress, $0.count, scope.code)
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

extension StaticString {
    /// Whether both are the same constant in memory: a quick yes; a no means nothing.
    func isSameLiteral(as other: StaticString) -> Bool {
        guard hasPointerRepresentation, other.hasPointerRepresentation else { return false }
        return unsafe utf8Start == other.utf8Start && utf8CodeUnitCount == other.utf8CodeUnitCount
    }
}
