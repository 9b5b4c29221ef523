// SPDX-License-Identifier: MIT
// The shape of OSSignposter, without a tracer.

import Foundation
import Signpost
import Testing

@testable import Signpost
@testable import SignpostSupport

@Suite("Signposter")
struct SignposterTests {
    @Test("a process can have 1024 names, and the next one says so")
    func tooManyNames() async {
        await #expect(processExitsWith: .success) {
            let failures = (0..<1030).map { Signposter(subsystem: "test.many", category: "n\($0)").failure }
            precondition(failures.filter { $0 == nil }.count == 1024)
            precondition(failures.suffix(6).allSatisfy { $0 == .tooMany })
            precondition(Signposter(subsystem: "test.many", category: "n7").failure == nil)
            precondition(SignpostTracing.status.refused == 6)
        }
    }
}
