// SPDX-License-Identifier: MIT
// Lets a bridge follow the pulses of a store, beside the app's own handler.

package import RerenderModel
import Synchronization

/// Follows the pulses of a store for as long as it lives.
package final class PulseFollowing: Sendable {
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

    /// Calls `body` with the key of every pulse, as ``onPulse``, which stays the app's own; nil in a release build.
    package func followPulses(_ body: @escaping @Sendable (ViewKey) -> Void) -> PulseFollowing? {
        #if RERENDER_PROBES
            let id = core.pulseFollowers.withLock { $0.add(body) }
            return PulseFollowing(store: ObjectIdentifier(core)) { [weak core] in
                core?.pulseFollowers.withLock { $0.remove(id) }
            }
        #else
            nil
        #endif
    }
}
