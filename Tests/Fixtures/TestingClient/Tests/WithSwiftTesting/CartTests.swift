// SPDX-License-Identifier: MIT
// One expectation that holds, one that does not, and one that does not on a task of no test.

import Rerender
import RerenderTesting
import Testing

@Test func swiftTestingHolds() {
    let store = RerenderStore(name: "swift-testing")
    expectEvaluations(of: "Cart", in: store, exactly: 1) { store.evaluate("Cart") {} }
}

@Test func swiftTestingFails() {
    let store = RerenderStore(name: "swift-testing")
    expectEvaluations(of: "Cart", in: store, exactly: 1) {
        store.evaluate("Cart", reason: "tick") {}
        store.evaluate("Cart", reason: "tick") {}
    }
}

@Test func swiftTestingFailsOnAnotherTask() async {
    let store = RerenderStore(name: "another-task")
    await Task.detached {
        expectEvaluations(of: "Detached", in: store, exactly: 0) { store.evaluate("Detached") {} }
    }.value
}
