// SPDX-License-Identifier: MIT
// Reads stores: those of this process, to show them in it, and everything that one has counted, for tests.

import CRerender
import Synchronization

#if RERENDER_PROBES
    package import RerenderModel
#else
    import RerenderModel
#endif

#if RERENDER_PROBES
    /// A store as its process shows it. Any thread. It keeps nothing alive that counts: what has ended stays as it was.
    package struct LiveStore: Sendable {
        private let core: StoreCore

        /// All that live now, oldest first.
        package static var all: [LiveStore] {
            crerender_is_silent() ? [] : ProcessRuntime.shared.liveStores.map { LiveStore(core: $0) }
        }

        /// Whether the user switched Rerender off while the process runs. Any thread.
        package static var isSwitchedOff: Bool { crerender_is_switched_off() }

        /// Gives this moment of the process a name, as ``RerenderStore/mark(_:)`` does; false where no daemon is connected. Any thread.
        package static func mark(_ name: String) -> Bool { ProcessRuntime.shared.mark(name) }

        /// Calls `body` on any thread when something was counted, at most once for each view until the daemon was told. It is called, too, when
        /// the user switches Rerender off. In the place of what was given before; nil for nothing.
        package static func followChanges(_ body: (@Sendable () -> Void)?) {
            ProcessRuntime.shared.changes.follow(body)
        }

        /// The place of a store among those that ``all`` gave; nil where it is not there.
        package static func place(of store: RerenderStore, in stores: [LiveStore]) -> Int? {
            stores.firstIndex { $0.core === store.core }
        }

        /// The process's main loop, without the names of functions that were not named before; nil where it is not known.
        package static var loop: LoopStats? { LoopLedger.shared.loop(WallClock(), named: false) }

        package var name: String { core.name }

        /// Whether its views are widgets of GTK.
        package var areWidgets: Bool { core.kind == .widgets }

        /// What can be read of it at the price of a lock for each view.
        package var brief: StoreBrief { core.brief() }

        /// All that is known of a view. Takes milliseconds for a writer that was not named before.
        package func stats(of key: ViewKey) -> Stats? {
            guard let view = unsafe core.knownView(key.rawValue) else { return nil }
            return unsafe view._withUnsafeGuaranteedRef { core.stats(of: $0, wallClock: WallClock()) }
        }

        /// Calls the handlers of pulses with a key, and the bridges.
        package func pulse(_ key: ViewKey, _ reply: ScreenReply) { core.tell(.pulse(key), reply) }

        /// Asks the bridges to flash what draws again, or to end that.
        package func highlight(_ isOn: Bool) { core.tell(.highlight(isOn: isOn), ScreenReply { _ in }) }

        /// Prints the first lines that `explain` has of a view to stderr, where that is on and stderr takes it at once.
        package func printStatistics(of key: ViewKey) {
            if core.isConsoleLoggingEnabled.load(ordering: .relaxed) { PulseText.print(key, of: core, waits: false) }
        }
    }
#endif

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
