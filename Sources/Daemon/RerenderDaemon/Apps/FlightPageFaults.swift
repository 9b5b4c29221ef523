// SPDX-License-Identifier: MIT
// Flight pages that cannot be used: each is counted and logged once.

internal import NIOCore
import RerenderModel

/// Reports flight pages that cannot be read. Confined to the event loop.
final class FlightPageFaults {
    private let context: DaemonContext
    /// Pages that were reported; no more of them than names are looked at.
    private var reported: Set<String> = []

    init(_ context: DaemonContext) {
        self.context = context
    }

    private var registry: Registry { context.registry }

    /// Counts and logs a page that cannot be used, once.
    func report(_ page: String, _ fault: FlightPages.Fault) {
        if reported.count > context.limits.flightPages { reported.removeAll() }
        guard reported.insert(page).inserted else { return }
        registry.drops.flightPages &+= 1
        context.log.write(.flightPage, "cannot use the flight page \(page): \(fault)")
    }

    /// The watchdog cannot use the page of a process.
    ///
    /// A short-lived app may have removed its page before the watchdog read it; such an app says goodbye. One that found no room on
    /// the disk offers its memory right after the hello. So a missing page is reported after a moment, and only if the app is
    /// still connected, and its page is not in memory.
    func unwatched(_ identity: ProcessInstance, _ fault: FlightPages.Fault) {
        guard fault == .gone || fault == .noRoom else {
            return report(registry.process(identity)?.flightPage ?? "", fault)
        }
        context.loop.scheduleTask(in: context.limits.goodbyeDelay) {
            guard let process = self.registry.process(identity), process.connection != nil, !process.saidGoodbye,
                process.memory == nil
            else { return }
            self.report(process.flightPage, fault)
        }
    }
}
