// SPDX-License-Identifier: MIT
// Two recordings beside each other: views by process and key, turns by their order.

/// An older recording beside a page's own. Processes are the same if they have the same name.
package struct PageComparison: Encodable, Sendable {
    /// Sums of a view in one recording.
    package struct Sums: Encodable, Hashable, Sendable {
        package var evaluations: UInt64 = 0
        package var wasted: UInt64 = 0
        /// Time in its own bodies.
        package var own: UInt64 = 0
    }

    /// A view; nil for a recording in which it was not evaluated.
    package struct View: Encodable, Sendable {
        package let process: String
        package let key: String
        package var old: Sums?
        package var new: Sums?
        /// Its place on the page.
        package var view: Int?
    }

    /// A turn in one recording.
    package struct Moment: Encodable, Hashable, Sendable {
        /// Since the recording began.
        package let start: UInt64
        package let duration: UInt64
        package let evaluations: UInt64
    }

    /// The turns of one number, counted from 1 among the turns with evaluations of a process; nil where there are not as many.
    package struct Turn: Encodable, Sendable {
        package let process: String
        package let number: Int
        package var old: Moment?
        package var new: Moment?
        /// The process's place on the page.
        package var place: Int?
    }

    /// What the older recording is: its path, and when it began.
    package let title: String
    package let recordedAt: String
    package private(set) var views: [View] = []
    package private(set) var turns: [Turn] = []
    /// Turns beyond ``PageLimits/comparedTurns``.
    package private(set) var turnsLeft = 0
    /// Processes whose turns cannot be told apart: there are several of that name, or turns are drawn in groups.
    package private(set) var unaligned: [String] = []

    private struct Key: Hashable {
        let process: String
        let key: String
    }

    init(old: ReportPage, new: ReportPage, limits: PageLimits = PageLimits()) {
        (title, recordedAt) = (old.title, old.recordedAt)
        compareViews(old, new)
        compareTurns(old, new, limits)
    }

    private mutating func compareViews(_ old: ReportPage, _ new: ReportPage) {
        let (before, now) = (Self.sums(old), Self.sums(new))
        var places: [Key: Int] = [:]
        for (place, view) in new.views.enumerated() {
            let key = Key(process: new.processes[view.process].name, key: view.key)
            places[key] = places[key] ?? place
        }
        views = Set(before.keys).union(now.keys).map { key in
            View(process: key.process, key: key.key, old: before[key], new: now[key], view: places[key])
        }
        views.sort {
            ($1.new?.own ?? 0, $1.old?.own ?? 0, $0.key, $0.process) < (
                $0.new?.own ?? 0, $0.old?.own ?? 0, $1.key, $1.process
            )
        }
    }

    /// The views that were evaluated.
    private static func sums(_ page: ReportPage) -> [Key: Sums] {
        var own = [UInt64](repeating: 0, count: page.views.count)
        for interval in page.evaluations { own[Int(interval.lane)] &+= interval.amount.minus(interval.inner) }
        var sums: [Key: Sums] = [:]
        for (view, own) in zip(page.views, own) where view.count > 0 {
            var sum = sums[Key(process: page.processes[view.process].name, key: view.key)] ?? Sums()
            sum.evaluations &+= view.count
            sum.wasted &+= view.wasted
            sum.own &+= own
            sums[Key(process: page.processes[view.process].name, key: view.key)] = sum
        }
        return sums
    }

    private mutating func compareTurns(_ old: ReportPage, _ new: ReportPage, _ limits: PageLimits) {
        let (before, now) = (Self.turns(old), Self.turns(new))
        for process in Set(before.keys).union(now.keys).sorted() {
            let (before, now) = (before[process] ?? Turns(), now[process] ?? Turns())
            guard before.areNumbered && now.areNumbered else { unaligned.append(process); continue }
            let (count, room) = (max(before.all.count, now.all.count), limits.comparedTurns - turns.count)
            turnsLeft += max(0, count - room)
            for index in 0..<min(count, room) {
                turns.append(
                    Turn(
                        process: process, number: index + 1, old: before[index], new: now[index], place: now.process))
            }
        }
    }

    /// The turns with evaluations of the processes of one name.
    private struct Turns {
        var process: Int?
        var all: [Moment] = []
        /// Whether there is one such process, and each of its turns is drawn by itself.
        var areNumbered = true

        subscript(index: Int) -> Moment? { index < all.count ? all[index] : nil }
    }

    private static func turns(_ page: ReportPage) -> [String: Turns] {
        var turns: [String: Turns] = [:]
        for turn in page.turns where turn.amount > 0 {
            let (place, name) = (Int(turn.lane), page.processes[Int(turn.lane)].name)
            var found = turns[name] ?? Turns(process: place)
            if turn.count > 1 || found.process != place { found.areNumbered = false }
            let start = turn.start.nanoseconds(since: page.origin)
            found.all.append(Moment(start: start, duration: turn.duration, evaluations: turn.amount))
            turns[name] = found
        }
        return turns
    }
}

extension ReportPage {
    /// Puts an older recording beside this one.
    package mutating func compare(with old: ReportPage) { compared = PageComparison(old: old, new: self) }
}
