// SPDX-License-Identifier: MIT
// Reads a recording once, from its beginning to its end.

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

    /// How many traces are read together.
    package let traceCount: Int

    /// Opens the traces below `path`. Throws where there is none, or one of them cannot be read.
    ///
    /// - Parameter process: The only processes whose events are wanted; nil for all.
    package init(path: String, process: TraceProcesses? = nil) throws(TraceError) {
        filter = process.map(ProcessFilter.init)
        let directories = try TraceFinder.directories(below: path)
        let plugin = try CTFPlugin()
        var groups: [String] = []
        var traces: [String: [String]] = [:]
        for directory in directories {
            guard MetadataFile.isWhole("\(directory)/metadata") else {
                throw .unreadable(directory, ["its metadata is cut off"])
            }
            guard let group = CTFSupport.group(of: directory, plugin) else { throw .unreadable(directory, []) }
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

    /// The texts that events name.
    var texts: TraceTexts { decoder.texts }

    /// Feeds all events to a consumer, some at a time, once each and in the order of time. `progress` is called every few
    /// thousand events, on this thread.
    ///
    /// Throws what the consumer throws, and ``TraceError`` where the trace cannot be read to its end, or has no events. A
    /// trace may be larger than memory: keep sums, and write what is to be written at once.
    func read(progress: ((TraceProgress) -> Void)? = nil, into consume: (Span<TraceEvent>) throws -> Void) throws {
        var goesOn = true
        var batches = 0
        while goesOn {
            while goesOn, !decoder.isFull { goesOn = try graph.run() }
            let events = decoder.takeEvents()
            if filter == nil {
                try consume(events.span)
            } else {
                let wanted = events.filter { filter?.keeps($0, decoder.texts) ?? true }
                try consume(wanted.span)
            }
            batches += 1
            if batches % 16 == 0, let progress, let last = events.last {
                progress(TraceProgress(events: eventCount, nanoseconds: last.nanoseconds))
            }
            decoder.giveBack(events)
        }
        guard eventCount > 0 else { throw TraceError.empty(path) }
        if let filter, !filter.hasFound { throw TraceError.noProcess(filter, in: path) }
    }
}
