// SPDX-License-Identifier: MIT
// Names of properties, and where their values are kept.

import Foundation
import TestSupport
import Testing

@_spi(Bridge) @testable import Rerender

struct CausesNamesTests {
    @Test func namesHaveTheirTypeAndModule() {
        let path: AnyKeyPath = \Ticker.tick
        let name = PropertyName(rootType: "Ticker", qualifiedRoot: "RerenderTests.Ticker", property: "tick")
        #expect(KeyPathName.property(of: path) == name)
        // And again from what is kept.
        #expect(KeyPathName.property(of: path) == name)
        let box: AnyKeyPath = \Box<[Int]>.value
        #expect(
            KeyPathName.property(of: box)
                == PropertyName(rootType: "Box", qualifiedRoot: "RerenderTests.Box", property: "value"))
        let foreign: AnyKeyPath = \ForeignBox<Int>.content
        #expect(
            KeyPathName.property(of: foreign)
                == PropertyName(rootType: "ForeignBox", qualifiedRoot: "TestSupport.ForeignBox", property: "content"))
    }

    @Test(arguments: [
        ("key path getter for Shop.Ticker.tick : Swift.Int : Shop.Ticker", "tick"),
        ("key path getter for Shop.Ticker.(tick in _5F2A) : Swift.Int : Shop.Ticker", "tick"),
        ("key path getter for Shop.(Ticker in _5F2A).tick : Swift.Int : Shop.(Ticker in _5F2A)", "tick"),
        ("key path getter for (extension in Kit):Shop.Ticker.tick : Swift.Int : Shop.Ticker", "tick"),
        ("key path getter for Shop.Box.value : A : <A>Shop.Box<A>", "value"),
        ("Shop.Ticker.tick.getter : Swift.Int", "tick"),
        ("key path setter for Shop.Ticker.tick : Swift.Int : Shop.Ticker", nil),
        ("Shop.Ticker.advance() -> ()", nil),
        ("", nil),
    ]) func propertiesAreFoundInSymbols(symbol: String, property: String?) {
        #expect(KeyPathName.property(inSymbol: symbol) == property)
    }

    @Test(arguments: [
        ("Shop.Ticker", "Shop.Ticker"), ("Shop.(unknown context at $7f12).Ticker", "Shop.Ticker"),
        ("Shop.Box<Swift.Array<Swift.Int>>.Inner", "Shop.Box.Inner"), ("", ""),
    ]) func typesLoseArgumentsAndPrivateContexts(type: String, plain: String) {
        #expect(KeyPathName.plain(type) == plain)
    }

    @Test func storedFieldsAreFoundBehindProperties() throws {
        let ticker = TurboTicker()
        ticker.tick = 41
        ticker.boost = 43
        let object = UnsafeRawPointer(Unmanaged.passUnretained(ticker).toOpaque())
        let tick: AnyKeyPath = \Ticker.tick
        let boost: AnyKeyPath = \TurboTicker.boost
        let total: AnyKeyPath = \Ticker.total
        let first = try #require(ObservedField.field(of: tick))
        let second = try #require(ObservedField.field(of: boost))
        #expect((object + first.offset).load(as: Int.self) == 41)
        #expect((object + second.offset).load(as: Int.self) == 43)
        #expect(ObservedField.field(of: total) == nil)
    }

    @Test func aModelThatGoesAwayIsNoProperty() {
        let gone: AnyKeyPath = \Ticker.self
        let same: AnyKeyPath = \Twin.twin
        let other: AnyKeyPath = \Ticker.tick
        #expect(ObservedWrite.isIdentity(gone))
        #expect(!ObservedWrite.isIdentity(same))
        #expect(!ObservedWrite.isIdentity(other))
    }

    final class Twin {
        var twin: Twin { self }
    }
}
