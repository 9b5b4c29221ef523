// SPDX-License-Identifier: MIT
// Finds processes that have ended, accounts for them by their flight pages, and forgets them in time.

internal import NIOCore
import RerenderWire

/// Accounts for processes that ended. Confined to the event loop.
final class EndedProcesses {
    private let context: DaemonContext
    private let connections: AppConnections
    private let hangs: HangCoordinator
    private let pages: FlightPages
    private let faults: FlightPageFaults
    /// Whether what is known of processes that have ended is in a file, or is not to be.
    private let isStateKept: () -> Bool
    private var maintenance: Scheduled<Void>?
    private var recheckDelay = EndedProcesses.firstRecheck
    private var nextCheckOfConnections = NIODeadline.now()
    /// A page was left for later, since what its program sent may still wait to be read, or since there are very many.
    private var waitsForIntake = false
    /// A page is of a process that lives and is not known: it may be about to end, and then no connection tells.
    private var hasLivingUnknown = false
    /// Pages are left that are accounted for, since the state cannot be written: the next daemon may need them.
    private var hasLeftPages = false
    /// The state is saved: pages stay from now on, and the next daemon finds what happens.
    private var isStateSaved = false

    /// A process closes its sockets a moment before it is seen to have ended.
    private static let firstRecheck = TimeAmount.milliseconds(20)
    private static let slowestRecheck = TimeAmount.seconds(5)
    /// What a look at the pages of unknown processes may take, before the next one has to wait for ten times as long: a thousand that
    /// come back take 50 ms, and each question would have all of them looked at.
    private static let freeLookNanoseconds: UInt64 = 2_000_000
    private var nextLook = NIODeadline.uptimeNanoseconds(0)

    init(
        _ context: DaemonContext, connections: AppConnections, hangs: HangCoordinator, pages: FlightPages,
        faults: FlightPageFaults, isStateKept: @escaping () -> Bool
    ) {
        self.context = context
        self.connections = connections
        self.hangs = hangs
        self.pages = pages
        self.faults = faults
        self.isStateKept = isStateKept
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

    /// Accounts for what happened while no daemon was there.
    func begin() {
        pages.removeUnfinished(limit: context.limits.flightPages)
        maintain()
    }

    /// Settles and forgets what is due, and schedules the next time.
    func maintain() {
        maintenance?.cancel()
        maintenance = nil
        settle()
        var next = forget()
        if waitsForIntake || hasLivingUnknown || hasLeftPages || !registry.disconnectedProcesses.isEmpty {
            let recheck = NIODeadline.now() + recheckDelay
            recheckDelay = min(Self.slowestRecheck, recheckDelay + recheckDelay)
            next = min(next ?? recheck, recheck)
        }
        guard let next else { return }
        maintenance = context.loop.scheduleTask(deadline: next) { self.maintain() }
    }

    /// Stops the maintenance.
    func stop() { maintenance?.cancel() }

    /// Settles and forgets a last time before the state is saved, so that a process that has just ended is saved as ended.
    func prepareToSave() {
        nextLook = .now()
        settle()
        hangs.settle()
        isStateSaved = true
        _ = forget()
    }

    /// Writes down the pages that are in memory that only this daemon and their apps have: an app may be killed before it has moved
    /// its page to a file.
    func keepPages() {
        for process in registry.processes where process.endedAt == nil { keepPage(of: process) }
    }

    private func keepPage(of process: ProcessEntry) {
        guard process.ownsPage, pages.keep(process.page, isFinal: process.isReplaced) else { return }
        process.memory = nil
    }

    /// Lets go of memory of processes that have no connection, once their pages are in files, or where it is that of many.
    ///
    /// A connection takes a descriptor for its memory, and their number is bounded; that of processes without one is not.
    private func releaseMemory() {
        let holding = registry.disconnectedProcesses.filter { $0.memory != nil }
        for (index, process) in holding.enumerated() {
            let isSurplus = index < holding.count - context.limits.disconnectedMemories
            guard isSurplus || process.memory?.isMoved ?? false else { continue }
            keepPage(of: process)
            process.memory = nil
            // The watchdog has it, too.
            if !process.isReplaced { hangs.watch(process) }
        }
    }

    private func forget() -> NIODeadline? {
        registry.expire(
            keep: TimeAmount(context.configuration.keep), maxEnded: context.configuration.maxEnded, now: .now())
    }

    // MARK: Settling

    /// Settles the processes that have ended since the last time.
    func settle() {
        if NIODeadline.now() >= nextCheckOfConnections { closeConnections() }
        (waitsForIntake, hasLeftPages) = (false, false)
        for process in registry.disconnectedProcesses {
            if !ProcessTable.isAlive(process.identity) {
                settle(process, flightPage(of: process), process.page)
            } else if let page = replacedPage(of: process) {
                if connections.isDrained {
                    settle(process, page, process.page)
                } else {
                    waitsForIntake = true
                    noteReplacement(of: process)
                }
            } else if runsAnotherProgram(process) {
                noteReplacement(of: process)
            }
        }
        releaseMemory()
        lookForUnknown()
    }

    /// Accounts for processes of which nothing is known but their pages, at a tenth of the time at most.
    private func lookForUnknown() {
        guard NIODeadline.now() >= nextLook else {
            waitsForIntake = true
            return
        }
        let begin = Clocks.ownProcessor
        accountForUnknown()
        let taken = Clocks.ownProcessor - begin
        if taken > Self.freeLookNanoseconds { nextLook = .now() + .nanoseconds(Int64(taken) * 9) }
    }

    private func settle(_ process: ProcessEntry, _ page: FlightPage?, _ place: PagePlace) {
        // What was in memory that nobody has any more is in no count.
        if page?.isMoved ?? false, !process.saidGoodbye { faults.report(place.name, .lost) }
        registry.processEnded(process, page: page, now: .now())
        hangs.ended(process, page: place, exited: process.saidGoodbye || page?.hasExited ?? false)
        process.memory = nil
        if place.name == process.ownPage || isOfAnotherNamespace(place.name, page) { removePage(place.name) }
        let lost = process.stores.reduce(UInt64(0)) { $0.saturatingSum($1.lost) }
        log.write(.processes, "\(process.name) (\(process.identity.pid)) ended" + (lost > 0 ? ", \(lost) lost" : ""))
    }

    /// Whether a page that is a process's has a number of another pid namespace: nobody here is who the name says.
    private func isOfAnotherNamespace(_ name: String, _ page: FlightPage?) -> Bool {
        guard let page, let parts = FlightPageName(name) else { return false }
        return !ProcessTable.isAlive(ProcessInstance(pid: parts.pid, startTicks: page.startTicks, copy: parts.copy))
    }

    /// Whether a process has become another program by `exec`, which closed its connection. One whose program may not be read is
    /// taken for the same program.
    private func runsAnotherProgram(_ process: ProcessEntry) -> Bool {
        guard let program = process.program, let now = ProcessTable.program(of: process.identity.pid) else {
            return false
        }
        return now != program
    }

    /// Notes that a process has become another program.
    ///
    /// Its flight page never changes again. It is accounted for once the new program has a page of its own and marks this one, or
    /// when the process ends.
    private func noteReplacement(of process: ProcessEntry) {
        guard !process.isReplaced else { return }
        hangs.ended(process, page: process.page, exited: true)
        registry.processReplaced(process)
        // The program is no more that would move it to a file.
        keepPage(of: process)
        log.write(.processes, "\(process.name) (\(process.identity.pid)) became another program")
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

    // MARK: Flight pages

    private func flightPage(of process: ProcessEntry) -> FlightPage? {
        guard !process.flightPage.isEmpty else { return nil }
        do throws(FlightPages.Fault) {
            let page = try pages.read(process.page)
            guard page.startTicks == process.identity.startTicks else { throw .anotherProcess }
            return page
        } catch {
            if !process.saidGoodbye { faults.report(process.flightPage, error) }
            return nil
        }
    }

    /// The page of a process that is marked by the program that runs there now.
    private func replacedPage(of process: ProcessEntry) -> FlightPage? {
        guard !process.flightPage.isEmpty, let page = try? pages.read(process.page), page.isReplaced,
            page.startTicks == process.identity.startTicks
        else { return nil }
        return page
    }

    /// Accounts for processes that ended without a connection, before this daemon ran or since, and removes their pages.
    ///
    /// What such a process sent may still wait to be read. Then nothing is done, and the next call tries again.
    private func accountForUnknown() {
        hasLivingUnknown = false
        let connected = Set(registry.processes.lazy.filter { $0.connection != nil }.map(\.ownPage))
        for name in pages.files(limit: context.limits.flightPages) where !connected.contains(name) {
            guard let parts = FlightPageName(name) else { continue }
            do throws(FlightPages.Fault) {
                let page = try pages.read(PagePlace(name: name))
                let identity = ProcessInstance(pid: parts.pid, startTicks: page.startTicks, copy: parts.copy)
                if !page.isReplaced, ProcessTable.isAlive(identity) {
                    hasLivingUnknown = true
                    continue
                }
                // That of a program in another pid namespace, which lives and has another number here.
                if isHeld(name, startTicks: page.startTicks) { continue }
                guard connections.isDrained else {
                    waitsForIntake = true
                    return
                }
                account(for: identity, page: page, name)
                removePage(name)
            } catch .gone {
                // Its owner removed it since it was listed.
                continue
            } catch .noRoom where isHeld(name) || ProcessTable.startTicks(of: parts.pid) != nil {
                // Its owner lives, and may offer its memory.
                hasLivingUnknown = true
                continue
            } catch {
                faults.report(name, error)
                if ProcessTable.startTicks(of: parts.pid) == nil { pages.remove(name) }
            }
        }
    }

    /// Whether a process that has not ended says that the page is its own. Without `startTicks`, whenever that began.
    private func isHeld(_ name: String, startTicks: UInt64? = nil) -> Bool {
        registry.processes.contains {
            $0.endedAt == nil && $0.flightPage == name && $0.identity.startTicks == startTicks ?? $0.identity.startTicks
        }
    }

    /// Removes a page that is accounted for. If a daemon is killed that could not write the state, the next one accounts for it again.
    private func removePage(_ name: String) {
        if isStateKept() { pages.remove(name) } else { hasLeftPages = true }
    }

    private func account(for identity: ProcessInstance, page: FlightPage, _ name: String) {
        // One of another pid namespace has another number here.
        let isKnown = registry.processes.contains {
            $0.endedAt != nil && $0.flightPage == name && $0.identity.startTicks == identity.startTicks
        }
        guard !isKnown, registry.process(identity)?.endedAt == nil else { return }
        if registry.process(identity) == nil, !page.isClosed {
            registry.addUnconnected(identity, page: page, now: .now())
        }
        if let process = registry.process(identity) { settle(process, page, PagePlace(name: name)) }
    }
}

extension FlightPage {
    /// The program ended by itself, or by `exec`.
    fileprivate var hasExited: Bool { isClosed || isReplaced }
}
