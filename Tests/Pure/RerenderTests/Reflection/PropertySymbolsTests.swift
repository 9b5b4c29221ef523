// SPDX-License-Identifier: MIT
// Which properties of a class are tracked, and which of its fields belong to them.

import Observation
import Testing

@testable import Rerender

@propertyWrapper private struct Wrapper {
    var number = 1
    var wrappedValue: Int {
        get { number }
        set { number = newValue }
    }
}
private struct Plain { var number = 1 }
@Observable private final class Model {
    var plain = Plain()
    var parent: Model?
    var many = [[Plain()]]
    var names = ["a": 1]
    var wrapper = Wrapper()
    @ObservationIgnored @Wrapper var volume: Int
    @ObservationIgnored var _hidden = 1
    var hidden: Int { _hidden }
}
@Observable class Open {
    @ObservationIgnored var _hidden = 1
    var hidden: Int { _hidden }
    var plain = Numbers()
    private(set) var other = Numbers()
    struct Numbers { var number = 1 }
}

@Suite("Properties by their symbols") struct PropertySymbolsTests {
    private func property<T>(_ name: String, _ type: T.Type) -> DeclaredProperty {
        DeclaredProperty(name: name, type: TypeMetadata(type))
    }

    @Test("A property of the field's type is found, and one that is wrapped is another")
    func wrapped() {
        let found: Set = [
            property("plain", Plain.self), property("wrapper", Wrapper.self), property("parent", Model?.self),
            property("many", [[Plain]].self), property("names", [String: Int].self),
        ]
        let asked = found.union([
            property("volume", Wrapper.self), property("plain", Wrapper.self), property("plai", Plain.self),
            property("", Plain.self), property("_plain", Plain.self), property("hidden", Int.self),
            property("_hidden", Int.self),
        ])
        #expect(PropertySymbols.tracked(asked, of: TypeMetadata(Model.self)) == found)
    }

    @Test("Properties of a class with subclasses are found, and private ones")
    func open() {
        let found: Set = [property("plain", Open.Numbers.self), property("other", Open.Numbers.self)]
        let asked = found.union([property("hidden", Int.self)])
        #expect(PropertySymbols.tracked(asked, of: TypeMetadata(Open.self)) == found)
        #expect(PropertySymbols.tracked(found, of: TypeMetadata(Model.self)).isEmpty)
    }

    @Test("What is no class of a file has no properties")
    func none() {
        #expect(PropertySymbols.tracked([property("count", Int.self)], of: TypeMetadata((Int, Int).self)).isEmpty)
    }
}

@Observable private final class Pair<Value> {
    var first = Plain()
    var second = Plain()
    var third = Wrapper()
}
@Observable private final class Named<Value> {
    var first = Plain()
    @ObservationIgnored @Wrapper var second: Int
    var whole: Wrapper { _second }
}

/// Each test has a generic class of its own: nobody else proves anything of it.
@Suite("Proofs of tracked properties") struct TrackedFieldsTests {
    private func isProved(_ type: AnyObject.Type) -> Bool? {
        ObjectMaker.contents(of: TypeMetadata(type))?.isProved
    }

    @Test("Where names are not known, as many reads of a type as there are fields prove all of them")
    func nameless() {
        typealias Model = Pair<UInt8>
        #expect(isProved(Model.self) == false)
        let before = TrackedFields.proofs
        for path in [\Model.first, \Model.first] { TrackedFields.prove(path, name: nil) }
        TrackedFields.prove(\Model.third, name: nil)
        #expect(TrackedFields.awaits(\Model.second) && !TrackedFields.awaits(\Model.third))
        #expect(isProved(Model.self) == false)
        // Another specialisation is another class.
        TrackedFields.prove(\Pair<Int8>.second, name: nil)
        #expect(isProved(Model.self) == false)
        TrackedFields.prove(\Model.second, name: nil)
        #expect(isProved(Model.self) == true)
        #expect(TrackedFields.proofs > before)
    }

    @Test("Where names are known, a read proves the field of this name and type")
    func named() {
        typealias Model = Named<UInt8>
        #expect(isProved(Model.self) == false)
        TrackedFields.prove(\Model.first, name: "first")
        // By hand: of the wrapped value, and of the wrapper.
        TrackedFields.prove(\Model.second, name: "second")
        TrackedFields.prove(\Model.whole, name: "whole")
        #expect(isProved(Model.self) == false)
    }
}
