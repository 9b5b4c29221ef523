// SPDX-License-Identifier: MIT
// What tests read of a store: whether it can count, and everything that it has counted so far.

import CRerender
import RerenderModel

/// Why a store counts nothing.
package enum StoreSilence: Hashable, Sendable {
    /// The probes are not in this build.
    case compiledOut
    /// `RERENDER=0` is in the environment.
    case environment
    /// The user switched Rerender off (`rerenderctl off`).
    case switchedOff
    /// The store was switched off.
    case disabled
    /// This process is the child of a fork.
    case forked
}

/// What a store has counted since its epoch began.
package struct StoreSnapshot: Sendable {
    package let epoch: UInt32
    package let stats: ProcessStats
}

extension RerenderStore {
    /// Why it counts nothing; nil if it does.
    package var silence: StoreSilence? {
        #if RERENDER_PROBES
            if crerender_is_switched_off() { return .switchedOff }
            if !ProcessRuntime.shared.context.isEnabled { return .environment }
            if crerender_is_forked() { return .forked }
            return core.isEnabled ? nil : .disabled
        #else
            return .compiledOut
        #endif
    }

    /// What it has counted; nil where the probes are not in this build. Names writers, which takes milliseconds the first
    /// time.
    package var snapshot: StoreSnapshot? {
        #if RERENDER_PROBES
            StoreSnapshot(epoch: core.epoch, stats: core.export())
        #else
            nil
        #endif
    }
}
