// SPDX-License-Identifier: MIT
// Counts elements in the order in which they were met, up to a limit.

import RerenderModel

/// Counts of the first different elements, and of all others together.
struct CountedList<Element: Equatable & Sendable>: Sendable {
    private(set) var counts: [(element: Element, count: UInt64)] = []
    private(set) var others: UInt64 = 0

    /// Counts an element; as one of the others, if `limit` different ones are known. Allocates only for a new element.
    mutating func add(_ element: Element, _ count: UInt64 = 1, limit: Int) {
        if let index = index(of: element) {
            counts[index].count += count
        } else if counts.count < limit {
            counts.append((element, count))
        } else {
            others += count
        }
    }

    /// Counts the element at a place.
    @inline(__always)
    mutating func add(at place: Int) { counts[place].count += 1 }

    mutating func addOthers(_ count: UInt64) { others += count }

    /// By hand, because in a debug build every iterator of the standard library allocates.
    func index(of element: Element) -> Int? {
        var index = 0
        while index < counts.count {
            if counts[index].element == element { return index }
            index += 1
        }
        return nil
    }
}

extension CountedList<String> {
    /// As the export shows them: most frequent first, all others last.
    func sorted<Count>(_ make: (String, UInt64) -> Count) -> [Count] {
        let sorted = counts.sorted { $0.count != $1.count ? $0.count > $1.count : $0.element < $1.element }
        return sorted.map(make) + (others > 0 ? [make(Reason.other, others)] : [])
    }
}
