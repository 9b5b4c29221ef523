// SPDX-License-Identifier: MIT
// What the daemon says to a process, and the answers.

import RerenderModel
import RerenderWire
import Synchronization

extension UplinkThread {
    /// Reads what the daemon sent, and does it; false where the connection is over.
    mutating func receive() -> Bool {
        var messages: [DaemonMessage] = []
        let isAlive = socket?.receive { messages.append($0) } ?? false
        for message in messages { obey(message) }
        return isAlive
    }

    private mutating func obey(_ message: DaemonMessage) {
        switch message {
        case .welcome(_, let copy):
            (wasWelcomed, self.copy) = (true, copy)
        case .refusal:
            drop()
            // Another daemon, of our version, may take the place of this one.
            notice.watch()
            schedule.refused(at: MonotonicClock.now)
        case .configure(let request, let storeID, let settings):
            answer(request, each: storeID) { core in
                core.apply(settings)
                return 1
            }
        case .reset(let request, let storeID):
            answer(request, each: storeID) { core in
                core.reset()
                return 1
            }
        case .pulse(let request, let storeID, let key):
            show(.pulse(ViewKey(rawValue: key)), request, storeID)
        case .overlay(let request, let storeID, let overlay, let isOn):
            show(ScreenRequest(overlay, isOn: isOn), request, storeID)
        case .hangEnded(let notice):
            hangEnded(notice)
        case .hangCounts(let notice):
            uplink.stores.all.live.first { $0.id == notice.storeID }?.take(notice)
        case .sampleStack(let hang, let turn):
            sampleStack(hang: hang, turn: turn)
        case .lookForLoops:
            _ = mainLoop.lookForLoops()
        case .watchTurn(let turn):
            exitWatch.begin(turn: turn, at: MonotonicClock.now)
        }
    }

    private mutating func hangEnded(_ notice: HangNotice) {
        guard let core = uplink.stores.all.live.first(where: { $0.id == notice.storeID }) else { return }
        core.take(notice)
        guard !notice.isMicroHang else { return }
        var hang = notice.hang
        // In another pid namespace, the daemon knows the process by another number.
        hang.pid = uplink.context.identity.pid
        core.hangHandler.closure?(hang)
    }

    /// Takes a stack for the daemon, if a store wants it and the turn lasts.
    private mutating func sampleStack(hang: UInt64, turn: UInt64) {
        stacks.follow(uplink.stores.hangStacks.load(ordering: .relaxed))
        guard !isExiting, samples.count < StoreLimits.waitingStacks, let loop = mainLoop.record,
            let sample = stacks.sample(of: loop, hang: hang, turn: turn)
        else { return }
        samples.append(sample)
        schedule.hurry(at: MonotonicClock.now)
    }

    /// Asks the stores' bridges; the answer is complete when the last of them has said what it shows, perhaps on another thread.
    private func show(_ wanted: ScreenRequest, _ request: UInt32, _ storeID: UInt32?) {
        // An overlay is of the process, however many bridges show it.
        let most: UInt32 = if case .pulse = wanted { .max } else { 1 }
        let reply = ScreenReply { [uplink, connections] sum in
            uplink.finish(
                CommandResult(
                    request: request, reached: min(sum.reached, most), answered: sum.answered, shown: sum.shown,
                    instances: sum.instances),
                connection: connections)
        }
        for core in uplink.stores.all.live where storeID == nil || core.id == storeID { core.take(wanted, reply) }
    }

    /// Sends the answers that bridges have completed.
    mutating func takeFinished() {
        let finished = uplink.takeFinished(connection: connections)
        guard !finished.isEmpty, session != nil else { return }
        replies += finished
        schedule.hurry(at: MonotonicClock.now)
    }

    /// Carries a command out and answers in a burst of its own, after what it changed.
    private mutating func answer(_ request: UInt32, each storeID: UInt32?, _ action: (StoreCore) -> UInt32) {
        let cores = uplink.stores.all.live.filter { storeID == nil || $0.id == storeID }
        let reached = cores.reduce(into: UInt32(0)) { $0 += action($1) }
        replies.append(CommandResult(request: request, reached: reached))
        schedule.hurry(at: MonotonicClock.now)
    }
}
