// SPDX-License-Identifier: MIT
// The documents that list processes, settings and hangs.

/// The processes without their views: the entries of ``StatsExport`` with `views` empty.
package struct ProcessList: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    package var version = StatsExport.currentVersion
    /// One entry for each store of each process.
    package var processes: [ProcessStats]

    /// Makes a list.
    package init(processes: [ProcessStats]) {
        self.processes = processes
    }
}

/// The settings of each store that is connected.
package struct ConfigurationList: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    package var version: Int = 1
    /// One entry for each store.
    package var stores: [Entry]
    /// Whether the daemon shows a desktop notification for each hang.
    package var notify: Bool = false

    /// The settings of one store.
    package struct Entry: Hashable, Codable, Sendable {
        /// The process.
        package var pid: Int32
        /// Its name.
        package var name: String
        /// The store's name.
        package var store: String
        /// Its number, which is its own in the process.
        package var storeNumber: UInt32
        /// Whether evaluations are counted.
        package var enabled: Bool
        /// From when on a turn of the main loop is a hang.
        package var hangThresholdMilliseconds: UInt32
        /// From when on it is a micro-hang.
        package var microHangThresholdMilliseconds: UInt32
        /// Whether stacks are taken in hangs.
        package var hangStacks: Bool

        /// The settings among a store's statistics.
        package init(_ process: ProcessStats) {
            pid = process.pid
            name = process.name
            (store, storeNumber) = (process.store, process.storeNumber)
            enabled = process.enabled
            hangThresholdMilliseconds = process.hangThresholdMilliseconds
            microHangThresholdMilliseconds = process.microHangThresholdMilliseconds
            hangStacks = process.hangStacks
        }
    }

    /// Makes a list.
    package init(stores: [Entry]) {
        self.stores = stores
    }
}

/// What `GET /v1/hangs` answers: hangs, newest first.
package struct HangList: Hashable, Codable, Sendable {
    /// The version of the document: 1.
    package var version = StatsExport.currentVersion
    /// When it was made.
    package var generatedAt: Timestamp
    /// Hangs, newest first.
    package var hangs: [Hang]

    /// Makes a list.
    package init(generatedAt: Timestamp, hangs: [Hang]) {
        (self.generatedAt, self.hangs) = (generatedAt, hangs)
    }
}
