// SPDX-License-Identifier: MIT
// Tells the person at the desktop of hangs.

internal import Dispatch
package import Logging
package import RerenderModel
internal import Synchronization

/// Shows a desktop notification for hangs that ended, at most one in each period; off until it is switched on.
///
/// Every call returns at once, on any thread: the bus is talked to on a queue of its own.
package final class HangNotifier: Sendable {
    /// Shows one; throws a fault that says why not.
    typealias Show = @Sendable (NotificationText) throws(SystemRefusal) -> Void

    private struct State {
        var isEnabled = false
        var limit = HangNotifier.limit
        /// Whether one is under way: the next ones are kept back, however slow the desktop is.
        var isBusy = false
        /// The fault that was logged last; the same one is not logged again.
        var fault: String?
    }

    /// One in ten seconds can be read without being kept from work; desktops show a notification for about five.
    static let limit = RateLimit(count: 1, period: 10_000_000_000)

    private let state = Mutex(State())
    let queue = DispatchQueue(label: "rerender.notifications")
    private let log: Logger
    private let now: @Sendable () -> UInt64
    private let show: Show

    package convenience init(log: Logger) {
        self.init(log: log, show: HangNotifier.onSessionBus)
    }

    init(
        log: Logger, now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds },
        show: @escaping Show
    ) {
        self.log = log
        self.now = now
        self.show = show
    }

    /// Whether notifications are shown.
    package var isEnabled: Bool {
        get { state.withLock { $0.isEnabled } }
        set {
            state.withLock { state in
                if newValue, !state.isEnabled {
                    state.limit = Self.limit
                    state.fault = nil
                }
                state.isEnabled = newValue
            }
        }
    }

    /// Shows a notification of a hang that has ended and counts, unless one was shown a moment ago.
    package func hangEnded(_ hang: Hang) {
        guard hang.counts, !hang.open else { return }
        let now = now()
        let suppressed = state.withLock { state -> UInt64? in
            guard state.isEnabled else { return nil }
            guard !state.isBusy else {
                state.limit.suppress()
                return nil
            }
            let admitted = state.limit.admit(now: now)
            state.isBusy = admitted != nil
            return admitted
        }
        guard let suppressed else { return }
        let text = NotificationText(hang, suppressed: suppressed)
        queue.async { self.showNow(text) }
    }

    private func showNow(_ text: NotificationText) {
        var fault: String?
        do throws(SystemRefusal) {
            try show(text)
        } catch {
            fault = error.text
        }
        let isNew = state.withLock { state in
            defer { (state.isBusy, state.fault) = (false, fault) }
            return fault != nil && fault != state.fault
        }
        guard isNew, let fault else { return }
        log.warning("cannot show a notification of a hang: \(fault)")
    }

    /// How long the desktop may take: its service may have to be started first.
    private static let busMilliseconds: UInt64 = 5_000

    /// Connects for each one: they are rare, and a connection kept open would keep desktops from ending.
    static let onSessionBus: Show = { text throws(SystemRefusal) in
        let bus = try MessageBus(.session, milliseconds: busMilliseconds)
        try bus.notify(app: "Rerender", summary: text.summary, body: text.body)
    }
}
