// SPDX-License-Identifier: MIT
// The rules by which speedscope reads Chrome's trace event format, and folded stacks.

import Foundation

/// What it makes of a file: the frames of each thread.
///
/// - It shows complete events and pairs of begin and end, and nothing else. Each is a frame whose name has all arguments.
/// - Begins and ends are two queues in the order of times. An end that does not fit what is on top is left out with a warning, and what
///   it should have ended stays open.
struct SpeedscopeImport {
    struct Frame {
        let thread: ImportedThread
        let name: String
        let category: String
        let depth: Int
        let start: Double
        let end: Double
    }

    private(set) var frames: [Frame] = []
    private(set) var warnings: [String] = []

    private struct Edge {
        let event: ImportedEvent
        let key: String
        let time: Double
    }

    init(_ text: String) throws {
        let events = try ImportedFile.events(text)
        guard !events.isEmpty else { throw ImportFault("an empty list") }
        for event in events where event.fields["ph"] == nil || (event.phase == "X" && event.time == nil) {
            throw ImportFault("\(event.name) has no phase or no time")
        }
        // A first event with a category may begin a profile of JavaScript, whose events have these names.
        if events[0].fields["cat"] != nil, events.contains(where: { Self.profiles.contains($0.name) }) {
            throw ImportFault("taken for a profile of JavaScript")
        }
        var threads: [ImportedThread] = []
        for event in events where event.phase == "X" && !threads.contains(event.thread) { threads.append(event.thread) }
        for thread in threads { read(events.filter { $0.phase == "X" && $0.thread == thread }) }
    }

    private static let profiles: Set = ["Profile", "ProfileChunk", "CpuProfile"]

    private mutating func read(_ events: [ImportedEvent]) {
        let first = events.compactMap(\.time).min() ?? 0
        // Of two that begin together, the longer one is around the other.
        let complete = Self.sorted(events) { event in [(event.time ?? 0) - first, -(event.duration ?? 0)] }
        let begins = complete.map { Edge(event: $0, key: Self.key(of: $0), time: ($0.time ?? 0) - first) }
        var ends = Self.sorted(
            begins.map { Edge(event: $0.event, key: $0.key, time: $0.time + ($0.event.duration ?? 0)) }
        ) { [$0.time] }
        var (open, next, done) = ([Edge](), 0, 0)
        while next < begins.count || done < ends.count {
            if next < begins.count, done == ends.count || Self.isFirst(begins[next], before: ends[done]) {
                open.append(begins[next])
                next += 1
            } else {
                ends.swapAt(done, Self.place(in: ends[done...], for: open.last))
                end(ends[done], &open)
                done += 1
            }
        }
        warnings += open.map { "\($0.event.name) was still open" }
    }

    private static func isFirst(_ begin: Edge, before end: Edge) -> Bool {
        // Of one time, an event of no length begins before it ends, and all others begin after what ends.
        return begin.time < end.time || (begin.time == end.time && begin.event.name == end.event.name)
    }

    /// The end that is taken next: of those of one time the one that fits what is on top.
    private static func place(in ends: ArraySlice<Edge>, for top: Edge?) -> Int {
        let together = ends.prefix { $0.time == ends.first?.time }
        return together.firstIndex { $0.key == top?.key } ?? together.firstIndex { $0.event.name == top?.event.name }
            ?? ends.startIndex
    }

    private mutating func end(_ end: Edge, _ open: inout [Edge]) {
        guard let top = open.last, top.event.name == end.event.name else {
            warnings.append("tried to end \(end.event.name) when \(open.last?.event.name ?? "nothing") was on top")
            return
        }
        open.removeLast()
        frames.append(
            Frame(
                thread: top.event.thread, name: top.event.name, category: top.event.category, depth: open.count,
                start: top.time, end: end.time))
    }

    private static func key(of event: ImportedEvent) -> String {
        let data = event.arguments.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
        return event.name + " " + String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// Sorted by numbers, of equal ones in the order in which they came.
    private static func sorted<Element>(_ elements: [Element], by numbers: (Element) -> [Double]) -> [Element] {
        let all = elements.enumerated().map { (place: $0.offset, numbers: numbers($0.element), element: $0.element) }
        let sorted = all.sorted { one, two in
            one.numbers == two.numbers ? one.place < two.place : one.numbers.lexicographicallyPrecedes(two.numbers)
        }
        return sorted.map(\.element)
    }
}

/// What it makes of folded stacks: each line is a stack, outermost first, a blank and a number.
struct FoldedImport {
    private(set) var stacks: [(frames: [String], weight: UInt64)] = []

    init(_ text: String) throws {
        for line in text.split(separator: "\n") {
            guard let blank = line.lastIndex(of: " "), let weight = UInt64(line[line.index(after: blank)...]) else {
                throw ImportFault("no stack: \(line)")
            }
            let frames = line[..<blank].split(separator: ";", omittingEmptySubsequences: false).map(String.init)
            guard !frames.contains("") else { throw ImportFault("a frame without a name: \(line)") }
            stacks.append((frames, weight))
        }
    }
}
