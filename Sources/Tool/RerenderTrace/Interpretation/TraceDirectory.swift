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
struct StoreNumber: Hashable, Sendable {
    /// As the process numbers its stores, from 0.
    var number: UInt32
    /// How many had that number before it: those of other programs, which the process was or whose number it got.
    var replaced: UInt32 = 0
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

    /// The place of an event's process, entered if it is new; nil where there is no room.
    @inline(__always)
    mutating func process(_ event: borrowing TraceEvent) -> Int? {
        let (pid, name) = (event.pid, event.processName)
        let process = processIndex.place(
            of: Self.word(pid), in: &processes, limit: TraceLimits.processes, TracedProcess(pid: pid, name: name))
        guard let process else { return noRoom() }
        if event.tid == pid, !processes[process].isNamedByMain {
            processes[process].name = name
            processes[process].isNamedByMain = true
        }
        return process
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
        return viewIndex.place(of: word, in: &views, limit: TraceLimits.views, ViewProgress(key: key, store: store))
            ?? noRoom()
    }

    /// Makes a new store of the number of another one, which gets no more events; false where there is no room.
    mutating func replace(store old: Int, named name: TextID, _ now: Int64) -> Bool {
        var number = stores[old].number
        number.replaced += 1
        let hasRoom = views.count < TraceLimits.views
        if !hasRoom { overflowed += 1 }
        guard hasRoom, enter(number, named: name, stores[old].process, now) != nil else { return false }
        stores[old].isReplaced = true
        return true
    }

    private mutating func enter(_ number: StoreNumber, named name: TextID, _ process: Int, _ now: Int64) -> Int? {
        guard stores.count < TraceLimits.stores else { return noRoom() }
        storeIndex.set(Self.word(process, number.number), UInt32(stores.count))
        stores.append(TracedStore(process: process, number: number, name: name, startedAt: now))
        return stores.count - 1
    }

    private mutating func noRoom() -> Int? {
        overflowed += 1
        return nil
    }

    private static func word(_ pid: Int32) -> UInt64 { UInt64(UInt32(bitPattern: pid)) + 1 }

    @inline(__always)
    private static func word(_ place: Int, _ number: UInt32) -> UInt64 { UInt64(place + 1) << 32 | UInt64(number) }
}
