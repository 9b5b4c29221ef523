// SPDX-License-Identifier: MIT
// Keeps the service manager informed: that the event loop runs, and what it serves.

internal import NIOCore

/// Pings the service manager's watchdog and sends status lines. Confined to the event loop.
final class ServiceStatus {
    private let notifier: ServiceNotifier
    private let loop: NIOIsolatedEventLoop
    private let describe: () -> String
    private var ping: Scheduled<Void>?
    private var isDue = false

    /// - Parameter describe: the status in a few words, asked for when it is sent.
    init(_ notifier: ServiceNotifier, loop: NIOIsolatedEventLoop, describe: @escaping () -> String) {
        self.notifier = notifier
        self.loop = loop
        self.describe = describe
    }

    /// Begins to ping the watchdog, from the loop that does the work: a loop that is stuck does not ping.
    func startPings() {
        guard let interval = notifier.watchdog else { return }
        notifier.send("WATCHDOG=1")
        ping = loop.scheduleTask(in: .nanoseconds(max(1, interval.nanoseconds / 2))) { self.startPings() }
    }

    /// Sends the status, at most once a second.
    func changed() {
        guard notifier.socket != nil, !isDue else { return }
        isDue = true
        loop.scheduleTask(in: .seconds(1)) { self.send() }
    }

    private func send() {
        isDue = false
        notifier.send("STATUS=" + describe())
    }

    /// Tells the service manager that the daemon stops, and ends the pings.
    func stop() {
        notifier.send("STOPPING=1")
        ping?.cancel()
    }
}
