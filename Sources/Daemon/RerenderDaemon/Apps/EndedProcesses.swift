// SPDX-License-Identifier: MIT
// Finds processes that have ended, accounts for them by their flight pages, and forgets them in time.

internal import NIOCore
import RerenderModel
import RerenderWire

/// Accounts for processes that ended. Confined to the event loop.
final class EndedProcesses {
    private let context: DaemonContext
    private let connections: AppConnections
    private let hangs: HangCoordinator
    private var maintenance: Scheduled<Void>?
    private var recheckDelay = EndedProcesses.firstRecheck
    private var nextCheckOfConnections = NIODeadline.now()
    /// The state is saved: the next daemon finds what happens.
    private var isStateSaved = false

    /// A process closes its sockets a moment before it is seen to have ended.
    private static let firstRecheck = TimeAmount.milliseconds(20)
    private static let slowestRecheck = TimeAmount.seconds(5)

    init(_ context: DaemonContext, connections: AppConnections, hangs: HangCoordinator) {
        self.context = context
        self.connections = connections
        self.hangs = hangs
    }

    private var registry: Registry { context.registry }
    private var log: PeerLog { context.log }

    // MARK: When

    /// A connection was closed: its process has probably ended. Or a process has become another program by `exec`.
    func mayHaveEnded() {
        guard !isStateSaved else { return }
        recheckDelay = Self.firstRecheck
        maintain()
    }

    /// Begins with the processes of an earlier daemon, which held their pages. One that was switched off sends nothing more. Of one without a
    /// store, a daemon that was killed had saved no more.
    func begin() {
        for process in registry.disconnectedProcesses {
            process.lacksPage = process.stores.isEmpty || process.stores.contains(where: \.state.enabled)
        }
        maintain()
    }

    /// Settles and forgets what is due, and schedules the next time.
    func maintain() {
        maintenance?.cancel()
        maintenance = nil
        settle()
        var next = forget()
        if !registry.disconnectedProcesses.isEmpty {
            let recheck = NIODeadline.now() + recheckDelay
            recheckDelay = min(Self.slowestRecheck, recheckDelay + recheckDelay)
            next = min(next ?? recheck, recheck)
        }
        guard let next else { return }
        maintenance = context.loop.scheduleTask(deadline: next) { self.maintain() }
    }

    func stop() { maintenance?.cancel() }

    /// Settles and forgets a last time before the state is saved, so that a process that has just ended is saved as ended. The watch
    /// ends with it.
    func prepareToSave() {
        settle()
        hangs.stop()
        hangs.settle()
        isStateSaved = true
        _ = forget()
    }

    private func forget() -> NIODeadline? {
        registry.expire(
            keep: TimeAmount(context.configuration.keep), maxEnded: context.configuration.maxEnded, now: .now())
    }

    // MARK: Settling

    /// Settles the processes that have ended since the last time.
    func settle() {
        if NIODeadline.now() >= nextCheckOfConnections { closeConnections() }
        for process in registry.disconnectedProcesses {
            let isAlive = ProcessTable.isAlive(process.identity)
            // The page of a program that became another one by `exec` is as final as that of one that was killed.
            if !isAlive || process.page?.isLeft == true { settle(process, isReplaced: isAlive) }
        }
        releasePages()
    }

    private func settle(_ process: ProcessEntry, isReplaced: Bool) {
        if process.lacksPage {
            registry.drops.flightPages &+= 1
            log.write(
                .flightPage,
                "\(process.name) (\(process.identity.pid)) ended while no daemon held its flight page: "
                    + "what it had not sent is not accounted for")
        }
        let page = page(of: process)
        registry.processEnded(process, page: page, now: .now())
        hangs.ended(process, exited: process.saidGoodbye || isReplaced || page?.isClosed ?? false)
        process.page = nil
        let lost = process.stores.reduce(UInt64(0)) { $0.clampedSum($1.lost) }
        let how = isReplaced ? "became another program" : "ended"
        log.write(
            .processes, "\(process.name) (\(process.identity.pid)) \(how)" + (lost > 0 ? ", \(lost) lost" : ""))
    }

    private func page(of process: ProcessEntry) -> FlightPage? {
        do throws(OpenPage.Fault) {
            return try process.page?.contents(of: process.identity)
        } catch {
            context.cannotUsePage(of: nil, error)
            return nil
        }
    }

    /// Lets go of pages of processes that live and have no connection, where they are many.
    ///
    /// A connection takes a descriptor for its page, and their number is bounded; that of processes without one is not.
    private func releasePages() {
        let holding = registry.disconnectedProcesses.filter { $0.page != nil }
        for process in holding.dropLast(context.limits.disconnectedPages) {
            (process.page, process.lacksPage) = (nil, true)
            // The watchdog has it, too.
            hangs.watch(process)
        }
    }

    /// Closes the connections of processes that have ended, once they are read to their end; returns whether all are closed.
    ///
    /// Such a connection stays open where a child that the process forked holds the other end. Looks at all connections, so
    /// ``settle()`` calls it every few seconds only.
    @discardableResult
    func closeConnections() -> Bool {
        nextCheckOfConnections = .now() + context.limits.deadConnectionInterval
        var areClosed = true
        for handler in connections.ofEndedProcesses {
            guard !handler.hasUnread else {
                areClosed = false
                continue
            }
            handler.close()
            registry.disconnected(handler.connection)
        }
        return areClosed
    }

    /// Whether everything that processes sent before they ended is taken in.
    ///
    /// False while a connection waits to be accepted, and while one whose process has ended is open. Closes those that are read.
    func hasTakenInEndedProcesses() -> Bool {
        let areClosed = closeConnections()
        return areClosed && !connections.hasWaiting
    }
}
