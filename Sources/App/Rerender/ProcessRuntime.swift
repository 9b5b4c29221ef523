// SPDX-License-Identifier: MIT
// Everything that a process has once. Made with the first store and passed to the parts that need it.

import CRerender
import Glibc
import RerenderModel
import Synchronization

/// The parts of Rerender that all stores of a process share, in the order in which one needs the other.
///
/// Each part is handed those below it and never reaches up. ``shared`` is the only way to the runtime for code that gets no
/// parameters: the public initialiser of a store, and the C callbacks below.
package final class ProcessRuntime: Sendable {
    /// The runtime of this process; made when it is first asked for.
    package static let shared = ProcessRuntime()

    /// Watches the main loop.
    package let mainLoop: LoopMonitor
    let context: ProcessContext
    /// Told of what is counted.
    let changes = ChangeFollower()
    private let uplink: Uplink
    private let signal: UplinkSignal

    private init() {
        let mayCount = environmentVariable("RERENDER") != "0" && !crerender_has_raised_rights()
        if mayCount, UserSwitch().isOff { crerender_switch_off() }
        let isEnabled = mayCount && !crerender_is_switched_off()
        _ = DebugFile.given
        var identity = ProcessIdentity.current(readsStart: isEnabled)
        let page = isEnabled ? Self.makePage(identity) : nil
        identity.copy = page?.copyNumber ?? CopyNumber.copyWithoutPage
        let record = page.map { LoopRecord(flightPage: $0) }
        let (signal, alarm) = (UplinkSignal(), TurnAlarm())
        let stores = StoreList { shortest in
            record?.setThresholds(
                hangMilliseconds: shortest.hangMilliseconds, microHangMilliseconds: shortest.microHangMilliseconds)
            alarm.set(thresholdMilliseconds: shortest.microHangMilliseconds)
        }
        mainLoop = LoopMonitor(
            record: record, firstThread: identity.pid, tracesTurns: page?.copyNumber == 0,
            callbacks: LoopMonitor.Callbacks(
                edge: { ProcessRuntime.shared.mainLoop.handle(loop: $0, edge: $1) },
                pingAnswered: { ProcessRuntime.shared.mainLoop.pingAnswered(on: crerender_this_thread()) },
                drainEnded: { ProcessRuntime.shared.mainLoop.drainEnded(on: crerender_this_thread()) },
                leading: { StoreCore.leadingStep(over: $0) },
                renamed: {
                    stores.markStatesDirty()
                    if ProcessRuntime.shared.mainLoop.isHooked { _ = LoopRows.hasStart }
                }, needsLook: { signal.requestLook() }, needsHooks: { signal.requestHooks() }))
        context = ProcessContext(
            identity: identity, isEnabled: isEnabled, flightPage: page, mainLoop: mainLoop,
            observer: UplinkObserver(signal: signal, stores: stores, changes: changes))
        uplink = Uplink(context: context, stores: stores, signal: signal, alarm: alarm)
        self.signal = signal
        if isEnabled { LoopAccount.provide(to: .shared) { ProcessRuntime.shared.loopChanged() } }
    }

    private static func makePage(_ identity: ProcessIdentity) -> FlightPageWriter? {
        crerender_watch_fork()
        // The uplink watches it for a daemon's socket. The directory above may be a busy place. That of a command which has ended stays away.
        let directory = RuntimeDirectory.ofThisProcess
        _ = DescriptorTable.run { _ = try? HeldDirectory(directory.path, makes: !directory.isOfCommand) }
        let page = FlightPageWriter(identity: identity)
        page?.hideFromForks()
        return page
    }

    /// Begins to watch the main loop, and to send what the store counts.
    func add(_ core: StoreCore) {
        mainLoop.installForStore()
        uplink.add(
            core, thread: { ProcessRuntime.shared.uplink.run() },
            exit: {
                crerender_drop_left()
                ProcessRuntime.shared.signal.flushAtExit()
            })
    }

    /// The stores that live now, oldest first.
    var liveStores: [StoreCore] { uplink.stores.all.live }

    /// The main loop has news: they go with the next message of the store that tells of it. On the loop's thread, at most ten times a second.
    private func loopChanged() {
        uplink.stores.carrier?.noteStateChange()
        // Without a daemon and a recording, nothing is tried for that alone.
        if signal.isConnected.load(ordering: .relaxed) || LoopSignposts.isOn { signal.wake() }
    }

    /// Gives this moment a name; false without a daemon.
    func mark(_ name: String) -> Bool { uplink.mark(name) }

    /// Sends what is left of a store.
    func end(_ core: StoreCore) { uplink.end(core) }
}

/// Passes what stores tell on to the uplink's thread.
private struct UplinkObserver: StoreObserver {
    let signal: UplinkSignal
    let stores: StoreList
    let changes: ChangeFollower

    var isConnected: Bool { signal.isConnected.load(ordering: .relaxed) }

    func storeChanged() {
        signal.wake()
        changes.tell()
    }

    func settingsChanged() {
        if !crerender_is_silent() { stores.publishSettings() }
    }
}
