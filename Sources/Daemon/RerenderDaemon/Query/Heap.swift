// SPDX-License-Identifier: MIT
// Sorts step by step: each step takes a bounded time, unlike a sort in one go.

/// A binary heap: the element that stands above all others is on top. An element is added, or the top taken out, in time
/// that grows with the logarithm of their number. All calls take the same order.
struct Heap<Element> {
    private(set) var elements: [Element] = []

    var count: Int { elements.count }
    var top: Element? { elements.first }

    mutating func push(_ element: Element, isAbove: (Element, Element) -> Bool) {
        elements.append(element)
        var place = elements.count - 1
        while place > 0, case let parent = (place - 1) / 2, isAbove(elements[place], elements[parent]) {
            elements.swapAt(place, parent)
            place = parent
        }
    }

    mutating func pop(isAbove: (Element, Element) -> Bool) -> Element? {
        guard let last = elements.popLast() else { return nil }
        return elements.isEmpty ? last : replaceTop(with: last, isAbove: isAbove)
    }

    /// Takes out the top and adds another element; the heap is not empty.
    @discardableResult
    mutating func replaceTop(with element: Element, isAbove: (Element, Element) -> Bool) -> Element {
        let top = elements[0]
        elements[0] = element
        var place = 0
        while case let left = 2 * place + 1, left < elements.count {
            let right = left + 1
            let child = right < elements.count && isAbove(elements[right], elements[left]) ? right : left
            guard isAbove(elements[child], elements[place]) else { break }
            elements.swapAt(place, child)
            place = child
        }
        return top
    }
}
