// SPDX-License-Identifier: MIT
// A program in miniature whose whole state is known outside of the graph, so that it can be shown anew at any time.

import Observation
import OpenCombine
import TestSupport
@testable import RenderLoopSupport

@MainActor
@Observable
final class WorldItem {
    var text = "item"
    var showsText = true
    var branch = false
    var id = 0
    var padding = 0
    var isFaint = false
    var tint = 0
    var kind = 0
    var size = 1
    var hub = 0
    var hasModel = false
    var letters = ["a", "b", "c"]
    var hasReader = false
}

@MainActor
final class WorldHub: ObservableObject {
    @Published var number = 0
    @Published var note = "note"
}

/// What the views show. `@State` of the graph is told to ``remembered`` by whoever writes it.
@MainActor
@Observable
final class World {
    struct Entry: Identifiable, Hashable {
        struct Key: Hashable {
            let item: Int
            let repetition: Int
        }

        let id: Key
        var item: Int { id.item }
        var name: String { "\(id.item).\(id.repetition)" }
    }

    var order = [0, 1, 2]
    var inset = 0
    var tint = 0
    var layout = 0
    var title = "title"
    var showsHeader = true
    @ObservationIgnored let items = (0..<8).map { _ in WorldItem() }
    @ObservationIgnored let hubs = [WorldHub(), WorldHub()]
    /// What each state that is there should be, by its place in the structure.
    @ObservationIgnored var remembered: [String: Int] = [:]

    /// The elements, each with an identity of its own.
    var entries: [Entry] {
        var seen: [Int: Int] = [:]
        return order.map { item in
            defer { seen[item, default: 0] += 1 }
            return Entry(id: Entry.Key(item: item, repetition: seen[item, default: 0]))
        }
    }

    /// The names of the counters that have to be there: what structure and ids say, without any graph.
    var liveCounters: [String] {
        let rows = entries.flatMap { entry in
            let item = items[entry.item]
            let row = "\(layout)/\(entry.name)"
            return [
                "\(row)/\(item.branch ? "first" : "second")", "\(row)/id\(item.id)",
                item.kind == 1 ? "\(row)/kind" : nil,
            ].compactMap { $0 } + Set(item.letters).sorted().map { "\(row)/\($0)" }
        }
        return rows + (showsHeader ? ["header"] : [])
    }

    /// Forgets the state of views that are gone.
    func forgetGoneCounters() {
        let live = Set(liveCounters)
        remembered = remembered.filter { live.contains($0.key) }
    }
}

extension World {
    /// Changes something at random.
    func change(_ random: inout SeededGenerator) {
        let item = items[Int.random(in: 0..<items.count, using: &random)]
        switch Int.random(in: 0..<20, using: &random) {
        case 0: order.shuffle(using: &random)
        case 1: if order.count < 7 { order.insert(Int.random(in: 0..<8, using: &random), at: 0) }
        case 2: if !order.isEmpty { order.remove(at: Int.random(in: 0..<order.count, using: &random)) }
        case 3: if order.count > 1 { order.swapAt(0, order.count - 1) }
        case 4: [{ self.inset = 1 - self.inset }, { self.tint += 1 }][Int.random(in: 0..<2, using: &random)]()
        case 5: if Int.random(in: 0..<3, using: &random) == 0 { layout = (layout + 1) % 3 }
        case 6: if Int.random(in: 0..<2, using: &random) == 0 { showsHeader.toggle() } else { title += "!" }
        case 7: hubs[Int.random(in: 0..<2, using: &random)].number += 1
        case 8: hubs[Int.random(in: 0..<2, using: &random)].note += "."
        default: item.change(&random)
        }
    }
}

extension WorldItem {
    fileprivate func change(_ random: inout SeededGenerator) {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: text = String(repeating: "x", count: Int.random(in: 1..<9, using: &random))
        case 1: text = "two\nlines"
        case 2: showsText.toggle()
        case 3: branch.toggle()
        case 4: id = Int.random(in: 0..<3, using: &random)
        case 5: padding = Int.random(in: 0..<3, using: &random)
        case 6: isFaint.toggle()
        case 7: tint = Int.random(in: 0..<3, using: &random)
        case 8: kind = Int.random(in: 0..<3, using: &random)
        case 9: size = Int.random(in: 0..<5, using: &random)
        case 10: hub = 1 - hub
        case 11: hasModel.toggle()
        case 12: letters = ["a", "b", "c", "d"].shuffled(using: &random).suffix(Int.random(in: 0..<5, using: &random))
        default: hasReader.toggle()
        }
    }
}
