// SPDX-License-Identifier: MIT
// Adds up what is evaluated without input, by its causes.

import RerenderModel
import RerenderWire

/// Why something is evaluated without input: what happened to which view, and who did it.
struct WorkCause: Hashable, Sendable {
    /// The number of the view in its store, and its key.
    let view: UInt32
    let key: ViewKey
    let reason: String
    let writer: Writer?
    let callback: WorkCallback?

    static func == (lhs: WorkCause, rhs: WorkCause) -> Bool {
        lhs.view == rhs.view && lhs.reason == rhs.reason && lhs.writer == rhs.writer && lhs.callback == rhs.callback
    }

    func hash(into hasher: inout Hasher) { hasher.combine(view) }
}

/// What the writer was called by: a callback of the main loop.
struct WorkCallback: Hashable, Sendable {
    /// What called it, such as `timer`.
    let source: String
    /// Its function; nil where it is not known.
    let function: Writer?

    /// - Parameter function: Its address; 0 where it is not known.
    init(source: String, function: UInt) {
        self.source = source
        guard function != 0 else {
            self.function = nil
            return
        }
        // Addresses of stacks are behind the calls.
        let origin = WriteOrigin(stack: .ofCaller(function + 1), handler: nil)
        self.function = Writer(function: .caller, origin: origin)
    }

    /// As it travels. Takes milliseconds for a function not named before.
    var named: IdleWork.Callback {
        let name = function?.name
        return IdleWork.Callback(source: source, function: name == WriterStacks.unknown ? nil : name)
    }
}

/// A cause in a list; of another cause once its place was given away.
struct WorkPlace: Hashable, Sendable {
    fileprivate let index: UInt32
    fileprivate let serial: UInt32
}

/// What a store's evaluations without input are. Plain values; a lock guards them. Bounded: the causes of least work make room for others, and
/// of those that a reader sees, the first ones are kept.
struct WorkList: Sendable {
    /// One cause, or the frames.
    private struct Entry: Sendable {
        let kind: IdleWork.Kind
        var cause: WorkCause?
        var serial: UInt32 = 0
        var all = IdleWork.Amount()
        var latest = IdleWork.Amount()
        var beganAt: UInt64 = 0
        var endedAt: UInt64 = 0
        /// Its number among those that a reader sees.
        var number: Int?

        /// Adds one evaluation or frame.
        mutating func note(isOwn: Bool, nanoseconds: UInt64, at now: UInt64, inputAt: UInt64) {
            if all.count == 0 || inputAt > endedAt || now > endedAt &+ StoreLimits.quietNanoseconds {
                latest = IdleWork.Amount()
                beganAt = now
            }
            // The clock may be read a few nanoseconds early.
            endedAt = max(endedAt, now)
            all.add(isOwn: isOwn, nanoseconds: nanoseconds)
            latest.add(isOwn: isOwn, nanoseconds: nanoseconds)
        }
    }

    private var epoch: UInt32
    private var entries: [Entry] = []
    /// The places of those that a reader sees, in the order in which they were found.
    private var shown: [Int] = []
    private var frames: Int?
    private var others: Int?
    private var serials: UInt32 = 0

    init(epoch: UInt32 = 0) { self.epoch = epoch }

    /// Clears the list if a new epoch has begun. Places of before lead nowhere then.
    mutating func enter(epoch: UInt32) {
        guard epoch != self.epoch else { return }
        let serials = serials
        self = WorkList(epoch: epoch)
        self.serials = serials
    }

    /// The place of a cause.
    mutating func place(of cause: WorkCause) -> WorkPlace {
        var index = 0
        // By hand, because in a debug build every iterator of the standard library allocates.
        while index < entries.count {
            if entries[index].cause == cause { return WorkPlace(index: UInt32(index), serial: entries[index].serial) }
            index += 1
        }
        serials &+= 1
        let entry = Entry(kind: .evaluations, cause: cause, serial: serials)
        index = makeRoom()
        if index == entries.count { entries.append(entry) } else { entries[index] = entry }
        return WorkPlace(index: UInt32(index), serial: serials)
    }

    /// Where a new cause goes: behind the others or, where there are too many, in the place of the one that came least recently.
    private func makeRoom() -> Int {
        guard entries.count >= StoreLimits.workCauses else { return entries.count }
        return entries.indices.filter { entries[$0].number == nil && entries[$0].cause != nil }
            .min { entries[$0].endedAt < entries[$1].endedAt } ?? entries.count
    }

    /// Adds an evaluation of a view that a cause led to; true if that changes what a reader sees.
    ///
    /// - Parameter inputAt: When input came last.
    mutating func note(_ place: WorkPlace, view: UInt32, nanoseconds: UInt64, at now: UInt64, inputAt: UInt64) -> Bool {
        let index = Int(place.index)
        guard index < entries.count, entries[index].serial == place.serial, let cause = entries[index].cause else {
            return false
        }
        entries[index].note(isOwn: cause.view == view, nanoseconds: nanoseconds, at: now, inputAt: inputAt)
        return show(index, at: now, inputAt: inputAt, nanoseconds: nanoseconds)
    }

    /// Adds a frame.
    mutating func noteFrame(nanoseconds: UInt64, at now: UInt64, inputAt: UInt64) -> Bool {
        let index = frames ?? add(.frames)
        frames = index
        entries[index].note(isOwn: true, nanoseconds: nanoseconds, at: now, inputAt: inputAt)
        return show(index, at: now, inputAt: inputAt, nanoseconds: nanoseconds)
    }

    private mutating func add(_ kind: IdleWork.Kind) -> Int {
        entries.append(Entry(kind: kind))
        return entries.count - 1
    }

    /// Shows a cause from so many evaluations in a row on; one without room is counted with the others.
    private mutating func show(_ index: Int, at now: UInt64, inputAt: UInt64, nanoseconds: UInt64) -> Bool {
        guard entries[index].number == nil else { return true }
        guard entries[index].latest.own >= StoreLimits.workInARow else { return false }
        if shown.count < StoreLimits.shownWork || entries[index].kind != .evaluations {
            entries[index].number = shown.count
            shown.append(index)
        } else {
            let other = others ?? add(.others)
            others = other
            entries[other].note(isOwn: true, nanoseconds: nanoseconds, at: now, inputAt: inputAt)
            if entries[other].number == nil {
                entries[other].number = shown.count
                shown.append(other)
            }
        }
        return true
    }

    /// What a reader sees, in the order in which it was found.
    ///
    /// - Parameter named: Whether writers and callbacks are named, which takes milliseconds, once; else they are left out.
    func work(_ wallClock: WallClock, named: Bool) -> [IdleWork] {
        shown.map { index in
            let entry = entries[index]
            var work = IdleWork(entry.kind, latestAt: wallClock.time(at: entry.endedAt))
            work.view = entry.cause?.key.rawValue ?? ""
            work.reason = entry.cause?.reason ?? ""
            if named {
                work.writer = entry.cause?.writer?.name
                work.callback = entry.cause?.callback?.named
            }
            (work.all, work.latest) = (entry.all, entry.latest)
            work.latestDuration = entry.endedAt &- entry.beganAt
            return work
        }
    }
}
