// SPDX-License-Identifier: MIT
// Which rows of a lazy stack are made and where they lie: the pure part.

/// The rows of a lazy stack: those that are made, and the room for all others.
///
/// How high a row is is known only once it is made. All others are taken to be as high as the first that was, which keeps
/// those that are made in their places. How many fill the space is found in steps, as if the others were as high as the
/// highest so far, so that no row is made which cannot be seen.
struct LazyColumn {
    private(set) var count: Int
    /// Those that are made.
    private(set) var rows: Range<Int>
    var spacing = 0
    /// How high a row is where nothing else is known; nil before the first was made.
    private var usual: Int?
    private var highest = 1
    /// Heights that are not the usual one.
    private var others: [Int: Int] = [:]

    init(count: Int) {
        self.count = count
        rows = 0..<min(1, count)
    }

    /// There may be other rows; what is known of their heights is kept where the made ones are the same.
    mutating func setCount(_ count: Int, keepsHeights: Bool) {
        self.count = count
        rows = rows.clamped(to: 0..<count)
        if rows.isEmpty, usual == nil { rows = 0..<min(1, count) }
        if !keepsHeights { others.removeAll() }
        others = others.filter { $0.key < count }
    }

    /// The made rows are so high; one without anything in it is a line, too.
    mutating func measured(_ heights: [Int]) {
        for (row, height) in zip(rows, heights) {
            let height = max(1, height)
            if usual == nil { usual = height }
            highest = max(highest, height)
            others[row] = height == usual ? nil : height
        }
    }

    func height(of row: Int) -> Int { others[row] ?? usual ?? 1 }

    /// How far from the start a row begins. As many steps as rows of other heights are known.
    func top(of row: Int) -> Int {
        let usual = usual ?? 1
        let difference = others.reduce(0) { $1.key < row ? $0 + $1.value - usual : $0 }
        return row * (usual + spacing) + difference
    }

    /// How long all rows are.
    var length: Int { count == 0 ? 0 : top(of: count) - spacing }

    /// The rows that are to be made where these cells are seen.
    func wanted(in seen: Range<Int>) -> Range<Int> {
        guard count > 0, usual != nil else { return rows }
        guard !seen.isEmpty, seen.upperBound > 0, seen.lowerBound < length else { return 0..<0 }
        let first = firstRow(endingAfter: seen.lowerBound)
        var end = first
        var bottom = top(of: first)
        while end < count, bottom < seen.upperBound {
            bottom += assumedHeight(of: end) + spacing
            end += 1
        }
        return first..<end
    }

    /// Makes other rows.
    mutating func make(_ wanted: Range<Int>) { rows = wanted.clamped(to: 0..<count) }

    private func assumedHeight(of row: Int) -> Int {
        rows.contains(row) ? height(of: row) : others[row] ?? highest
    }

    private func firstRow(endingAfter cell: Int) -> Int {
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if top(of: middle) + height(of: middle) > cell { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
