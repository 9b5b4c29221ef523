// SPDX-License-Identifier: MIT
// Collections of the standard library: small, huge, nested, in another order, written in place.

import Rerender

private struct Point: Hashable {
    var x: Int
    var y: Int
}

private enum Tag: Hashable {
    case number(Int)
    case text(String)
}

private func filled(_ keys: some Sequence<Int>, _ capacity: Int) -> [Int: String] {
    var table = [Int: String](minimumCapacity: capacity)
    for key in keys { table[key] = "\(key)" }
    return table
}

extension Case {
    static let collections = CaseList.make("collections") { list in
        list.kind("an array of numbers", Array(0..<4), [0, 1, 2, 4])
        list.kind("an array that grew", [1], [1, 2])
        list.kind("an empty array", [Int](), [0])
        list.kind("an array of arrays", [[1, 2], [3]], [[1, 2], [4]])
        list.kind("an array of optionals", [1, nil, 3], [1, 2, 3])
        list.kind("an array of tuples", [(1, "a"), (2, "b")], [(1, "a"), (2, "c")])
        list.kind(
            "an array of strings", ["a", String(repeating: "b", count: 30)], ["a", String(repeating: "c", count: 30)])
        list.kind("an array of enums", [Tag.number(1), .text("a")], [Tag.number(1), .text("b")])
        list.kind("an array of any values", [1 as Any, "a"], [1 as Any, "b"])
        list.kind("an array of doubles", [1.5, .nan], [1.5, 2])
        list.kind("ContiguousArray", ContiguousArray([1, 2]), ContiguousArray([1, 3]))
        list.kind("ArraySlice", Array(0..<9)[2..<5], Array(1..<10)[2..<5])
        list.kind("ArraySlice of strings", ["a", "b", "c"][1...], ["a", "b", "d"][1...])
        list.kind("InlineArray", [1, 2, 3] as InlineArray<3, Int>, [1, 2, 4] as InlineArray<3, Int>)
        list.kind("CollectionOfOne", CollectionOfOne(1), CollectionOfOne(2))
        list.kind("Repeated", repeatElement("a", count: 3), repeatElement("b", count: 3))
        list.kind("KeyValuePairs", ["a": 1, "b": 2] as KeyValuePairs, ["a": 1, "b": 3] as KeyValuePairs)
        list.kind(
            "a reversed array", [1, 2, 3].reversed() as ReversedCollection, [1, 2, 4].reversed() as ReversedCollection)
        list.kind("an enumerated array", ["a"].enumerated(), ["b"].enumerated())
        list.kind("zipped arrays", zip([1], ["a"]), zip([1], ["b"]))
        list.kind("a dictionary", ["a": 1, "b": 2], ["a": 1, "b": 3])
        list.kind("a dictionary of one", ["a": 1], ["b": 1])
        list.kind("a dictionary of dictionaries", ["a": ["b": 1]], ["a": ["b": 2]])
        list.kind("a dictionary of arrays", ["a": [1, 2]], ["a": [1, 3]])
        list.kind("an empty dictionary", [String: Int](), ["a": 1])
        list.kind("a dictionary with a key less", [1: 1, 2: 2], [1: 1])
        list.kind("a set of numbers", Set([1, 2, 3]), Set([1, 2, 4]))
        list.kind("a set of strings", Set(["a", "b"]), Set(["a", "c"]))
        list.kind("a set of structs", Set([Point(x: 1, y: 2)]), Set([Point(x: 1, y: 3)]))
        list.kind("an empty set", Set<Int>(), Set([0]))
        list.kind("the keys of a dictionary", ["a": 1].keys, ["b": 1].keys)
        list.kind("an array near the limit", Array(0..<500), Array(0..<499) + [7])
        list.equal(
            "an array with spare capacity", [1, 2, 3],
            {
                var array = [1, 2]
                array.reserveCapacity(100)
                array.append(3)
                return array
            }())
        list.equal("ArraySlice of other storage", Array(0..<9)[2..<5], ([7, 7] + Array(2..<5) + [9])[2..<5])
        list.equal(
            "a dictionary filled in another order", filled(0..<12, 12), filled((0..<12).reversed(), 12),
            truth: .equalInAWay)
        list.equal("a dictionary of another capacity", filled(0..<5, 5), filled(0..<5, 200), truth: .equalInAWay)
        list.equal("a set filled in another order", Set(0..<9), Set((0..<9).reversed()), truth: .equalInAWay)
        list.equal("an array of sets", [Set([1, 2, 3])], [Set([3, 2, 1])], truth: .equalInAWay)
        list.one("a set of another order, which the body shows") { recorder in
            var other = Set<Int>(minimumCapacity: 1_000)
            for number in 0..<40 { other.insert(number) }
            let sets = [Set(0..<40), other]
            recorder.evaluate("View", One(value: sets[0]), isDescribed: false, is: .initial) { Array($0.value) }
            recorder.evaluate("View", One(value: sets[1]), isDescribed: false, is: .open) { Array($0.value) }
        }
        list.one("a dictionary of another order, which the body shows") { recorder in
            let tables = [filled(0..<40, 40), filled(0..<40, 1_000)]
            recorder.evaluate("View", One(value: tables[0]), isDescribed: false, is: .initial) { $0.value.map(\.value) }
            recorder.evaluate("View", One(value: tables[1]), isDescribed: false, is: .open) { $0.value.map(\.value) }
        }
    }

    static let writtenCollections = CaseList.make("written in place") { list in
        list.one("an array that only the view holds") { recorder in
            var view = One(value: Array(0..<64))
            recorder.evaluate(view, is: .initial)
            view.value[60] = 7
            recorder.evaluate(view, is: .changed("value"))
            recorder.evaluate(view, is: .same)
        }
        list.one("an array of an app's storage, handed on to a child") { recorder in
            var numbers = Array(0..<64)
            recorder.children([One(value: numbers)], are: [.initial])
            numbers[3] += 1
            recorder.children([One(value: numbers)], are: [.changed("value").under("Outer")])
            recorder.children([One(value: numbers)], are: [.same.under("Outer")])
        }
        for count in [1_000, 5_000, 100_000] {
            list.one("\(count) numbers, one of them written") { recorder in
                var view = One(value: Array(0..<count))
                recorder.evaluate(view, is: .initial)
                view.value[count / 2] = -1
                // Its length and its storage are as before: too much to compare must not become "as it was".
                recorder.evaluate(view, is: .changed("value"))
            }
            list.one("\(count) numbers, the first and then the last written") { recorder in
                var view = One(value: Array(0..<count))
                recorder.children([view], are: [.initial])
                view.value[0] = -1
                recorder.children([view], are: [.changed("value").under("Outer")])
                view.value[count - 1] = -1
                recorder.children([view], are: [.changed("value").under("Outer")])
            }
        }
        list.one("a dictionary's value") { recorder in
            var view = One(value: ["a": 1, "b": 2])
            recorder.evaluate(view, is: .initial)
            view.value["b"] = 3
            recorder.evaluate(view, is: .changed("value"))
            view.value["b"]? += 1
            recorder.evaluate(view, is: .changed("value"))
        }
        list.one("a large dictionary's value") { recorder in
            var view = One(value: filled(0..<2_000, 2_000))
            recorder.evaluate(view, is: .initial)
            view.value[1_000] = "other"
            recorder.evaluate(view, is: .changed("value"))
        }
        list.one("a large set's member") { recorder in
            var view = One(value: Set(0..<2_000))
            recorder.evaluate(view, is: .initial)
            view.value.remove(1_000)
            view.value.insert(5_000)
            recorder.evaluate(view, is: .changed("value"))
        }
        list.one("an array in an array") { recorder in
            var view = One(value: [[1, 2], [3, 4]])
            recorder.evaluate(view, is: .initial)
            view.value[1][0] = 9
            recorder.evaluate(view, is: .changed("value"))
        }
        list.one("an array of strings") { recorder in
            var view = One(value: (0..<8).map { "a string of some length, number \($0)" })
            recorder.evaluate(view, is: .initial)
            view.value[7] += "!"
            recorder.evaluate(view, is: .changed("value"))
        }
        list.one("an array that is emptied and filled again") { recorder in
            var view = One(value: [1, 2, 3])
            recorder.evaluate(view, is: .initial)
            view.value.removeAll(keepingCapacity: true)
            recorder.evaluate(view, is: .changed("value"))
            view.value += [1, 2, 3]
            recorder.evaluate(view, is: .changed("value"))
        }
        list.one("swapped elements of an array of objects") { recorder in
            let (a, b) = (Ticker(), Ticker())
            recorder.evaluate(One(value: [a, b]), is: .initial)
            recorder.evaluate(One(value: [b, a]), is: .changed("value"))
        }
    }
}
