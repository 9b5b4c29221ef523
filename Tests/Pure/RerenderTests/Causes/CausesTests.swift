// SPDX-License-Identifier: MIT
// Every write to what a body read is known by the name that a reader of the program knows.

import Observation
import Synchronization
import TestSupport
import Testing

@testable import Rerender

struct CausesTests {
    struct Dashboard {
        var ticker = Ticker()
        var other = Ticker()
        var tickers: [Ticker] = []
        var maybe: Ticker?
        var named: [String: Ticker] = [:]
        var pair: (Ticker, Int)?
        var wrapped: Wrapped?
        @Bound var bound = Ticker()
        var something: Any = 0
        weak var loose: Ticker?
    }
    struct Wrapped {
        var size = 0
        var ticker: Ticker?
    }

    let host = Host(Dashboard())

    @Test func observationIsUnderstood() { #expect(ObservedReads.isAvailable) }

    @Test func nestedModelsAreNamedFromTheViewDown() {
        let ticker = host.view.ticker
        host.evaluate { _ = ($0.ticker.tick, $0.ticker.engine.rpm, $0.ticker.engine.piston?.strokes) }
        ticker.tick = 1
        ticker.engine.rpm = 1
        ticker.engine.piston?.strokes = 1
        ticker.engine.temperature = 1
        ticker.engine = Engine()
        #expect(host.causes == ["ticker.tick", "ticker.engine.rpm", "ticker.engine.piston.strokes", "ticker.engine"])
    }

    @Test func aModelPutInTheMiddleIsFollowedFromTheNextEvaluation() {
        let old = host.view.ticker.engine
        for round in 1...3 {
            host.evaluate { _ = $0.ticker.engine.rpm }
            host.view.ticker.engine.rpm = round
            #expect(host.causes == ["ticker.engine.rpm"])
            host.view.ticker.engine = Engine()
            #expect(host.causes.last == "ticker.engine")
        }
        host.evaluate { _ = $0.ticker.engine.rpm }
        old.rpm = 9
        #expect(host.causes.isEmpty)
    }

    @Test func aModelThatMovedIsNamedByItsNewPlace() {
        let moving = host.view.other
        for _ in 0..<2 {
            host.evaluate { _ = $0.other.tick }
            moving.tick += 1
            #expect(host.causes == ["other.tick"])
        }
        host.view.other = Ticker()
        host.view.maybe = moving
        host.evaluate { _ = $0.maybe?.tick }
        moving.tick += 1
        #expect(host.causes == ["maybe.tick"])
    }

    @Test func instancesOfOneTypeAreToldApart() {
        host.view.tickers = [Ticker(), Ticker(), Ticker()]
        host.evaluate { view in
            _ = (view.ticker.tick, view.other.tick)
            for ticker in view.tickers { _ = ticker.tick }
        }
        host.view.other.tick = 1
        host.view.tickers[2].tick = 1
        host.view.ticker.tick = 1
        host.view.tickers[0].tick = 1
        #expect(host.causes == ["other.tick", "tickers[].tick", "ticker.tick", "tickers[].tick"])
    }

    @Test func theSameModelInTwoPlacesHasTheNameOfTheFirst() {
        host.view.other = host.view.ticker
        host.evaluate { _ = ($0.other.tick, $0.ticker.tick) }
        host.view.other.tick = 1
        #expect(host.causes == ["ticker.tick"])
    }

    @Test func aModelOutsideTheViewIsNamedByItsTypeAndOneInADictionaryByItsWay() {
        let global = Ticker()
        host.view.named["a"] = Ticker()
        host.evaluate { _ = (global.tick, $0.named["a"]?.engine.rpm) }
        global.tick = 1
        host.view.named["a"]?.engine.rpm = 1
        #expect(host.causes == ["Ticker.tick", "named[].engine.rpm"])
    }

    @Test func aCrowdThatIsNotToldApartSaysHowManyItCouldBe() {
        let crowd = (0...StoreLimits.modelsToldApart).map { _ in Engine() }
        let single = Ticker()
        host.evaluate { _ in
            for engine in crowd { _ = engine.rpm }
            _ = single.tick
        }
        crowd[7].rpm = 1
        single.tick = 1
        #expect(host.causes == ["Engine.rpm (1 or more of \(crowd.count))", "Ticker.tick"])
    }

    @Test func optionalsStructsTuplesArraysWrappersAndProtocolsAreGoneThrough() {
        let loose = Ticker()
        host.view.maybe = Ticker()
        host.view.pair = (Ticker(), 1)
        host.view.wrapped = Wrapped(ticker: Ticker())
        host.view.something = Box(1)
        host.view.loose = loose
        host.view.ticker.spare = Engine()
        host.view.ticker.engines = [Engine(), Engine()]
        host.evaluate { view in
            _ = (view.maybe?.tick, view.pair?.0.tick, view.wrapped?.ticker?.tick, view.bound.tick)
            _ = ((view.something as? Box<Int>)?.value, view.loose?.tick, view.ticker.spare?.rpm)
            _ = view.ticker.engines.map(\.rpm)
        }
        host.view.maybe?.tick = 1
        host.view.pair?.0.tick = 1
        host.view.wrapped?.ticker?.tick = 1
        host.view.bound.tick = 1
        (host.view.something as? Box<Int>)?.value = 2
        loose.tick = 1
        host.view.ticker.spare?.rpm = 1
        host.view.ticker.engines[1].rpm = 1
        #expect(
            host.causes == [
                "maybe.tick", "pair.0.tick", "wrapped.ticker.tick", "bound.tick", "something.value", "loose.tick",
                "ticker.spare.rpm", "ticker.engines[].rpm",
            ])
    }

    @Test func whatIsNilIsNotFollowed() {
        host.evaluate { view in
            _ = (view.maybe?.tick, view.pair?.0.tick, view.wrapped?.ticker?.tick, view.loose?.tick, view.other.tick)
        }
        host.view.other.tick = 1
        #expect(host.causes == ["other.tick"])
    }

    /// Its first nil is not zero, which is no address.
    @Test func anOptionalOfAnOptionalIsFollowedOnlyWhereItHoldsAModel() {
        struct View {
            var nothing: Ticker??
            var hollow: Ticker?? = .some(nil)
            var full: Ticker?? = Ticker()
            var other = Ticker()
        }
        let host = Host(View())
        host.evaluate { view in
            _ = (view.nothing??.tick, view.hollow??.tick, view.full??.tick, view.other.tick)
        }
        host.view.full??.tick = 1
        host.view.other.tick = 1
        #expect(host.causes == ["full.tick", "other.tick"])
    }

    @Test func aComputedPropertyIsNamedByWhatItReads() {
        host.evaluate { _ = $0.ticker.total }
        host.view.ticker.tick = 3
        host.view.ticker.conceal(4)
        #expect(host.causes == ["ticker.tick", "ticker.secret"])
    }

    @Test func privateGenericInheritedAndForeignPropertiesHaveTheirNames() {
        struct View {
            var ticker = FastTicker()
            var turbo = TurboTicker()
            var box = Box("a")
            var nested = Box([Box(1)])
            var foreign = ForeignModel()
            var foreignBox = ForeignBox(Engine())
        }
        let host = Host(View())
        host.evaluate { view in
            _ = (view.ticker.revealed, view.turbo.boost, view.turbo.tick, view.box.value, view.nested.value[0].value)
            _ = (view.foreign.level, view.foreignBox.content.rpm)
        }
        host.view.ticker.conceal(1)
        host.view.turbo.boost = 1
        host.view.turbo.tick = 1
        host.view.box.value = "b"
        host.view.nested.value[0].value = 2
        host.view.foreign.level = 1
        host.view.foreignBox.content.rpm = 1
        let causes = Set(host.causes)
        #expect(
            causes == [
                "ticker.secret", "turbo.boost", "turbo.tick", "box.value", "nested.value[].value", "foreign.level",
                "foreignBox.content.rpm",
            ])
        let hidden = Host(Private.View())
        hidden.evaluate(Private.read)
        Private.write(hidden.view)
        #expect(hidden.causes == ["hidden.depth"])
    }

    @Test func onlyPropertiesThatTheBodyReadAreGoneThrough() {
        let engine = host.view.ticker.engine
        host.evaluate { _ = $0.ticker.engine.rpm }
        engine.rpm = 1
        #expect(host.causes == ["ticker.engine.rpm"])
        host.evaluate { _ = ($0.ticker.tick, engine.rpm) }
        engine.rpm = 2
        #expect(host.causes == ["Engine.rpm"])
    }

    @Test func modelsMadeByHandAreNotGoneThroughForTheyMayLock() {
        struct View { let garage = Garage() }
        let host = Host(View())
        host.evaluate { _ = $0.garage.engine.rpm }
        host.view.garage.engine.rpm = 1
        host.view.garage.engine = Engine()
        #expect(host.causes == ["Engine.rpm", "garage.engine"])
    }

    /// Its memory is not that of a value of the property's type: what is recorded of it as such destroys the heap.
    @Test func weakAndUnownedPropertiesOfAModelAreNotLookedAt() {
        struct View { let leaning = Leaning() }
        let host = Host(View())
        let parent = Ticker()
        host.view.leaning.parent = parent
        host.evaluate { _ = $0.leaning.parent?.tick }
        host.evaluate { _ = $0.leaning.parent?.tick }
        host.view.leaning.parent = nil
        #expect(host.causes == ["leaning.parent"])
    }

    @Test func aViewThatIsAModelNamesItsOwnProperties() {
        let host = Host(Ticker())
        host.evaluate { _ = ($0.tick, $0.engine.rpm) }
        host.view.tick = 1
        host.view.engine.rpm = 1
        #expect(host.causes == ["tick", "engine.rpm"])
    }

    @Test func writesOfAnotherThreadAreSeen() async {
        let counter = SharedCounter()
        let host = Host(counter)
        host.evaluate { _ = $0.left }
        await Task.detached {
            counter.right = 1
            counter.left = 1
        }.value
        #expect(host.causes == ["left"])
    }

    @Test func readsUpToAnErrorCount() {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try host.evaluate { view in
                _ = view.ticker.tick
                throw Stop()
            }
        }
        host.view.ticker.tick = 1
        #expect(host.causes == ["ticker.tick"])
    }

    @Test func aBodyThatReadsNothingObservableHasNoReads() {
        host.evaluate { _ = $0.wrapped?.size }
        #expect(host.reads == nil)
    }

    @Test func aTrackingOfTheAppsOwnWithinTheBodyLearnsOfItsReadsAsWellAsOurs() {
        let fired = Mutex(0)
        host.evaluate { view in
            withObservationTracking {
                _ = view.ticker.tick
            } onChange: {
                fired.withLock { $0 += 1 }
            }
            _ = view.other.tick
        }
        host.view.other.tick = 1
        #expect(fired.withLock { $0 } == 0)
        host.view.ticker.tick = 1
        host.view.ticker.tick = 2
        #expect(fired.withLock { $0 } == 1)
        #expect(host.causes == ["other.tick", "ticker.tick", "ticker.tick"])
    }

    @Test func readsOfAnInnerBodyAreReadsOfTheOuterAsObservationHasIt() {
        let inner = Host(Dashboard())
        host.evaluate { view in
            _ = view.ticker.tick
            inner.evaluate { _ = $0.other.tick }
        }
        inner.view.other.tick = 1
        #expect(inner.causes == ["other.tick"])
        #expect(host.causes == ["Ticker.tick"])
        host.view.ticker.tick = 1
        #expect(inner.causes.count == 1)
        #expect(host.causes == ["Ticker.tick", "ticker.tick"])
    }
}
