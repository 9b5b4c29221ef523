// SPDX-License-Identifier: MIT
// Reads a recording once, from its beginning to its end: the events of all processes or of some, or their number alone.

internal import RerenderModel

/// How far a reader is.
package struct TraceProgress: Hashable, Sendable {
    /// Events read so far.
    package let events: UInt64
    /// The time of the latest, in nanoseconds since 1970.
    package let nanoseconds: Int64
}

/// Reads the events of all traces below a directory, in the order of time.
///
/// Not `Sendable`: one thread reads. Costs about as much as `babeltrace2` takes to read the same files and show nothing.
package final class TraceReader {
    private let decoder: MessageDecoder
    private let graph: BabeltraceGraph
    private let path: String

    private var filter: ProcessFilter?
    private let window: TraceWindow?

    /// How many traces are read together.
    package let traceCount: Int

    /// Opens the traces below `path`. Throws where there is none, or one of them cannot be read.
    ///
    /// - Parameters:
    ///   - process: The only processes whose events are wanted; nil for all.
    ///   - window: The only time whose events are wanted; nil for all.
    package init(path: String, process: TraceProcesses? = nil, window: TraceWindow? = nil) throws(TraceError) {
        filter = process.map(ProcessFilter.init)
        self.window = window
        let directories = try TraceFinder.directories(below: path)
        let plugin = try CTFPlugin()
        var groups: [String] = []
        var traces: [String: [String]] = [:]
        for directory in directories {
            guard MetadataFile.isWhole("\(directory)/metadata") else {
                throw .unreadable(directory, ["its metadata is cut off"])
            }
            guard let group = CTFSupport.group(of: directory, plugin) else {
                throw MetadataFile.isOfVersion2("\(directory)/metadata")
                    ? TraceError.isOfVersion2(directory) : TraceError.unreadable(directory, [])
            }
            if traces[group] == nil { groups.append(group) }
            traces[group, default: []].append(directory)
        }
        guard groups.count <= TraceLimits.traces else {
            throw TraceError(
                .unreadable,
                "there are \(groups.count) traces in \(path), and at most \(TraceLimits.traces) are read together.\n"
                    + "Give the directory of some of them.")
        }
        decoder = MessageDecoder()
        traceCount = groups.count
        self.path = path
        graph = try BabeltraceGraph(groups.map { traces[$0] ?? [] }, plugin, decoder, path: path)
    }

    /// Events read so far.
    var eventCount: UInt64 { decoder.eventCount }

    /// When the clock of the first events was 0, in nanoseconds since 1970; nil before them, or if they have none. That of LTTng is
    /// `CLOCK_MONOTONIC`.
    var clockOrigin: Int64? { decoder.clockOrigin }

    /// The texts that events name.
    var texts: TraceTexts { decoder.texts }

    /// Feeds all events to a consumer, some at a time, once each and in the order of time. `progress` is called every few
    /// thousand events, on this thread.
    ///
    /// Throws what the consumer throws, and ``TraceError`` where the trace cannot be read to its end, has no events, or none that is late
    /// enough. A trace may be larger than memory: keep sums, and write what is to be written at once.
    func read(progress: ((TraceProgress) -> Void)? = nil, into consume: (Span<TraceEvent>) throws -> Void) throws {
        var goesOn = true
        var batches = 0
        // The latest event of these processes.
        var latest: Int64?
        while goesOn {
            while goesOn, !decoder.isFull { goesOn = try graph.run() }
            let events = decoder.takeEvents()
            if filter == nil, window == nil {
                try consume(events.span)
            } else {
                // Which processes there are, events at other times tell, too.
                let wanted = events.filter { event in
                    guard filter?.keeps(event, decoder.texts) ?? true else { return false }
                    // One that tells of discarded events has the time of their end.
                    if case .discarded = event.what {} else { latest = event.nanoseconds }
                    return window?.contains(event.nanoseconds) ?? true
                }
                try consume(wanted.span)
            }
            batches += 1
            if batches % 16 == 0, let progress, let last = events.last {
                progress(TraceProgress(events: eventCount, nanoseconds: last.nanoseconds))
            }
            decoder.giveBack(events)
        }
        guard eventCount > 0 else { throw TraceError.empty(path) }
        if let filter, !filter.hasFound, filter.wanted != .numbered([]) {
            throw TraceError.noProcess(filter, in: path)
        }
        try window?.require(latest: latest)
    }
}

/// Some processes of a recording.
package enum TraceProcesses: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The one with this number, or those with this name.
    case named(String)
    /// Those with these numbers; of an empty set none, and that is no error.
    case numbered(Set<Int32>)

    package init(stringLiteral name: String) { self = .named(name) }

    /// For people to read.
    var text: String {
        switch self {
        case .named(let name): "process \(Printable.text(name))"
        case .numbered(let numbers):
            "process with the number \(numbers.sorted().prefix(8).map { String($0) }.joined(separator: " or "))"
        }
    }
}

/// Keeps the events of some processes.
struct ProcessFilter {
    let wanted: TraceProcesses
    private let numbers: Set<Int32>
    private let name: String?
    /// By the process's number.
    private var verdicts: [Int32: Verdict] = [:]
    /// Of the first thread where that was seen, as in a report.
    private var names: [Int32: String] = [:]

    private struct Verdict {
        let keeps: Bool
        /// Whether the name is the program's, or that of some thread.
        let isSure: Bool
    }

    init(_ wanted: TraceProcesses) {
        self.wanted = wanted
        switch wanted {
        case .named(let name): (self.name, numbers) = (name, Set([Int32(name)].compactMap(\.self)))
        case .numbered(let numbers): (name, self.numbers) = (nil, numbers)
        }
    }

    /// Whether a process of that number or name was there.
    var hasFound: Bool { verdicts.values.contains { $0.keeps } }

    /// The processes that were there, for people to read; some of them where there are very many.
    var processes: [String] { names.map { "\(Printable.text($0.value))[\($0.key)]" }.sorted() }

    /// Whether the event is of a wanted process. Discarded events belong to no process, and are kept.
    mutating func keeps(_ event: TraceEvent, _ texts: TraceTexts) -> Bool {
        switch event.what {
        case .discarded: return true
        // The daemon writes these events, about another process.
        case .hangBegan(let hang), .hangEnded(let hang):
            return verdicts[hang.process]?.keeps ?? numbers.contains(hang.process)
        // The daemon's, too: a mark is a moment of all processes.
        case .other(let other) where texts[other.event] == "com.rerender.Mark:event": return true
        default: return verdict(event, texts)
        }
    }

    private mutating func verdict(_ event: TraceEvent, _ texts: TraceTexts) -> Bool {
        // A thread may have a name of its own; the first one has the program's.
        let isFirstThread = event.tid == event.pid
        if let known = verdicts[event.pid], known.keeps || known.isSure || !isFirstThread { return known.keeps }
        let name = texts[event.processName]
        let keeps = numbers.contains(event.pid) || (!name.isEmpty && name == self.name)
        guard verdicts.count < TraceLimits.processes || verdicts[event.pid] != nil else { return keeps }
        verdicts[event.pid] = Verdict(keeps: keeps, isSure: isFirstThread)
        if names.count < 64 || names[event.pid] != nil { names[event.pid] = name }
        return keeps
    }
}

extension TraceError {
    /// No process of that number or name is in the trace.
    static func noProcess(_ filter: ProcessFilter, in path: String) -> TraceError {
        let some = filter.processes.prefix(20).joined(separator: ", ")
        let there = some.isEmpty ? "It has no process at all." : "It has \(some)."
        return TraceError(
            .empty, "there is no \(filter.wanted.text) in \(Printable.text(path)).\n\(there)")
    }
}

/// The number of a trace's events, of every kind.
package struct EventCount: Hashable, Sendable {
    private struct IsEnough: Error {}

    /// The command of this program that counts in a process of its own.
    package static let command = "count-events"
    /// How many are counted: a tenth of a second's work. A recording ends when it is said what it has; `report` counts all.
    package static let most: UInt64 = 100_000

    package let number: UInt64
    /// Whether there are no more.
    package let isWhole: Bool

    private init(_ number: UInt64, isWhole: Bool) { (self.number, self.isWhole) = (number, isWhole) }

    /// Counts the events in the traces below `path`; there are none where it has no traces.
    ///
    /// Reads on the caller's thread. Throws where the trace cannot be read to its end, or as far as `most` events.
    package init(of path: String, most: UInt64 = most) throws(TraceError) {
        do {
            let reader = try TraceReader(path: path)
            try reader.read { _ in if reader.eventCount > most { throw IsEnough() } }
            self.init(reader.eventCount, isWhole: true)
        } catch let error as TraceError {
            guard error.code == .empty else { throw error }
            self.init(0, isWhole: true)
        } catch {
            self.init(most, isWhole: false)
        }
    }

    /// As ``text`` says it; nil for anything else.
    package init?(text: String) {
        guard let number = UInt64(text.hasSuffix("+") ? text.dropLast() : text[...]) else { return nil }
        self.init(number, isWhole: !text.hasSuffix("+"))
    }

    /// The number, with a plus where there are more.
    package var text: String { isWhole ? "\(number)" : "\(number)+" }
}
