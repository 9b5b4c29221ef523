// SPDX-License-Identifier: MIT
// Which processes have ended, and what their flight pages still tell.

internal import NIOCore
import RerenderQuery
import RerenderWire

extension DaemonCore {
    /// Looks after processes that lost their connection: settles those that ended.
    func settleEndedProcesses() {
        closeConnectionsOfTheDead()
        for process in registry.disconnectedProcesses {
            guard !ProcessTable.isAlive(process.identity) else {
                closeIfReplaced(process)
                continue
            }
            let page = flightPage(of: process)
            registry.processEnded(process, page: page, now: .now())
            desk?.ended(
                process, page: process.flightPage, exited: process.saidGoodbye || page?.isClosed ?? false)
            if FlightPages.pid(fromName: process.flightPage) == process.identity.pid {
                pages.remove(process.flightPage)
            }
            noteEnd(of: process)
        }
        accountForUnheard()
    }

    /// Sees that a process has become another program by `exec`: that closed its connection, and its page never changes again.
    ///
    /// What we may not look at is taken for the same program.
    private func closeIfReplaced(_ process: ProcessEntry) {
        guard !process.isReplaced, let program = process.program,
            let now = ProcessTable.program(of: process.identity.pid), now != program
        else { return }
        desk?.ended(process, page: process.flightPage, exited: true)
        registry.processReplaced(process)
        note(.processes, "\(process.name) (\(process.identity.pid)) became another program")
    }

    private func noteEnd(of process: ProcessEntry) {
        let lost = process.stores.reduce(UInt64(0)) { $0.saturatingSum($1.lost) }
        note(.processes, "\(process.name) (\(process.identity.pid)) ended" + (lost > 0 ? ", \(lost) lost" : ""))
    }

    /// Closes connections whose process has ended: a child that it forked holds the other end open.
    ///
    /// Looks at all processes, so at most every few seconds, and only when someone asks or something ended anyway.
    private func closeConnectionsOfTheDead() {
        guard NIODeadline.now() >= nextLookAtConnected else { return }
        nextLookAtConnected = .now() + configuration.limits.deadConnectionInterval
        for process in registry.processes {
            guard let connection = process.connection, connection.pid > 0 else { continue }
            guard ProcessTable.startTicks(of: connection.pid) == nil else { continue }
            apps[connection.serial]?.close()
            registry.disconnected(connection)
        }
    }

    private func flightPage(of process: ProcessEntry) -> FlightPage? {
        guard !process.flightPage.isEmpty, !process.saidGoodbye else { return nil }
        do throws(FlightPages.Fault) {
            let page = try pages.read(process.flightPage)
            guard page.startTicks == process.identity.startTicks else { throw .anotherProcess }
            return page
        } catch {
            unreadable(process.flightPage, error)
            return nil
        }
    }

    /// The watchdog cannot use a page.
    ///
    /// A short-lived app may have taken its page away before anyone looked: then it says goodbye, or has.
    func unwatched(_ identity: ProcessInstance, _ fault: FlightPages.Fault) {
        guard fault == .gone else { return unreadable(registry.process(identity)?.flightPage ?? "", fault) }
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: configuration.limits.goodbyeDelay) {
            // What is to be said of the page of one that has ended is said at its end.
            guard let process = bound.value.registry.process(identity), process.connection != nil,
                !process.saidGoodbye
            else { return }
            bound.value.unreadable(process.flightPage, fault)
        }
    }

    /// Counts a page that cannot be used, once however often it is looked at.
    func unreadable(_ page: String, _ fault: FlightPages.Fault) {
        if unreadablePages.count > configuration.limits.flightPages { unreadablePages.removeAll() }
        guard unreadablePages.insert(page).inserted else { return }
        registry.drops.flightPages &+= 1
        note(.flightPage, "cannot use the flight page \(page): \(fault)")
    }

    /// Accounts for processes that ended without a connection, before this daemon ran or since, and removes their pages.
    ///
    /// What one of them sent may still wait to be read. So nothing is done while anything does: the next call will.
    private func accountForUnheard() {
        let connected = Set(registry.processes.lazy.filter { $0.connection != nil }.map(\.identity.pid))
        for name in pages.names(limit: configuration.limits.flightPages) {
            guard let pid = FlightPages.pid(fromName: name), !connected.contains(pid) else { continue }
            do throws(FlightPages.Fault) {
                let page = try pages.read(name)
                let identity = ProcessInstance(pid: pid, startTicks: page.startTicks)
                if ProcessTable.isAlive(identity) { continue }
                guard !hasWaitingApps(), isDrained else { return }
                account(for: identity, page: page, name)
                pages.remove(name)
            } catch .gone {
                // Its owner took it away since it was listed.
                continue
            } catch {
                unreadable(name, error)
                if ProcessTable.startTicks(of: pid) == nil { pages.remove(name) }
            }
        }
    }

    private func account(for identity: ProcessInstance, page: FlightPage, _ name: String) {
        if let process = registry.process(identity) {
            guard process.endedAt == nil else { return }
            registry.processEnded(process, page: page, now: .now())
            desk?.ended(process, page: name, exited: process.saidGoodbye || page.isClosed)
        } else if !page.isClosed {
            registry.addUnheard(identity, page: page, now: .now())
            guard let process = registry.process(identity) else { return }
            desk?.ended(process, page: name, exited: false)
            noteEnd(of: process)
        }
    }
}
