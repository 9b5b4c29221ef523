// SPDX-License-Identifier: MIT
// Lets a bridge to a screen follow what a user asks of a store, beside the app's own handler.

import RerenderModel
import Synchronization

/// Follows the requests to a store for as long as it lives.
package final class ScreenFollowing: Sendable {
    /// Tells stores apart; of no use once the last handle of the store is gone.
    package let store: ObjectIdentifier
    private let end: @Sendable () -> Void

    init(store: ObjectIdentifier, end: @escaping @Sendable () -> Void) {
        self.store = store
        self.end = end
    }

    deinit { end() }
}

extension RerenderStore {
    /// What tells this store apart from others that live; nil in a release build.
    package var identity: ObjectIdentifier? {
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
    package func followScreen(
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
}
