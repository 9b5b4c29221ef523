// SPDX-License-Identifier: MIT
// An interval around a piece of work, which ends however the work ends.

extension Signposter {
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
