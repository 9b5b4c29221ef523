// SPDX-License-Identifier: MIT
// The rules by which Perfetto's trace processor reads Chrome's trace event format.

/// What it makes of a file: slices on tracks, counters and names, and the errors that it counts.
///
/// - Events are taken in the order of times. The thread 0 of a process is its main thread.
/// - Complete events and instants of a thread lie on its track: one that ends after what it begins in is an error.
/// - Asynchronous events are pairs on a track of their process, category, number and name.
/// - Of the names of a thread or process, the last counts.
struct PerfettoImport {
    enum Track: Hashable {
        case thread(ImportedThread)
        case asynchronous(pid: Int, category: String, id: String, name: String)
        case all
    }

    struct Slice {
        let track: Track
        let name: String
        let category: String
        /// In nanoseconds; an asynchronous one may have no end.
        let start: Int64
        var end: Int64?
        let depth: Int
    }

    private(set) var slices: [Slice] = []
    private(set) var counters: [(pid: Int, name: String, value: Double)] = []
    private(set) var threadNames: [ImportedThread: String] = [:]
    private(set) var processNames: [Int: String] = [:]
    private(set) var errors: [String: Int] = [:]
    /// The slices that are open on each track, outermost first.
    private var open: [Track: [Int]] = [:]

    init(_ text: String) throws {
        let events = try ImportedFile.events(text)
        let order = events.indices.sorted { one, two in
            let (first, second) = (events[one], events[two])
            let (start, other) = (Self.nanoseconds(first.time), Self.nanoseconds(second.time))
            guard start == other else { return start < other }
            let (length, otherLength) = (Self.nanoseconds(first.duration), Self.nanoseconds(second.duration))
            return first.phase == "X" && second.phase == "X" && length != otherLength
                ? length > otherLength : one < two
        }
        for index in order { read(events[index]) }
        for case .asynchronous(_, _, _, let name) in open.filter({ !$0.value.isEmpty }).keys {
            errors["an end is missing: \(name)", default: 0] += 1
        }
    }

    private static func nanoseconds(_ microseconds: Double?) -> Int64 { Int64(((microseconds ?? 0) * 1_000).rounded()) }

    private mutating func read(_ event: ImportedEvent) {
        var thread = event.thread
        if thread.tid == 0 { thread.tid = thread.pid }
        let start = Self.nanoseconds(event.time)
        switch event.phase {
        case "X":
            guard event.duration != nil else { return note("a complete event without a length") }
            add(event, on: .thread(thread), start, start + Self.nanoseconds(event.duration))
        case "i":
            switch event.fields["s"] as? String {
            case "t", nil: add(event, on: .thread(thread), start, start)
            case "g", "p": add(event, on: .all, start, start)
            default: note("an instant of no scope")
            }
        case "b", "e": readAsynchronous(event, start)
        case "C": readCounter(event)
        case "s", "f":
            let id = (event.fields["id"] as? String).map { $0.hasPrefix("0x") ? String($0.dropFirst(2)) : $0 }
            if id.flatMap({ UInt64($0, radix: 16) }) == nil { note("an arrow without a number") }
        case "M": readName(event, thread)
        default: note("a phase that is not known")
        }
    }

    private mutating func note(_ error: String) { errors[error, default: 0] += 1 }

    private mutating func add(_ event: ImportedEvent, on track: Track, _ start: Int64, _ end: Int64) {
        while let last = open[track]?.last, (slices[last].end ?? start) <= start { open[track]?.removeLast() }
        if let last = open[track]?.last, let around = slices[last].end, end > around {
            note("\(event.name) ends after \(slices[last].name), in which it begins")
        }
        open[track, default: []].append(slices.count)
        slices.append(
            Slice(
                track: track, name: event.name, category: event.category, start: start, end: end,
                depth: (open[track]?.count ?? 1) - 1))
    }

    private mutating func readAsynchronous(_ event: ImportedEvent, _ start: Int64) {
        guard let local = (event.fields["id2"] as? [String: Any])?["local"] as? String, !local.isEmpty else {
            return note("a pair without a number")
        }
        let track = Track.asynchronous(pid: event.pid, category: event.category, id: local, name: event.name)
        if event.phase == "b" {
            open[track, default: []].append(slices.count)
            slices.append(
                Slice(
                    track: track, name: event.name, category: event.category, start: start, end: nil,
                    depth: (open[track]?.count ?? 1) - 1))
        } else if let last = open[track]?.popLast() {
            slices[last].end = start
        } else {
            note("an end without a beginning")
        }
    }

    private mutating func readCounter(_ event: ImportedEvent) {
        guard let arguments = event.arguments, !arguments.isEmpty else { return note("a counter without a number") }
        for (key, value) in arguments {
            guard let number = ImportedEvent.number(value) else { return note("a counter that is no number") }
            counters.append((event.pid, "\(event.name) \(key)", number))
        }
    }

    private mutating func readName(_ event: ImportedEvent, _ thread: ImportedThread) {
        guard let name = event.arguments?["name"] as? String, !name.isEmpty else { return }
        if event.name == "thread_name" { threadNames[thread] = name }
        if event.name == "process_name" { processNames[event.pid] = name }
    }
}
