// SPDX-License-Identifier: MIT
// Moments of a recording, as users name them, and when they were.

internal import CShared
package import RerenderModel

/// A moment of a recording.
package enum TraceMoment: Hashable, Sendable {
    /// So many nanoseconds after the recording's first event.
    case after(UInt64)
    case time(Timestamp)
    /// The latest mark of a name.
    case mark(String)

    /// Reads `2.5s`, `400ms`, `3m`, a time in ISO 8601, or else the name of a mark.
    package init(_ text: String) {
        if let time = Timestamp(typed: text) {
            self = .time(time)
        } else if let nanoseconds = Self.nanoseconds(text) {
            self = .after(nanoseconds)
        } else {
            self = .mark(text)
        }
    }

    private static let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600)]

    /// At most a year.
    private static func nanoseconds(_ text: String) -> UInt64? {
        for (suffix, seconds) in units where text.hasSuffix(suffix) {
            let number = text.dropLast(suffix.count)
            guard !number.isEmpty, number.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
                let count = Double(number), count * seconds <= 31_536_000
            else { return nil }
            return UInt64((count * seconds * 1e9).rounded())
        }
        return nil
    }

    /// As the user named it.
    var text: String {
        switch self {
        case .after(let nanoseconds): DurationText.short(nanoseconds) + " after the recording's beginning"
        case .time(let time): time.iso8601
        case .mark(let name): "the mark \"\(Printable.text(name))\""
        }
    }

    /// The name of its mark; nil for another moment.
    fileprivate var mark: String? { if case .mark(let name) = self { name } else { nil } }
}

/// When a span of a recording begins and ends, in nanoseconds since 1970.
package struct TraceWindow: Hashable, Sendable {
    /// Nil for the recording's beginning, and for its end.
    package let from: Int64?
    package let to: Int64?
    /// As the user named its beginning.
    private let begin: TraceMoment?

    /// Finds out when a span of the recording below `path` is: by its first events, or by all where a mark is a moment.
    ///
    /// Throws ``TraceError`` where there is no trace, where it cannot be read, where it lacks a mark, and where the span ends before it begins.
    package static func find(
        path: String, from: TraceMoment?, to: TraceMoment?, _ progress: ((TraceProgress) -> Void)? = nil
    ) throws -> TraceWindow {
        var times = TraceTimes(of: [from, to].compactMap(\.self))
        try times.read(path: path, progress)
        let found = times
        let start = try from.map { try found.time(of: $0) }
        let end = try to.map { try found.time(of: $0) }
        if let start, let end, let from, let to, end <= start {
            throw TraceError(.empty, "\(to.text) is not after \(from.text).")
        }
        return TraceWindow(from: start, to: end, begin: from)
    }

    /// Whether an event of that time is in it.
    func contains(_ nanoseconds: Int64) -> Bool {
        if let from, nanoseconds < from { return false }
        return to.map { nanoseconds <= $0 } ?? true
    }

    /// Throws where the latest event came before it, or no event did.
    func require(latest: Int64?) throws(TraceError) {
        guard let from, let begin, latest.map({ $0 < from }) ?? true else { return }
        throw TraceError(.empty, "no event of the recording is after \(begin.text), as far as it is asked for.")
    }
}

/// When the moments of a recording were that somebody asks for.
struct TraceTimes {
    /// How many names of marks an error lists where it finds none.
    private static let mostNames = 20

    private struct IsEnough: Error {}

    /// The first event's time, in nanoseconds since 1970; nil before it.
    private(set) var began: Int64?
    private let wanted: Set<String>
    private var latest: [String: Int64] = [:]
    private var names: Set<String> = []

    /// - Parameter moments: Those that are asked for.
    init(of moments: [TraceMoment]) { wanted = Set(moments.compactMap(\.mark)) }

    /// Reads the recording below `path`: as far as its first events, if no mark is asked for.
    mutating func read(path: String, _ progress: ((TraceProgress) -> Void)?) throws {
        var times = self
        do {
            let trace = try TraceReader(path: path)
            let texts = trace.texts
            try trace.read(progress: progress) { events in
                for index in events.indices { times.take(events[index], texts) }
                if times.wanted.isEmpty, times.began != nil { throw IsEnough() }
            }
        } catch is IsEnough {}
        self = times
    }

    /// Takes an event, in the order of time.
    mutating func take(_ event: borrowing TraceEvent, _ texts: TraceTexts) {
        if case .discarded = event.what { return }
        if began == nil { began = event.nanoseconds }
        guard !wanted.isEmpty, case .other(let other) = event.what, texts[other.event] == "com.rerender.Mark:event"
        else { return }
        let name = texts[other.fields.message]
        if names.count < Self.mostNames { names.insert(name) }
        if wanted.contains(name) { latest[name] = event.nanoseconds }
    }

    /// When a moment was, in nanoseconds since 1970. Throws for a mark that the recording does not have.
    func time(of moment: TraceMoment) throws(TraceError) -> Int64 {
        switch moment {
        case .after(let nanoseconds): return (began ?? 0).later(by: nanoseconds)
        case .time(let time): return time.nanosecondsSince1970
        case .mark(let name):
            if let time = latest[name] { return time }
            let known = names.sorted().map { "\"\(Printable.text($0))\"" }.joined(separator: ", ")
            let advice = names.isEmpty ? "It has no mark. See: rerenderctl help mark" : "It has \(known)."
            throw TraceError(.empty, "the recording has no \(moment.text.dropFirst(4)).\n\(advice)")
        }
    }
}
