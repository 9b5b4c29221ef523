// SPDX-License-Identifier: MIT
// Adds up what is evaluated without input, by its causes.

import RerenderModel
import RerenderWire

/// What a store's evaluations without input are. Plain values; a lock guards them.
///
/// Bounded. A cause without a place takes that of one that no reader sees and that is over; while none is, it is counted with the
/// others. So a program with more causes than places never looks for one at each evaluation.
struct WorkList: Sendable {
    /// What became of an evaluation that was added.
    enum Noted {
        /// Nothing: its place was given away, and its cause needs another one.
        case nowhere
        case hidden
        /// It changed what a reader sees.
        case shown
    }

    /// One cause, the frames, or the others.
    fileprivate struct Entry: Sendable {
        let kind: IdleWork.Kind
        let cause: WorkCause?
        /// The view of the cause, to be compared without copying that, which retains what is in it.
        let view: UInt32?
        var serial: UInt32
        var all = IdleWork.Amount()
        var latest = IdleWork.Amount()
        var beganAt: UInt64 = 0
        var endedAt: UInt64
        var isShown = false

        init(_ kind: IdleWork.Kind, _ cause: WorkCause? = nil, serial: UInt32, endedAt: UInt64 = 0) {
            (self.kind, self.cause, view) = (kind, cause, cause?.view)
            (self.serial, self.endedAt) = (serial, endedAt)
        }

        /// Whether its row has ended.
        func isOver(at now: UInt64) -> Bool { now > endedAt &+ StoreLimits.quietNanoseconds }

        /// Adds one evaluation or frame.
        ///
        /// - Parameter isWasted: Whether it was measured not to be needed; nil of a frame.
        mutating func note(isOwn: Bool, nanoseconds: UInt64, isWasted: Bool?, at now: UInt64, inputAt: UInt64) {
            if latest.count == 0 || inputAt > endedAt || isOver(at: now) {
                latest = IdleWork.Amount()
                beganAt = now
            }
            // The clock may be read a few nanoseconds early.
            endedAt = max(endedAt, now)
            all.add(isOwn: isOwn, nanoseconds: nanoseconds, isWasted: isWasted)
            latest.add(isOwn: isOwn, nanoseconds: nanoseconds, isWasted: isWasted)
        }

        /// Takes over what was counted for another one, and its row if that is the later one.
        mutating func take(_ other: inout Entry) {
            all.own &+= other.all.own
            all.count &+= other.all.count
            all.nanoseconds &+= other.all.nanoseconds
            if let wasted = other.all.wasted { all.wasted = (all.wasted ?? 0) &+ wasted }
            other.all = IdleWork.Amount()
            guard other.endedAt > endedAt else { return }
            (latest, beganAt, endedAt) = (other.latest, other.beganAt, other.endedAt)
        }

        func work(_ wallClock: WallClock) -> IdleWork {
            var work = IdleWork(kind, latestAt: wallClock.time(at: endedAt))
            work.view = cause?.key.rawValue ?? ""
            work.reason = cause?.reason ?? ""
            work.writer = cause?.writer?.name
            work.callback = cause?.callback?.named
            (work.all, work.latest) = (all, latest)
            work.latestDuration = endedAt &- beganAt
            return work
        }
    }

    /// What a reader sees of a list, to be named outside of its lock.
    struct Shown: Sendable {
        fileprivate let entries: [Entry]

        /// As it travels. Writers and callbacks are named, which takes milliseconds, once.
        func work(_ wallClock: WallClock) -> [IdleWork] { entries.map { $0.work(wallClock) } }
    }

    private var epoch: UInt32
    private var entries: [Entry] = []
    /// The places of those that a reader sees, in the order of their numbers.
    private var shownPlaces: [Int] = []
    private var frames: Int?
    private var others: Int?
    /// When those without a place were last asked to look for one.
    private var invitedAt: UInt64 = 0
    private var serials: UInt32 = 0

    init(epoch: UInt32 = 0) { self.epoch = epoch }

    /// Clears the list if a new epoch has begun. Places of before lead nowhere then.
    mutating func enter(epoch: UInt32) {
        guard epoch != self.epoch else { return }
        let serials = serials
        self = WorkList(epoch: epoch)
        self.serials = serials
    }

    /// What a reader sees, in the order of their numbers.
    var shown: Shown { Shown(entries: shownPlaces.map { entries[$0] }) }

    /// The place of a cause, or that of the others where there is no room for it now.
    mutating func place(of cause: WorkCause, at now: UInt64) -> WorkPlace {
        var index = 0
        // By hand, because in a debug build every iterator of the standard library allocates.
        while index < entries.count {
            if entries[index].view == cause.view, entries[index].cause == cause { return place(at: index) }
            index += 1
        }
        guard let room = roomForCause(at: now) else {
            // Not in one expression: the list would be read before it has the place.
            let others = placeOfOthers()
            return place(at: others)
        }
        serials &+= 1
        // One that was just found is not the first to make room for others.
        let entry = Entry(.evaluations, cause, serial: serials, endedAt: now)
        if room == entries.count { entries.append(entry) } else { entries[room] = entry }
        return place(at: room)
    }

    private func place(at index: Int) -> WorkPlace { WorkPlace(index: UInt32(index), serial: entries[index].serial) }

    /// Where a new cause goes: behind the others or, where there are too many, in the place of the one that ended first.
    private func roomForCause(at now: UInt64) -> Int? {
        guard entries.count >= StoreLimits.workCauses else { return entries.count }
        var (index, oldest) = (0, Int?.none)
        while index < entries.count {
            if !entries[index].isShown, entries[index].kind == .evaluations, entries[index].isOver(at: now),
                oldest.map({ entries[index].endedAt < entries[$0].endedAt }) ?? true
            {
                oldest = index
            }
            index += 1
        }
        return oldest
    }

    /// Adds an evaluation of a view that a cause led to.
    ///
    /// - Parameters:
    ///   - isWasted: Whether it was measured not to be needed.
    ///   - inputAt: When input came last.
    mutating func note(
        _ place: WorkPlace, view: UInt32, nanoseconds: UInt64, isWasted: Bool = false, at now: UInt64, inputAt: UInt64
    ) -> Noted {
        let index = Int(place.index)
        guard index < entries.count, entries[index].serial == place.serial else { return .nowhere }
        let isOwn = entries[index].view.map { $0 == view } ?? true
        entries[index].note(isOwn: isOwn, nanoseconds: nanoseconds, isWasted: isWasted, at: now, inputAt: inputAt)
        if entries[index].kind == .others { invite(to: index, at: now) }
        let isShown = show(index, at: now, inputAt: inputAt, nanoseconds: nanoseconds, isWasted: isWasted)
        return isShown ? .shown : .hidden
    }

    /// Notes that the latest evaluation of a view, which was added to its own cause, turned out not to be needed.
    mutating func noteWasted(_ place: WorkPlace, view: UInt32) {
        let index = Int(place.index)
        guard index < entries.count, entries[index].serial == place.serial, entries[index].view == view else { return }
        entries[index].all.addWasted()
        entries[index].latest.addWasted()
    }

    /// Has those without a place look for one anew, as often as one can have become free.
    private mutating func invite(to others: Int, at now: UInt64) {
        guard now > invitedAt &+ StoreLimits.quietNanoseconds else { return }
        invitedAt = now
        serials &+= 1
        entries[others].serial = serials
    }

    /// Adds a frame.
    mutating func noteFrame(nanoseconds: UInt64, at now: UInt64, inputAt: UInt64) -> Bool {
        let index = frames ?? add(.frames)
        frames = index
        entries[index].note(isOwn: true, nanoseconds: nanoseconds, isWasted: nil, at: now, inputAt: inputAt)
        return show(index, at: now, inputAt: inputAt, nanoseconds: nanoseconds, isWasted: nil)
    }

    private mutating func placeOfOthers() -> Int {
        let index = others ?? add(.others)
        others = index
        return index
    }

    private mutating func add(_ kind: IdleWork.Kind) -> Int {
        serials &+= 1
        entries.append(Entry(kind, serial: serials))
        return entries.count - 1
    }

    /// Shows a cause from so many evaluations in a row on; one without room is counted with the others.
    private mutating func show(
        _ index: Int, at now: UInt64, inputAt: UInt64, nanoseconds: UInt64, isWasted: Bool?
    ) -> Bool {
        if entries[index].isShown { return true }
        guard entries[index].latest.own >= StoreLimits.workInARow else { return false }
        if entries[index].kind != .evaluations || shownPlaces.count < StoreLimits.shownWork {
            append(index)
        } else if entries[index].latest.own % StoreLimits.workInARow == 0, let number = leastOver(at: now) {
            // Not looked for each time, as it takes a while.
            hide(shownPlaces[number])
            entries[index].isShown = true
            shownPlaces[number] = index
        } else {
            let other = placeOfOthers()
            entries[other].note(
                isOwn: true, nanoseconds: nanoseconds, isWasted: isWasted, at: now, inputAt: inputAt)
            if !entries[other].isShown { append(other) }
        }
        return true
    }

    private mutating func append(_ index: Int) {
        entries[index].isShown = true
        shownPlaces.append(index)
    }

    /// The number of the cause that a reader sees and that makes room for one that goes on: of those that are over, the cheapest.
    private func leastOver(at now: UInt64) -> Int? {
        var (number, least) = (0, Int?.none)
        while number < shownPlaces.count {
            let index = shownPlaces[number]
            if entries[index].kind == .evaluations, entries[index].isOver(at: now),
                least.map({ entries[index].all.nanoseconds < entries[shownPlaces[$0]].all.nanoseconds }) ?? true
            {
                least = number
            }
            number += 1
        }
        return least
    }

    /// Counts with the others from now on what a reader has seen of a cause.
    private mutating func hide(_ index: Int) {
        let other = placeOfOthers()
        entries[index].isShown = false
        var hidden = entries[index]
        entries[other].take(&hidden)
        entries[index] = hidden
        if !entries[other].isShown { append(other) }
    }
}

/// Why something is evaluated without input: what happened to which view, and who did it.
struct WorkCause: Equatable, Sendable {
    /// The number of the view in its store, and its key.
    let view: UInt32
    let key: ViewKey
    let reason: String
    let writer: Writer?
    let callback: WorkCallback?

    static func == (lhs: WorkCause, rhs: WorkCause) -> Bool {
        lhs.view == rhs.view && lhs.reason == rhs.reason && lhs.writer == rhs.writer && lhs.callback == rhs.callback
    }
}

/// What the writer was called by: a callback of the main loop.
struct WorkCallback: Hashable, Sendable {
    /// What called it, such as `timer`.
    let source: String
    /// Its function; nil where it is not known.
    let function: Writer?
    private let address: UInt

    /// - Parameter function: Its address; 0 where it is not known.
    init(source: String, function: UInt) {
        (self.source, address) = (source, function)
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
        let replaced = WriterStacks.replaced(by: address)
        let name = replaced ?? function?.name
        return IdleWork.Callback(source: source, function: name.flatMap { WriterStacks.isUnknown($0) ? nil : $0 })
    }
}

/// A cause in a list. It leads nowhere once its place was given away.
struct WorkPlace: Equatable, Sendable {
    let index: UInt32
    let serial: UInt32
}
