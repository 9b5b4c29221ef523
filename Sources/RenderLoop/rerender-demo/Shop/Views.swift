// SPDX-License-Identifier: MIT
// The views of the shop. Their stored properties are their inputs, and each body does a little real work.

import Foundation
import RenderLoop

/// The top. In the wasteful scenario it reads the ticker and hands it down, so that all below depend on it.
struct Shop: View {
    let shop: ShopModel
    let readsTicker: Bool
    var report: Report?

    var body: some View {
        let tick = readsTicker ? shop.ticker.tick : nil
        VStack(alignment: .leading) {
            Text(shop.name)
            Header(shop: shop, tick: tick).rerender("Header")
            CartTotal(shop: shop, tick: tick).rerender("CartTotal")
            ItemList(shop: shop, tick: tick).rerender("ItemList")
            TickerLabel(ticker: shop.ticker, tick: tick).rerender("TickerLabel")
            if let report { ReportView(report: report).rerender("ReportView") }
        }
    }
}

struct Header: View {
    let shop: ShopModel
    let tick: Int?

    var body: some View { Text("\(shop.name): \(shop.items.count) items".uppercased()) }
}

struct CartTotal: View {
    let shop: ShopModel
    let tick: Int?

    var body: some View {
        let cents = shop.items.reduce(0) { $0 + Price.discounted($1.cents, pieces: $1.inCart) }
        Text("Total \(Price.text(cents))")
    }
}

struct ItemList: View {
    let shop: ShopModel
    let tick: Int?

    var body: some View {
        let items = shop.items.sorted { $0.name < $1.name }
        VStack(alignment: .leading) {
            ForEach(items) { item in ItemRow(item: item, tick: tick).rerender("ItemRow") }
        }
    }
}

struct ItemRow: View {
    let item: Item
    let tick: Int?

    var body: some View { Text("\(item.name), \(Price.tag(item.cents)), \(item.inCart) in the cart") }
}

/// The one view that shows the ticker.
struct TickerLabel: View {
    let ticker: Ticker
    let tick: Int?

    var body: some View { Text("tick \(tick ?? ticker.tick)") }
}

enum Price {
    /// With a formatter of its own each time, as many apps do: 0.1 ms. So what is evaluated needlessly costs something.
    static func tag(_ cents: Int) -> String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = Locale(identifier: "en_IE")
        return formatter.string(from: NSNumber(value: Double(cents) / 100)) ?? text(cents)
    }

    static func text(_ cents: Int) -> String {
        let rest = cents % 100
        return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// The price of some pieces, each a little cheaper than the one before, down to half; bounded work.
    static func discounted(_ cents: Int, pieces: Int) -> Int {
        var sum = 0
        for piece in 0..<min(pieces, 50) { sum += cents * (100 - piece) / 100 }
        return sum + max(pieces - 50, 0) * cents / 2
    }
}
