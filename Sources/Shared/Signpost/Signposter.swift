// SPDX-License-Identifier: MIT
// The shape of Apple's OSSignposter, on LTTng-UST, and intervals around a piece of work.

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
