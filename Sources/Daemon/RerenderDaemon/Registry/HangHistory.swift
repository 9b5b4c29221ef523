// SPDX-License-Identifier: MIT
// The hangs that the daemon knows, a bounded number of them, each once where several copies of the library tell of it.

internal import NIOCore
import RerenderModel
import RerenderWire

/// Hangs in the order in which they were opened. Confined to the registry's event loop.
struct HangHistory {
    /// A hang and whose it is.
    struct Entry {
        /// The hang as it is listed.
        fileprivate(set) var hang: Hang
        /// The client that told of it, or the first where several copies in a process did.
        let process: ProcessInstance
        /// What each copy says of it.
        fileprivate var reports: [Hang]
        /// The source that ran at each look, where the app knew it; not of an earlier daemon's looks.
        fileprivate var sources: [String] = []
        /// How often an app has answered what its thread does; not those of an earlier daemon.
        fileprivate(set) var looks = 0
        /// When readers of events last heard that it goes on.
        var toldAt: Timestamp
        /// Whether it is from a daemon that ran before this one.
        let isRestored: Bool

        fileprivate init(hang: Hang, process: ProcessInstance, toldAt: Timestamp, isRestored: Bool = false) {
            (self.hang, self.process, reports) = (hang, process, [hang])
            (self.toldAt, self.isRestored) = (toldAt, isRestored)
        }

        /// Whether another report may be added: the pages of a process are its own, which may make up as many as it
        /// likes.
        fileprivate var hasRoom: Bool { reports.count < 32 }

        fileprivate func isListed(as id: UInt64) -> Bool { hang.id == id || reports.contains { $0.id == id } }

        /// The largest number of it and its reports.
        fileprivate var latestID: UInt64 { reports.reduce(hang.id) { max($0, $1.id) } }

        /// Takes in what a client says of the hang; the stacks, the activities and the trace stay.
        fileprivate mutating func take(_ report: Hang) {
            if let index = reports.firstIndex(where: { $0.id == report.id }) {
                reports[index] = report
            } else {
                reports.append(report)
            }
            sumUp()
            hang.trace = hang.trace ?? report.trace
        }

        /// Ends what is open of it: no client follows it any more.
        fileprivate mutating func end(_ ending: HangEnding) {
            for index in reports.indices where reports[index].open {
                (reports[index].open, reports[index].ended) = (false, ending)
            }
            (hang.open, hang.ended) = (false, ending)
        }

        /// Leaves out what a client said of it; false if no other did.
        fileprivate mutating func leaveOut(_ report: UInt64) -> Bool {
            guard reports.count > 1 else { return false }
            reports.removeAll { $0.id == report }
            sumUp()
            return true
        }

        private mutating func sumUp() {
            let listed = hang
            hang = Hang.ofCopies(reports) ?? listed
            (hang.id, hang.turn, hang.trace) = (listed.id, listed.turn, listed.trace)
            (hang.stacks, hang.activities) = (listed.stacks, listed.activities)
            (hang.source, hang.call) = (listed.source, listed.call)
        }

        /// Finds the source or handler that it was in: by the stacks, or else by what the app said at the looks. A look that has
        /// neither may have been at another one. What an earlier daemon found stays.
        fileprivate mutating func findSource() {
            guard !isRestored else { return }
            let looks = max(hang.stacks.count, hang.activities.reduce(0) { $0 + Int($1.count) })
            if let lock = HangCulprit.lock(in: sources, of: looks) {
                (hang.source, hang.call) = (lock, nil)
                return
            }
            var found: (source: String?, call: String?) = (nil, nil)
            if hang.stacks.count * 2 > looks { found = HangCulprit.find(in: hang.stacks) }
            let told = sources.first { source in sources.count(where: { $0 == source }) * 2 > looks }
            let holder = HangCulprit.holder(in: hang.activities, of: looks).map { " for the mutex that \($0) held" }
            let call = found.call.map { $0 + (holder ?? "") } ?? HangCulprit.display(in: hang.stacks, of: looks)
            (hang.source, hang.call) = (found.source ?? told, call)
        }
    }

    private let limits: DaemonLimits
    private(set) var entries: [Entry] = []
    /// Estimated memory of the entries.
    private(set) var bytes = 0
    /// Hangs forgotten to make room.
    private(set) var forgotten: UInt64 = 0

    init(limits: DaemonLimits) {
        self.limits = limits
    }

    // MARK: Changes

    /// Adds a hang, or replaces what was known of it; its stacks stay. False if it was heard of before under another
    /// number, from a daemon that ran before this one.
    ///
    /// A process has one main loop. What several copies of the library in it tell of the same time is one hang, listed
    /// under the number of the first. A report that one has no room for is a hang of its own.
    mutating func put(_ hang: Hang, of process: ProcessInstance, now: Timestamp = .now) -> Bool {
        if let index = index(of: hang.id) {
            change(index) { $0.take(hang) }
        } else if let index = entries.lastIndex(where: { $0.isShared(with: process) && $0.hang.isAtTheTime(of: hang) }),
            entries[index].hasRoom
        {
            change(index) { $0.take(hang) }
        } else {
            guard !entries.contains(where: { $0.isSame(as: hang, of: process) }) else { return false }
            append(Entry(hang: hang, process: process, toldAt: now))
        }
        makeRoom()
        return true
    }

    /// Adds a hang that another daemon kept, or replaces what it kept before; the stacks follow.
    mutating func restore(_ hang: Hang, of process: ProcessInstance) {
        if let index = index(of: hang.id) {
            change(index) {
                $0 = Entry(hang: hang, process: process, toldAt: $0.toldAt, isRestored: $0.isRestored)
            }
        } else {
            append(Entry(hang: hang, process: process, toldAt: .now, isRestored: true))
        }
        makeRoom()
    }

    /// Adds a stack to a hang that was restored.
    mutating func restore(_ stack: StackSample) {
        guard let index = index(of: stack.hang) else { return }
        _ = add(stack, of: entries[index].process)
    }

    /// Takes out what turned out not to be a hang; true if it is gone from the list, because no other copy of the
    /// library tells of it.
    mutating func remove(_ id: UInt64) -> Bool {
        guard let index = index(of: id) else { return false }
        var isShared = false
        change(index) { isShared = $0.leaveOut(id) }
        guard !isShared else { return false }
        take(index)
        return true
    }

    /// Adds what the process saw in one of its hangs; whether there was such a hang and room in it.
    mutating func add(_ sample: StackSample, of process: ProcessInstance) -> Bool {
        guard let index = index(of: sample.hang), entries[index].process.isSameProcess(as: process),
            entries[index].reports.first(where: { $0.id == sample.hang })?.turn == sample.turn
        else { return false }
        entries[index].looks += 1
        let isNew = note(sample.activity, at: index)
        let hasStack = !sample.frames.isEmpty && entries[index].hang.stacks.count < limits.stacksPerHang
        if hasStack {
            let holder = sample.holder.isEmpty ? nil : sample.holder
            let stack = Hang.Stack(atNanoseconds: sample.atNanoseconds, frames: sample.frames, holder: holder)
            change(index) { $0.hang.stacks.append(stack) }
        }
        let hasRoom = !sample.source.isEmpty && entries[index].sources.count < limits.stacksPerHang
        // The hang was over before the app could look: then its main loop's account tells of the source alone.
        let isLate = hasRoom && sample.activity.isEmpty && sample.frames.isEmpty
        if isNew || hasStack || isLate {
            change(index) {
                if hasRoom { $0.sources.append(sample.source) }
                $0.findSource()
            }
        }
        makeRoom()
        return isNew || hasStack || isLate
    }

    /// Counts what the thread was seen doing; false if there is no room. As many looks as stacks are asked for.
    private mutating func note(_ activity: String, at index: Int) -> Bool {
        var known = entries[index].hang.activities
        guard !activity.isEmpty, known.reduce(0, { $0 + Int($1.count) }) < limits.stacksPerHang else { return false }
        if let place = known.firstIndex(where: { $0.text == activity }) {
            known[place].count += 1
        } else {
            known.append(.init(text: activity, count: 1))
        }
        known.sort { $0.count > $1.count }
        change(index) { $0.hang.activities = known }
        return true
    }

    /// Closes the open hangs of a process that the watchdog watches no more; returns them.
    mutating func endOpen(of process: ProcessInstance, _ ending: HangEnding) -> [UInt64] {
        var ended: [UInt64] = []
        for index in entries.indices where entries[index].process == process && entries[index].hang.open {
            entries[index].end(ending)
            ended.append(entries[index].hang.id)
        }
        return ended
    }

    /// Notes where the trace of a hang is; false if there is no such hang, or that is known.
    mutating func note(trace: String, of id: UInt64) -> Bool {
        guard let index = index(of: id), entries[index].hang.trace == nil else { return false }
        change(index) { $0.hang.trace = trace }
        return true
    }

    /// Forgets where traces of a directory were that have been deleted since.
    mutating func forgetTraces(in directory: String, except kept: Set<String>) {
        for index in entries.indices {
            guard let trace = entries[index].hang.trace, trace.hasPrefix(directory + "/"), !kept.contains(trace) else {
                continue
            }
            change(index) { $0.hang.trace = nil }
        }
    }

    /// Whether readers of events are to hear again that the hang goes on.
    mutating func isDue(_ id: UInt64, now: Timestamp) -> Bool {
        guard let index = index(of: id) else { return false }
        let age = now.nanosecondsSince1970.subtractingReportingOverflow(entries[index].toldAt.nanosecondsSince1970)
        // A real-time clock that was set back says nothing.
        guard age.partialValue < 0 || age.partialValue >= limits.hangEventInterval.nanoseconds else { return false }
        entries[index].toldAt = now
        return true
    }

    /// Forgets the oldest of the process that takes most; one that is open only when nothing else of it is left.
    ///
    /// So an app with very many hangs, or with a page that makes them up, pushes out its own and not those of others.
    private mutating func makeRoom() {
        while entries.count > limits.hangs || (bytes > limits.hangBytes && entries.count > 1) {
            let isOverCount = entries.count > limits.hangs
            let usage: [ProcessInstance: Int] = entries.reduce(into: [:]) {
                $0[$1.process, default: 0] += isOverCount ? 1 : Self.bytes(of: $1)
            }
            let process = usage.max { $0.value < $1.value }?.key
            let index = entries.firstIndex { $0.process == process && !$0.hang.open }
            take(index ?? entries.firstIndex { $0.process == process } ?? 0)
            forgotten &+= 1
        }
    }

    private mutating func append(_ entry: Entry) {
        entries.append(entry)
        bytes += Self.bytes(of: entry)
    }

    private mutating func take(_ index: Int) {
        bytes -= Self.bytes(of: entries.remove(at: index))
    }

    private mutating func change(_ index: Int, _ change: (inout Entry) -> Void) {
        bytes -= Self.bytes(of: entries[index])
        change(&entries[index])
        bytes += Self.bytes(of: entries[index])
    }

    private static func bytes(of entry: Entry) -> Int {
        let sources = entry.sources.reduce(0) { $0 + 16 + $1.utf8.count }
        return entry.reports.dropFirst().reduce(bytes(of: entry.hang) + sources) { $0 + bytes(of: $1) }
    }

    private static func bytes(of hang: Hang) -> Int {
        let texts = [
            hang.process, hang.view?.rawValue, hang.handler, hang.lastRendered?.rawValue, hang.waitingOn, hang.trace,
            hang.viewStore?.name, hang.viewAtThresholdStore?.name, hang.lastRenderedStore?.name, hang.source, hang.call,
        ]
        return MemoryLayout<Entry>.stride + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
            + hang.shares.reduce(0) { $0 + 64 + Self.bytes(of: $1) }
            + hang.stacks.reduce(0) { ($1.frames + ($1.holder ?? [])).reduce($0 + 64) { $0 + 32 + $1.utf8.count } }
            + hang.activities.reduce(0) { $0 + 32 + $1.text.utf8.count }
    }

    private static func bytes(of share: Hang.Share) -> Int {
        share.view.rawValue.utf8.count + (share.handler?.utf8.count ?? 0) + (share.store?.name.utf8.count ?? 0)
    }

    // MARK: Answers

    func entry(_ id: UInt64) -> Entry? { index(of: id).map { entries[$0] } }
    func hang(_ id: UInt64) -> Hang? { entry(id)?.hang }

    var openHangs: [UInt64] { entries.filter(\.hang.open).map(\.hang.id) }

    /// The largest number of a hang, or of what a copy tells of one; 0 without one.
    var latestID: UInt64 { entries.reduce(0) { max($0, $1.latestID) } }

    /// The hangs that match, newest first, at most `limit` of them.
    func list(limit: Int?, where matches: (Hang) -> Bool) -> [Hang] {
        Array(entries.reversed().lazy.map(\.hang).filter(matches).prefix(limit ?? .max))
    }

    private func index(of id: UInt64) -> Int? {
        // Almost always one of the latest.
        entries.lastIndex { $0.isListed(as: id) }
    }
}

extension HangHistory.Entry {
    /// Whether another copy of the library in the same process may tell of the same hang.
    fileprivate func isShared(with other: ProcessInstance) -> Bool {
        process != other && process.isSameProcess(as: other)
    }

    /// Turns are numbered anew only by another program, which can hardly have begun one at the same moment.
    fileprivate func isSame(as other: Hang, of process: ProcessInstance) -> Bool {
        guard self.process == process, hang.turn == other.turn else { return false }
        // The start by the real-time clock is worked out anew each time.
        let apart = hang.startedAt.nanosecondsSince1970.subtractingReportingOverflow(
            other.startedAt.nanosecondsSince1970)
        guard apart.partialValue.magnitude < 1_000_000_000 else { return false }
        // Of this daemon's own, only one that was read from the page again: its length is the app's.
        return isRestored || hang.durationNanoseconds == other.durationNanoseconds
    }
}

/// What the page of each copy says of one hang. A copy sees the bodies of its own views alone.
extension Hang {
    /// What copies say of a hang, as one: what the copy says that knows the largest share of it. Nil without any.
    static func ofCopies(_ reports: [Hang]) -> Hang? {
        // Each copy sees the time of the source, with the bodies of all of them in it: a view or a handler says more.
        func known(_ report: Hang) -> (UInt64, UInt64) {
            let isNamed = report.view != nil || report.handler != nil
            return (isNamed ? report.share ?? 0 : 0, report.sourceNanoseconds ?? 0)
        }
        guard var hang = reports.max(by: { known($0) < known($1) }) else { return nil }
        hang.open = reports.contains(where: \.open)
        if hang.open { hang.ended = nil }
        return hang
    }

    /// Whether both are about the same time: they share more than half of the shorter.
    func isAtTheTime(of other: Hang) -> Bool {
        let (start, otherStart) = (startedAt.nanosecondsSince1970, other.startedAt.nanosecondsSince1970)
        let shorter = min(durationNanoseconds, other.durationNanoseconds)
        let (later, isOver) = otherStart.subtractingReportingOverflow(start)
        guard !isOver else { return false }
        let length = later >= 0 ? durationNanoseconds : other.durationNanoseconds
        return min(length.saturatingDifference(later.magnitude), shorter) > shorter / 2
    }
}
