// SPDX-License-Identifier: MIT
// The views of the shop. Their stored properties are their inputs, and each body does a little real work.

import Rerender

/// What a body evaluates to: what the view shows itself, and the views in it.
protocol Rendered {
    var text: String { get }
    var children: [any View] { get }
}

struct Content: Rendered {
    var text: String
    var children: [any View] = []
}

/// Where a view is written.
struct Place: Sendable {
    let fileID: StaticString
    let line: UInt32

    init(fileID: StaticString = #fileID, line: UInt32 = #line) {
        self.fileID = fileID
        self.line = line
    }
}

/// A view: a value with inputs, made anew whenever the view that contains it is evaluated.
@MainActor
protocol View: Equatable {
    associatedtype Body: Rendered
    static var place: Place { get }
    /// Which of several views of this type it is.
    var instance: InstanceID? { get }
    var body: Body { get }
}

extension View {
    var instance: InstanceID? { nil }

    /// Whether `other` is the same view with the same inputs.
    func isSame(as other: any View) -> Bool { (other as? Self) == self }
}

/// The top. In the wasteful scenario it reads the ticker and hands it down, so that all below depend on it.
struct Shop: View {
    static let place = Place()
    let shop: ShopModel
    let readsTicker: Bool
    var report: Report?

    var body: Content {
        let tick = readsTicker ? shop.ticker.tick : nil
        let reports = report.map { [ReportView(report: $0)] } ?? []
        return Content(
            text: shop.name,
            children: [
                Header(shop: shop, tick: tick), CartTotal(shop: shop, tick: tick), ItemList(shop: shop, tick: tick),
                TickerLabel(ticker: shop.ticker, tick: tick),
            ] + reports)
    }
}

struct Header: View {
    static let place = Place()
    let shop: ShopModel
    let tick: Int?

    var body: Content { Content(text: "\(shop.name): \(shop.items.count) items".uppercased()) }
}

struct CartTotal: View {
    static let place = Place()
    let shop: ShopModel
    let tick: Int?

    var body: Content {
        let cents = shop.items.reduce(0) { $0 + Price.discounted($1.cents, pieces: $1.inCart) }
        return Content(text: "Total \(Price.text(cents))")
    }
}

struct ItemList: View {
    static let place = Place()
    let shop: ShopModel
    let tick: Int?

    var body: Content {
        let rows = shop.items.sorted { $0.name < $1.name }.map { ItemRow(item: $0, tick: tick) }
        return Content(text: "", children: rows)
    }
}

struct ItemRow: View {
    static let place = Place()
    let item: Item
    let tick: Int?

    var instance: InstanceID? { InstanceID(rawValue: item.id) }
    var body: Content { Content(text: "\(item.name), \(Price.text(item.cents)), \(item.inCart) in the cart") }
}

/// The one view that shows the ticker.
struct TickerLabel: View {
    static let place = Place()
    let ticker: Ticker
    let tick: Int?

    var body: Content { Content(text: "tick \(tick ?? ticker.tick)") }
}

enum Price {
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
