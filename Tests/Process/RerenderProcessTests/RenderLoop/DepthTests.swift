// SPDX-License-Identifier: MIT
// How deep views can be in one another.

import Foundation
import RenderLoop
import Rerender
import TestTraits
import Testing
@testable import RenderLoopSupport

@MainActor
@Suite struct DepthTests {
    private struct Mirror: View {
        var body: some View { ZStack { AnyView(Mirror()) } }
    }

    @Test(.promise) func aViewThatContainsItselfStopsTheProgramWithItsName() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Stage(Mirror()) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("the views are more than 4000 deep, at last Mirror in Mirror"))
        #expect(text.contains("needs an `if` that ends this"))
    }
}
