// SPDX-License-Identifier: MIT
// What a bridge follows and tells of its screen.

import CRerender
import Synchronization

/// Follows the requests to a store for as long as it lives.
@_spi(Bridge)
public final class ScreenFollowing: Sendable {
    /// Tells stores apart; of no use once the last handle of the store is gone.
    public let store: ObjectIdentifier
    private let end: @Sendable () -> Void

    init(store: ObjectIdentifier, end: @escaping @Sendable () -> Void) {
        self.store = store
        self.end = end
    }

    deinit { end() }
}

extension RerenderStore {
    /// What tells this store apart from others that live; nil in a release build.
    @_spi(Bridge)
    public var identity: ObjectIdentifier? {
        #if RERENDER_PROBES
            ObjectIdentifier(core)
        #else
            nil
        #endif
    }

    /// Calls `body` with every request; nil in a release build.
    ///
    /// - Parameter body: Called on any thread, and must not wait. Returns whether it takes the request. It adds to the reply what it
    ///   shows, now or later, and lets go of it then.
    @_spi(Bridge)
    public func followScreen(
        _ body: @escaping @Sendable (ScreenRequest, ScreenReply) -> Bool
    ) -> ScreenFollowing? {
        #if RERENDER_PROBES
            let id = core.screenFollowers.withLock { $0.add(body) }
            return ScreenFollowing(store: ObjectIdentifier(core)) { [weak core] in
                core?.screenFollowers.withLock { $0.remove(id) }
            }
        #else
            nil
        #endif
    }

    /// Says that a bridge reports all input of the process from now on: what is evaluated without it is known then. Any thread.
    @_spi(Bridge)
    public func tellsInput() {
        #if RERENDER_PROBES
            core.input.begin(at: MonotonicClock.now)
            crerender_account_knows_input()
        #endif
    }

    /// Input came to the process, or what it leads to at once has ended. Any thread; some nanoseconds.
    @_spi(Bridge)
    public static func noteInput() {
        #if RERENDER_PROBES
            let now = MonotonicClock.now
            ProcessRuntime.shared.context.input.note(at: now)
            crerender_account_input(now)
        #endif
    }
}
