// SPDX-License-Identifier: MIT
// The processes, stores and views of a trace, found by what events say of them.

/// One process of a trace.
struct TracedProcess: Sendable {
    let pid: Int32
    var name: TextID
    /// Whether `name` is the main thread's, which is the program's.
    var isNamedByMain = false
    var turn = TurnTracker()
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
struct TracedStore: Sendable {
    let process: Int
    let number: StoreNumber
    let name: TextID
    let startedAt: Int64
    /// Whether another one has taken its number: the process became another program.
    var isReplaced = false
}

/// Finds processes, stores and views by what events say. Bounded.
struct TraceDirectory: Sendable {
    private(set) var stores: [TracedStore] = []
    // Their trackers are changed by the interpreter.
    var processes: [TracedProcess] = []
    var views: [ViewProgress] = []
    /// What found no room.
    private(set) var overflowed: UInt64 = 0
    private var processIndex = WordIndex()
    private var storeIndex = WordIndex()
    private var viewIndex = WordIndex(capacity: 1_024)
    private var latestProcess = (pid: Int32.min, index: 0)

    /// The place of an event's process, entered if it is new; nil where there is no room.
    @inline(__always)
    mutating func process(_ event: borrowing TraceEvent) -> Int? {
        let process = event.pid == latestProcess.pid ? latestProcess.index : findProcess(event)
        if let process, event.tid == event.pid, !processes[process].isNamedByMain {
            processes[process].name = event.processName
            processes[process].isNamedByMain = true
        }
        return process
    }

    private mutating func findProcess(_ event: borrowing TraceEvent) -> Int? {
        if let index = process(pid: event.pid) {
            latestProcess = (event.pid, index)
            return index
        }
        guard hasRoom(processes.count, below: TraceLimits.processes) else { return nil }
        processIndex.set(Self.word(event.pid), UInt32(processes.count))
        processes.append(TracedProcess(pid: event.pid, name: event.processName))
        latestProcess = (event.pid, processes.count - 1)
        return processes.count - 1
    }

    /// The place of a process that has had an event.
    func process(pid: Int32) -> Int? { processIndex[Self.word(pid)].map { Int($0) } }

    /// The place of a view of a store, entered if it is new; nil where there is no room.
    @inline(__always)
    mutating func view(_ key: TextID, store: UInt32, named name: TextID, process: Int, _ now: Int64) -> Int? {
        let storeWord = Self.word(process, store)
        guard
            let store = storeIndex[storeWord].map({ Int($0) })
                ?? enter(StoreNumber(number: store), named: name, process, now)
        else { return nil }
        let word = Self.word(store, key.index)
        if let index = viewIndex[word] { return Int(index) }
        guard hasRoom(views.count, below: TraceLimits.views) else { return nil }
        viewIndex.set(word, UInt32(views.count))
        views.append(ViewProgress(key: key, store: store))
        return views.count - 1
    }

    /// Makes a new store of the number of another one, which gets no more events; false where there is no room.
    mutating func replace(store old: Int, named name: TextID, _ now: Int64) -> Bool {
        var number = stores[old].number
        number.replaced += 1
        guard hasRoom(views.count, below: TraceLimits.views),
            enter(number, named: name, stores[old].process, now) != nil
        else { return false }
        stores[old].isReplaced = true
        return true
    }

    private mutating func enter(_ number: StoreNumber, named name: TextID, _ process: Int, _ now: Int64) -> Int? {
        guard hasRoom(stores.count, below: TraceLimits.stores) else { return nil }
        storeIndex.set(Self.word(process, number.number), UInt32(stores.count))
        stores.append(TracedStore(process: process, number: number, name: name, startedAt: now))
        return stores.count - 1
    }

    private mutating func hasRoom(_ count: Int, below limit: Int) -> Bool {
        if count >= limit { overflowed += 1 }
        return count < limit
    }

    private static func word(_ pid: Int32) -> UInt64 { UInt64(UInt32(bitPattern: pid)) + 1 }

    @inline(__always)
    private static func word(_ place: Int, _ number: UInt32) -> UInt64 { UInt64(place + 1) << 32 | UInt64(number) }
}
