// SPDX-License-Identifier: MIT
// One expectation that holds, and two that do not: in the test, and on a task of its own.

import Rerender
import RerenderTesting
import XCTest

final class CartTests: XCTestCase {
    func testHolds() {
        let store = RerenderStore(name: "xctest")
        expectEvaluations(of: "Cart", in: store, exactly: 1) { store.evaluate("Cart") {} }
    }

    func testFails() {
        let store = RerenderStore(name: "xctest")
        expectEvaluations(of: "Cart", in: store, exactly: 1) {
            store.evaluate("Cart", reason: "tick") {}
            store.evaluate("Cart", reason: "tick") {}
        }
    }

    func testFailsWhileItWaits() async {
        let store = RerenderStore(name: "xctest")
        await Task.detached {
            await expectEvaluations(of: "Waiting", in: store, atMost: 0) {
                await Task.yield()
                store.evaluate("Waiting") {}
            }
        }.value
    }
}
