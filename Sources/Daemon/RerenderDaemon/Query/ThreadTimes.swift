// SPDX-License-Identifier: MIT
// Reads how long the threads of processes have run, when somebody asks.

internal import Glibc
internal import NIOCore
import RerenderModel
import RerenderWire

/// Processor time of other threads than a process's main loop. Confined to the event loop.
///
/// Two short files for a process; two for each of its threads where other threads took a twentieth of a core together. Nothing is read
/// unless somebody asks, but the names of the threads that a process has when its main loop is first told of.
struct ThreadTimes {
    /// Where the kernel has processes; another directory in tests.
    var directory = "/proc"
    /// The loop's thread by the app's number; 0 where it is not known.
    let loopThread: (ProcessEntry) -> Int32

    /// Threads of one process, and processes and threads that are read for one answer: 8 ms and 32 ms. What is beyond keeps what was
    /// read before.
    private static let most = 512
    private static let mostAtOnce = 2_048
    /// A process is read once in this time.
    private static let pause = TimeAmount.seconds(1)
    /// For so many names the first number is kept.
    private static let mostNames = 32
    private static let fileBytes = 128
    private static let statBytes = 1_024
    /// For programs, Linux counts 100 ticks a second.
    private static let tickNanoseconds: UInt64 = 10_000_000

    /// Notes what threads of a process have run until a reset of its store.
    func lookAgain(at process: ProcessEntry, of store: StoreEntry) {
        let loop = loopThread(process)
        var room = Self.most
        store.loop.threadsBefore = times(of: process, besides: loop > 0 ? loop : process.identity.pid, room: &room)
    }

    /// Notes how many threads of each name a process has.
    func lookFirst(at process: ProcessEntry) {
        guard process.firstThreads == nil else { return }
        var counts: [String: UInt64] = [:]
        for number in numbers(of: process) {
            guard let name = name(of: number, in: process) else { continue }
            if counts[name] == nil, counts.count >= Self.mostNames { continue }
            counts[name, default: 0] += 1
        }
        process.firstThreads = counts
    }

    /// Reads the threads of the processes that a query is about and that live.
    func read(for selection: String?, in registry: Registry, now: NIODeadline = .now()) {
        var room = Self.mostAtOnce
        for process in registry.processes where process.matches(selection) && now >= process.threadsDueAt {
            guard room > 0 else { return }
            guard process.connection != nil,
                let store = process.stores.first(where: { !$0.hasEnded && $0.loop.totals != nil })
            else { continue }
            process.threadsDueAt = now + Self.pause
            lookFirst(at: process)
            // Where this daemon did not see the reset, it is not known what threads ran since.
            let before = store.state.epoch == 0 ? [] : store.loop.threadsBefore
            let counted = store.loop.counted(isAlive: true, now: now)
            let threads = before == nil ? [] : threads(of: process, counted: counted, room: &room)
            registry.receive(ThreadTime.since(before ?? [], threads), in: store)
        }
    }

    /// The threads by their names; none where all together took less than is worth a word.
    private func threads(of process: ProcessEntry, counted: UInt64, room: inout Int) -> [ThreadTime] {
        room -= 1
        // By far the most loops run on the first thread; the page is read where others were busy.
        guard isBusy(process, besides: process.identity.pid, counted) else { return [] }
        var loop = loopThread(process)
        // An app in a pid namespace of its own knows other numbers than we do.
        if loop <= 0 || time(of: loop, in: process) == nil { loop = process.identity.pid }
        guard loop == process.identity.pid || isBusy(process, besides: loop, counted) else { return [] }
        return times(of: process, besides: loop, room: &room)
    }

    private func times(of process: ProcessEntry, besides loop: Int32, room: inout Int) -> [ThreadTime] {
        var threads: [(name: String, processor: UInt64)] = []
        for number in numbers(of: process).prefix(max(0, room)) where number != loop {
            room -= 1
            guard let name = name(of: number, in: process), let time = time(of: number, in: process) else { continue }
            threads.append((name, time))
        }
        return ThreadTime.grouped(threads, atFirst: process.firstThreads ?? [:])
    }

    /// Whether all threads but one took so much that it is worth a word.
    private func isBusy(_ process: ProcessEntry, besides thread: Int32, _ counted: UInt64) -> Bool {
        guard let all = time(of: process), let own = time(of: thread, in: process) else { return false }
        return Double(all.saturatingDifference(own)) >= ThreadTime.leastShare * Double(counted)
    }

    private func numbers(of process: ProcessEntry) -> [Int32] {
        guard process.identity.pid > 0 else { return [] }
        return FileSystem.names(in: "\(directory)/\(process.identity.pid)/task", limit: Self.most).compactMap {
            Int32($0)
        }
    }

    /// Nil for a thread of the library or of LTTng-UST.
    private func name(of thread: Int32, in process: ProcessEntry) -> String? {
        guard let bytes = contents("\(process.identity.pid)/task/\(thread)/comm", limit: Self.fileBytes) else {
            return nil
        }
        // The last byte is the end of the line.
        let name = String(decoding: bytes.dropLast(), as: UTF8.self)
        return name.isEmpty || ThreadTime.isOfTracing(name) ? nil : name
    }

    /// For how long a thread has run.
    private func time(of thread: Int32, in process: ProcessEntry) -> UInt64? {
        let path = "\(process.identity.pid)/task/\(thread)/schedstat"
        return contents(path, limit: Self.fileBytes).flatMap { Self.time(inSchedstat: $0) }
    }

    /// For how long all threads of a process have run, those that have ended included, in whole ticks.
    private func time(of process: ProcessEntry) -> UInt64? {
        contents("\(process.identity.pid)/stat", limit: Self.statBytes).flatMap { Self.time(inStat: $0) }
    }

    /// Reads the first number of a `schedstat`.
    static func time(inSchedstat bytes: [UInt8]) -> UInt64? {
        bytes.split(separator: UInt8(ascii: " ")).first.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }

    /// Reads fields 14 and 15 of a `stat` line: in programs and in the kernel.
    static func time(inStat bytes: [UInt8]) -> UInt64? {
        let ticks = [14, 15].compactMap { number in
            ProcessTable.field(number, inStat: bytes).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
        }
        guard ticks.count == 2 else { return nil }
        let (time, isHostile) = ticks[0].clampedSum(ticks[1]).multipliedReportingOverflow(by: tickNanoseconds)
        return isHostile ? nil : time
    }

    private func contents(_ path: String, limit: Int) -> [UInt8]? {
        try? Descriptor(path: "\(directory)/\(path)", flags: O_RDONLY).read(limit: limit)
    }
}
