// SPDX-License-Identifier: MIT
// The processes and stores of a trace.

internal import RerenderModel

/// One process of a trace.
struct ProcessTally: Sendable {
    let pid: Int32
    var name: TextID
    /// Whether `name` is the main thread's, which is the program's.
    var isNamedByMain = false
    var loop = LoopTally()
    var hangs = HangTotals()
    var microHangs: UInt64 = 0
    /// Turns over the threshold, for a trace without a daemon.
    var turnHangs = HangTotals()
}

/// Which store of its process it is.
package struct StoreNumber: Hashable, Comparable, Sendable {
    /// As the process numbers its stores, from 0.
    package var number: UInt32
    /// How many had that number before it: those of other programs, which the process was or whose number it got.
    package var replaced: UInt32 = 0

    package static func < (left: StoreNumber, right: StoreNumber) -> Bool {
        (left.number, left.replaced) < (right.number, right.replaced)
    }
}

/// One store of one process.
struct StoreTally: Sendable {
    let process: Int
    let number: StoreNumber
    let name: TextID
    let startedAt: Int64
    var epoch: UInt32 = 0
    /// Whether another one has taken its number: the process became another program.
    var isReplaced = false
}

/// Finds processes, stores and views by what events say; bounded.
struct TraceDirectoryOfViews: Sendable {
    var processes: [ProcessTally] = []
    var stores: [StoreTally] = []
    var views: [ViewTally] = []
    /// What found no room.
    private(set) var overflowed: UInt64 = 0
    private var processIndex = WordIndex()
    private var storeIndex = WordIndex()
    private var viewIndex = WordIndex(capacity: 1_024)
    private var latestProcess = (pid: Int32.min, index: 0)

    @inline(__always)
    mutating func process(_ event: borrowing TraceEvent) -> Int? {
        if event.pid == latestProcess.pid { return latestProcess.index }
        return findProcess(event)
    }

    private mutating func findProcess(_ event: borrowing TraceEvent) -> Int? {
        let word = UInt64(UInt32(bitPattern: event.pid)) + 1
        if let index = processIndex[word] {
            latestProcess = (event.pid, Int(index))
            return Int(index)
        }
        guard processes.count < TraceLimits.processes else {
            overflowed += 1
            return nil
        }
        processIndex.set(word, UInt32(processes.count))
        processes.append(ProcessTally(pid: event.pid, name: event.processName))
        latestProcess = (event.pid, processes.count - 1)
        return processes.count - 1
    }

    /// The place of a process that has had an event.
    func process(pid: Int32) -> Int? { processIndex[UInt64(UInt32(bitPattern: pid)) + 1].map { Int($0) } }

    /// The place of a view of a store, entered if it is new.
    @inline(__always)
    mutating func view(_ key: TextID, store: UInt32, named name: TextID, process: Int, _ now: Int64) -> Int? {
        guard let store = self.store(store, named: name, process: process, now) else { return nil }
        let word = UInt64(store + 1) << 32 | UInt64(key.index)
        if let index = viewIndex[word] { return Int(index) }
        guard views.count < TraceLimits.views else {
            overflowed += 1
            return nil
        }
        viewIndex.set(word, UInt32(views.count))
        views.append(ViewTally(key: key, store: store))
        return views.count - 1
    }

    /// Makes a new store of the number of another one, which gets no more events; false where there is no room.
    mutating func replace(store old: Int, named name: TextID, _ now: Int64) -> Bool {
        guard stores.count < TraceLimits.stores, views.count < TraceLimits.views else {
            overflowed += 1
            return false
        }
        stores[old].isReplaced = true
        let process = stores[old].process
        var number = stores[old].number
        number.replaced += 1
        storeIndex.set(Self.word(process, number.number), UInt32(stores.count))
        stores.append(StoreTally(process: process, number: number, name: name, startedAt: now))
        return true
    }

    @inline(__always)
    private static func word(_ process: Int, _ number: UInt32) -> UInt64 { UInt64(process + 1) << 32 | UInt64(number) }

    @inline(__always)
    private mutating func store(_ number: UInt32, named name: TextID, process: Int, _ now: Int64) -> Int? {
        let word = Self.word(process, number)
        if let index = storeIndex[word] { return Int(index) }
        guard stores.count < TraceLimits.stores else {
            overflowed += 1
            return nil
        }
        storeIndex.set(word, UInt32(stores.count))
        stores.append(StoreTally(process: process, number: StoreNumber(number: number), name: name, startedAt: now))
        return stores.count - 1
    }
}
