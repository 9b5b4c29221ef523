// SPDX-License-Identifier: MIT
// The places of facts in the list that is sent.

import RerenderModel
import Testing

@testable import RerenderGTK

@Suite("Places of facts")
struct FactPlacesTests {
    private func fact(_ view: String, _ count: UInt64) -> WidgetFact {
        var fact = WidgetFact(.asker, view: view)
        fact.numbers.count = count
        return fact
    }

    @Test("are those in which they were met, and one that is no more has nothing counted")
    func places() {
        var places = FactPlaces()
        #expect(places.update([nil, nil]) == [])
        #expect(places.update([nil, fact("second", 2)]) == [fact("second", 2)])
        #expect(places.update([fact("first", 1), fact("second", 3)]) == [fact("second", 3), fact("first", 1)])
        #expect(places.update([fact("first", 4), nil]) == [fact("second", 0), fact("first", 4)])
        #expect(places.update([fact("first", 4), fact("other", 1)]) == [fact("other", 1), fact("first", 4)])
    }
}
