// SPDX-License-Identifier: MIT
// One process as the daemon holds it, over all its connections.

import NIOCore
import RerenderModel
import RerenderWire

/// A process and its stores. Confined to the registry's event loop.
final class ProcessEntry {
    let identity: ProcessInstance
    var name: String
    var flightPage: String
    /// The connection that it uses now.
    var connection: AppConnection?
    /// Stores in the order in which they were first heard of.
    var stores: [StoreEntry] = []
    /// It said that everything was sent; then it has taken its flight page away, and nothing is lost.
    var saidGoodbye = false
    /// How far the watch of its loop had come when it was last stopped; nil if that goes on or never began.
    var checkpoint: WatchCheckpoint?
    /// What it ran when it said hello; nil if that is not known.
    var program: ProgramIdentity?
    /// It runs another program now, which does not speak to us: its page is that of the old one.
    var isReplaced = false
    /// Hangs that it has still to count.
    var notices = NoticeLedger()
    /// When its end was noticed; nil while it lives.
    var endedAt: NIODeadline?

    init(identity: ProcessInstance, name: String, flightPage: String) {
        self.identity = identity
        self.name = name
        self.flightPage = flightPage
    }

    var viewCount: Int { stores.reduce(0) { $0 + $1.views.count } }
    var bytes: Int { stores.reduce(512 + name.utf8.count + flightPage.utf8.count) { $0 + $1.bytes } }

    /// The store of that number that the app uses now: the latest, since numbers may return after an `exec`.
    func store(_ storeID: UInt32) -> StoreEntry? {
        stores.last { $0.state.storeID == storeID }
    }
}

/// One app's connection: what the registry needs to know of it.
final class AppConnection {
    let serial: UInt64
    /// The process's number as the kernel gave it.
    let pid: Int32
    /// Who it is; nil before the hello.
    var process: ProcessEntry?
    /// The store of the latest totals, which is nearly always that of the next.
    var latestStore: StoreEntry?

    init(serial: UInt64, pid: Int32) {
        self.serial = serial
        self.pid = pid
    }
}
