// SPDX-License-Identifier: MIT
// How far the models that a body read are searched, and how many names and places are kept.

import CRerender
import Observation
import RerenderModel
import TestSupport
import Testing

@_spi(Bridge) @testable import Rerender

@Observable private final class Lamp {
    var level = 0
}

@Observable private final class Wagon {
    var next: Wagon?
    var load = 0
}

/// An object that a body goes through and does not read.
private final class Corridor {
    let first: Corridor?
    let second: Corridor?
    let lamp: Lamp?

    /// The first of `count` that are numbered row by row, each with two below it. The last of them has the lamp.
    init(_ number: Int, of count: Int, _ lamp: Lamp) {
        first = 2 * number <= count ? Corridor(2 * number, of: count, lamp) : nil
        second = 2 * number + 1 <= count ? Corridor(2 * number + 1, of: count, lamp) : nil
        self.lamp = number == count ? lamp : nil
    }
}

private struct LampRows {
    var left: [Lamp] = []
    var right: [Lamp] = []
}
private struct Train {
    let first: Wagon
}
private struct Hotel {
    let entry: Corridor
}
private struct Switches {
    var (a, b, c, d) = (0, 0, 0, 0)
    var (e, f, g, h) = (0, 0, 0, 0)
}
/// An object of 72 bytes: the allocator has blocks of that size.
private final class Plate {
    let (a, b, c, d) = (1, 2, 3, 4)
    let (e, f, g) = (5, 6, 7)
}

private enum JustBelow { case first(InlineArray<1_022, UInt8>), second(InlineArray<1_022, UInt8>) }
private enum AtBound { case first(InlineArray<1_023, UInt8>), second(InlineArray<1_023, UInt8>) }
private enum JustAbove { case first(InlineArray<1_024, UInt8>), second(InlineArray<1_024, UInt8>) }
private enum TwiceTheBound { case first(InlineArray<2_047, UInt8>), second(InlineArray<2_047, UInt8>) }

@Suite("Bounds of searches and names")
struct SearchBoundTests {
    @Test("so many elements of arrays are searched for what was read", arguments: around(StoreLimits.elementsSearched))
    func elements(count: Int) {
        let lamps = (0..<count).map { _ in Lamp() }
        let host = Host(LampRows(left: lamps))
        host.evaluate { $0.left[count - 1].level }
        lamps[count - 1].level += 1
        #expect(host.causes == [count <= StoreLimits.elementsSearched ? "left[].level" : "Lamp.level"])
    }

    @Test("a way has so many models", arguments: around(StoreLimits.pathDepth))
    func depth(count: Int) {
        let wagons = (0..<count).map { _ in Wagon() }
        for index in 1..<count { wagons[index - 1].next = wagons[index] }
        let host = Host(Train(first: wagons[0]))
        host.evaluate { train in
            var wagon = train.first
            while let next = wagon.next { wagon = next }
            return wagon.load
        }
        wagons[count - 1].load += 1
        let way = ["first"] + Array(repeating: "next", count: count - 1) + ["load"]
        #expect(host.causes == [count <= StoreLimits.pathDepth ? way.joined(separator: ".") : "Wagon.load"])
    }

    @Test("so many objects are gone through that were not read", arguments: around(StoreLimits.passagesSearched))
    func passages(count: Int) throws {
        let lamp = Lamp()
        let host = Host(Hotel(entry: Corridor(1, of: count, lamp)))
        host.evaluate { _ in lamp.level }
        lamp.level += 1
        let cause = try #require(host.causes.first ?? nil)
        #expect(host.causes.count == 1)
        #expect(cause.hasSuffix(count <= StoreLimits.passagesSearched ? ".lamp.level" : "Lamp.level"), "\(cause)")
        #expect(cause.hasPrefix("entry.") == (count <= StoreLimits.passagesSearched), "\(cause)")
    }

    @Test(
        "so many names of an instance's writes are kept, and all are right", arguments: around(StoreLimits.namedWrites))
    func names(count: Int) throws {
        let lamps = (0..<count).map { _ in Lamp() }
        let host = Host(LampRows(left: Array(lamps.prefix(3)), right: Array(lamps.dropFirst(3))))
        host.evaluate { rows in (rows.left + rows.right).reduce(0) { $0 + $1.level } }
        for lamp in lamps { lamp.level += 1 }
        let writes = host.writes
        try #require(writes.count == count)
        var paths = host.paths
        let first = paths.name(of: writes[0], host.reads)
        for _ in 0..<2 {
            let names = writes.map { paths.name(of: $0, host.reads).name }
            #expect(names == (0..<count).map { $0 < 3 ? "left[].level" : "right[].level" })
        }
        #expect((paths.name(of: writes[0], host.reads) === first) == (count <= StoreLimits.namedWrites))
    }

    @Test(
        "of so many properties it is known that other threads write them, and with more it may be each",
        arguments: around(StoreLimits.foreignWrites))
    func foreign(count: Int) throws {
        let lamps = (0...count).map { _ in Lamp() }
        let host = Host(LampRows(left: lamps))
        host.evaluate { $0.left.reduce(0) { $0 + $1.level } }
        for lamp in lamps { lamp.level += 1 }
        let writes = host.writes
        try #require(writes.count == count + 1)
        var foreign = ForeignWrites.none
        for _ in 0..<2 { for write in writes.prefix(count) { foreign.insert(write) } }
        let (first, last) = (writes[0].model, writes[count].model)
        let own = try #require(first), other = try #require(last)
        #expect(foreign.containsAny(of: own))
        #expect(foreign.containsAny(of: other) == (count > StoreLimits.foreignWrites))
    }

    @Test("so many places of probes are known, and further ones are none", arguments: around(StoreLimits.sites))
    func sites(count: Int) throws {
        let core = TestProcess().makeStore()
        let view = try #require(core.view(label: "View", file: "", line: 0))
        let index = ViewIndex()
        for word in 1...UInt64(count) { index.note(view, nil, at: word) }
        var known = 0
        for word in 1...UInt64(count) where index.view(nil, at: word) != nil { known += 1 }
        #expect(known == min(count, StoreLimits.sites))
        withExtendedLifetime(core) {}
    }

    @Test("names of more sets of properties than are kept are right, too", arguments: around(StoreLimits.comparedNames))
    func sets(count: Int) {
        let layout = ValueLayout.layout(of: Switches.self, depth: StoreLimits.reflectionDepth)
        let names = Array("abcdefgh")
        for _ in 0..<2 {
            for number in 1...count {
                var change = ValueChange()
                change.changed.bits = UInt64(number)
                let expected = names.indices.filter { number >> $0 & 1 == 1 }.map { String(names[$0]) }
                #expect(layout.names(of: change) == expected.joined(separator: ", "))
            }
        }
    }

    /// What ``StoreLimits/propertyNames`` and others bound is in such a cache.
    @Test("what a cache has no room for is found anew each time", arguments: around(4))
    func cache(count: Int) {
        let cache = BoundedCache<Int, Int>(limit: 4)
        var finds = 0
        for _ in 0..<2 {
            for key in 0..<count {
                let value = cache.value(for: key) {
                    finds += 1
                    return key * 10
                }
                #expect(value == key * 10)
            }
        }
        #expect(finds == count + max(0, count - 4))
    }

    @Test("the payload of an enum up to a size is looked at", arguments: around(StoreLimits.projectedBytes))
    func projected(bytes: Int) throws {
        let types: [Int: Any.Type] = [
            1_023: JustBelow.self, 1_024: AtBound.self, 1_025: JustAbove.self, 2_048: TwiceTheBound.self,
        ]
        let type = TypeMetadata(try #require(types[bytes]))
        #expect(type.size == bytes)
        #expect(ShapeMaker.canProject(type) == (bytes <= StoreLimits.projectedBytes))
    }

    @Test("an object up to a size is kept, and of a larger one a weak reference", arguments: around(72))
    func remembered(limit: Int) {
        let plate = Plate()
        let address = UInt(bitPattern: Unmanaged.passUnretained(plate).toOpaque())
        let hold = crerender_remember(address, limit)
        #expect((hold == address) == (limit >= 72) && (hold & 1 == 1) == (limit < 72))
        #expect(crerender_is_remembered(hold, address))
        crerender_forget(hold)
        withExtendedLifetime(plate) {}
    }

    @Test(
        "durations of more octaves than there is room for are counted, too",
        arguments: around(StoreLimits.histogramOctaves))
    func octaves(count: Int) {
        var histogram = LatencyHistogram(octaves: StoreLimits.histogramOctaves)
        // There are 41 octaves in all. The first is below 16 ns.
        let values = (0..<min(count, 41)).map { $0 == 0 ? 7 : UInt64(16) << UInt64($0 - 1) }
        for value in values { histogram.record(value) }
        let answers = histogram.percentiles([50, 100], maximum: values[values.count - 1])
        let middle = values[(values.count + 1) / 2 - 1]
        #expect(answers[0] >= middle && answers[0] <= middle + middle / 16)
        #expect(answers[1] == values[values.count - 1])
    }

    @Test("values are compared so deep, whatever is asked for", arguments: around(StoreLimits.deepestReflection))
    func deepest(depth: Int) {
        let store = RerenderStore(name: "depth")
        store.reflectionDepth = depth
        #expect(store.reflectionDepth == min(depth, StoreLimits.deepestReflection))
    }

    @Test(
        "the thread that holds up a ping is looked for so often, each time after twice as long",
        arguments: around(StoreLimits.ownerLooks))
    func ownerLooks(count: Int) {
        var looks = OwnerLooks()
        looks.begin(at: 1_000)
        var (seen, next) = (0, UInt64?.none)
        for number in 0..<UInt64(count) {
            let due = 1_000 + StoreLimits.firstOwnerLookNanoseconds << number
            let early = looks.continueIfDue(at: due - 1) { seen += 1 }
            #expect(early == (number < UInt64(StoreLimits.ownerLooks) ? due : nil))
            next = looks.continueIfDue(at: due) { seen += 1 }
        }
        #expect(seen == min(count, StoreLimits.ownerLooks) && (next == nil) == (count >= StoreLimits.ownerLooks))
    }

    @Test("a symbol's name up to a length is read", arguments: around(SymbolLimits.mangledBytes))
    func mangled(bytes: Int) {
        // A type `Shop.xxx…`: the length of a name stands before it.
        let digits = String(bytes).utf8.count
        let name = String(repeating: "x", count: bytes - 8 - digits)
        let symbol = "$s4Shop\(name.utf8.count)\(name)V"
        #expect(symbol.utf8.count == bytes)
        #expect(Demangler.demangle(symbol) == (bytes <= SymbolLimits.mangledBytes ? "Shop.\(name)" : nil))
    }
}
