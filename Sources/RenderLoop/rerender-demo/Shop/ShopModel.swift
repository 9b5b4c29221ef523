// SPDX-License-Identifier: MIT
// What the views show: a shop whose state changes as the ticker runs.

import Observation

/// Counts the ticks of a shop.
@MainActor
@Observable
final class Ticker {
    private(set) var tick = 0

    func advance() { tick += 1 }
}

/// Something for sale.
@MainActor
@Observable
final class Item: Identifiable {
    let id: UInt64
    let name: String
    let cents: Int
    private(set) var inCart = 0

    init(id: UInt64) {
        self.id = id
        name = "\(Self.names[Int(id) % Self.names.count]) \(id)"
        cents = 199 + Int(id * 7919 % 9_800)
    }

    func putIntoCart() { inCart += 1 }

    private static let names = ["Teapot", "Lamp", "Basket", "Chair", "Mirror", "Rug", "Clock"]
}

/// The shop; deterministic, so that two runs of the same number of ticks do the same.
@MainActor
@Observable
final class ShopModel {
    let name = "Corner Shop"
    let ticker = Ticker()
    private(set) var items: [Item]
    private var lastID: UInt64

    static let itemCount: UInt64 = 24
    /// A customer puts something into the cart every so many ticks.
    static let ticksPerPurchase = 15
    /// The oldest item sells out, and a new one takes its place, every so many ticks.
    static let ticksPerDelivery = 120

    init() {
        items = (1...Self.itemCount).map { Item(id: $0) }
        lastID = Self.itemCount
    }

    /// What happens in one tick.
    func advance() {
        ticker.advance()
        let tick = ticker.tick
        if tick.isMultiple(of: Self.ticksPerPurchase) {
            items[tick / Self.ticksPerPurchase % items.count].putIntoCart()
        }
        if tick.isMultiple(of: Self.ticksPerDelivery) { restock() }
    }

    private func restock() {
        lastID += 1
        items = items.dropFirst() + [Item(id: lastID)]
    }
}
