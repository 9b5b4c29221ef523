// SPDX-License-Identifier: MIT
// What a bridge follows and tells of its screen, and what the HUD says on a screen of characters.

import CRerender
import RerenderModel
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

/// What the HUD says as characters.
@_spi(Bridge)
public enum HUDLines: Sendable {
    private static let mostRows = 8

    /// A line for the store, one for what costs most in it, and one for each of its first views in the order of tables. Without a store, of the
    /// oldest one. Empty in a release build.
    public static func text(of store: RerenderStore?) -> String {
        #if RERENDER_PROBES
            let stores = LiveStore.all
            let place = store.map { LiveStore.place(of: $0, in: stores) } ?? 0
            guard let place, stores.indices.contains(place) else { return "Rerender: no store" }
            let brief = stores[place].brief
            let found = verdict(of: brief)
            let briefs = brief.ranked(found, LiveStore.loop)
            let rows = briefs.prefix(mostRows)
            let width = rows.map(\.key.rawValue.count).max() ?? 0
            let rest = briefs.count > mostRows ? ["and \(briefs.count - mostRows) more views"] : []
            return
                (["Rerender: \(stores[place].name)"] + summary(of: found) + rows.map { row($0, width: width) }
                + rest)
                .joined(separator: "\n")
        #else
            return ""
        #endif
    }

    #if RERENDER_PROBES
        private static func verdict(of store: StoreBrief) -> Verdict? {
            var builder = VerdictBuilder(now: .now)
            store.judge(in: &builder, loop: LiveStore.loop)
            return builder.verdict
        }

        /// What costs most, in few words, with a mark before a fault, and before what is busy.
        private static func summary(of verdict: Verdict?) -> [String] {
            (verdict?.first).map { [$0.kind.mark + $0.short] } ?? []
        }

        private static func row(_ brief: ViewBrief, width: Int) -> String {
            let key = brief.key.rawValue
            // No spaces in between: what lies below would be seen through them.
            let dots = String(repeating: ".", count: width - key.count + 2)
            let wasted = brief.costs.wasted
            return "\(key)\(dots)\(brief.count)" + (wasted > 0 ? ", \(wasted) wasted" : "")
        }
    #endif
}
