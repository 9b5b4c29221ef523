// SPDX-License-Identifier: MIT
// Which rows of a list are there: the pure part of lazy lists.

/// The part of a list's rows that is made: those that can be seen, the last of them perhaps in part.
///
/// How high a row is is known only once it is made, so that the window is found in steps: a row to begin with, then as
/// many as would fill the space if they were as high as the highest so far.
struct RowWindow {
    private(set) var count: Int
    /// The row at the top.
    private(set) var first = 0
    /// How many rows are made from there on.
    private(set) var made: Int
    /// The row that is wanted at the top; nil once it is there, or the end is.
    private var goal: Int?
    /// How high the made rows are, as far as it is known.
    private var heights: [Int] = []
    private var space = 0
    /// What was found not to fit in before a row at the top.
    private var tooHigh: (before: Int, height: Int)?

    init(count: Int) {
        self.count = count
        made = min(1, count)
    }

    var rows: Range<Int> { first..<first + made }

    /// How high a made row is, counted from the first; a line while that is not known.
    func height(at index: Int) -> Int { heights.indices.contains(index) ? heights[index] : 1 }

    /// There may be other rows; what is at the top stays there as far as there are enough. They are to be measured.
    ///
    /// The window takes in all rows that are there already and may stay in sight: what is outside of it for one step is
    /// made anew. `known` is asked for the height of no more rows than there are lines; nil for one that is not there.
    mutating func setCount(_ count: Int, known: (Int) -> Int?) {
        self.count = count
        heights = []
        tooHigh = nil
        let top = min(first, max(0, count - 1))
        first = firstKept(before: top, known)
        // Should those from there on be higher than thought, the end is not to be lost.
        goal = first < top ? top : nil
        made = goal == nil ? min(max(made, 1), count - first) : count - first
        if made < min(count - first, space) { made = max(made, endOfKept(known) - first) }
    }

    /// The first row that is there and stays in sight with all that follow it; the top if there is none before.
    private func firstKept(before top: Int, _ known: (Int) -> Int?) -> Int {
        guard count - top < space else { return top }
        var kept = top
        var filled = 0
        for row in (0..<count).reversed() {
            let height = known(row)
            filled += height ?? 1
            if filled > space { break }
            if height != nil { kept = min(kept, row) }
        }
        return kept
    }

    /// The end of the rows that are there and may be in sight below the top.
    private func endOfKept(_ known: (Int) -> Int?) -> Int {
        var end = first
        var filled = 0
        for row in first..<min(count, first + space) where filled < space {
            let height = known(row)
            if height != nil { end = row + 1 }
            filled += height ?? 1
        }
        return end
    }

    /// Scrolls by so many rows, as far as there are any.
    mutating func scroll(by rows: Int) { scroll(to: first + min(max(rows, -count), count)) }

    /// Scrolls so that a row is at the top, or the last one is seen whole. Rows that stay in sight stay made.
    mutating func scroll(to row: Int) {
        let row = min(max(row, 0), max(0, count - 1))
        if row > first {
            goal = row
            advance()
        } else if row < first {
            goal = nil
            first = row
            heights = []
        }
    }

    /// The made rows are so high; whether others have to be made or taken away to fill the space and no more.
    mutating func measured(_ heights: [Int], in space: Int) -> Bool {
        let old = rows
        // A row without anything in it is a line, too: or all rows would be in sight.
        self.heights = heights.map { max(1, $0) }
        self.space = space
        if goal != nil, first + made == count { advance() }
        fill()
        if rows == old, goal != nil { advance() }
        return rows != old
    }

    private mutating func fill() {
        var filled = 0
        for (index, height) in heights.enumerated() {
            if index > 0, filled >= space {
                heights.removeSubrange(index...)
                made = index
                return
            }
            filled += height
        }
        let left = space - filled
        guard left > 0, let highest = heights.max() else { return }
        let after = count - first - made
        if after > 0 {
            made += min((left + highest - 1) / highest, after)
        } else {
            // The end is reached: rows before the top fill what is left, as far as they fit in whole.
            if let tooHigh, tooHigh.before == first, left < tooHigh.height { return }
            let before = min(left / highest, first)
            guard before > 0 else { return }
            // Should they be higher than thought, the end is not to be lost.
            goal = first
            first -= before
            made += before
        }
    }

    /// Goes on towards the goal, as far as what is known shows where the end is.
    private mutating func advance() {
        guard let goal, goal > first else { return self.goal = nil }
        let missing = count - first - made
        guard missing == 0 else { return drop(min(goal - first, missing)) }
        guard heights.count == made else { return }
        var filled = heights.reduce(0, +)
        var dropped = 0
        while filled > space, first + dropped < goal {
            filled -= heights[dropped]
            dropped += 1
        }
        if dropped > 0 { tooHigh = (first + dropped, heights[dropped - 1]) }
        drop(dropped)
        self.goal = nil
    }

    /// Takes rows away at the top; those that follow stay, and one is always made.
    private mutating func drop(_ rows: Int) {
        first += rows
        made = max(made - rows, 1)
        heights.removeFirst(min(rows, heights.count))
    }
}
