// SPDX-License-Identifier: MIT
// The threads of the tests' own process.

import Testing

@testable import Rerender

@Suite("Own threads")
struct OwnThreadsTests {
    @Test("are read by their names, without the library's, with how many there were at first")
    func names() {
        let threads = OwnThreads()
        #expect(threads.read().allSatisfy { $0.atFirst == 0 })
        threads.lookFirst()
        let read = threads.read()
        #expect(read.contains { $0.atFirst > 0 && $0.count > 0 })
        #expect(!read.contains { $0.name.isEmpty || $0.name.contains("\n") || $0.name.hasPrefix("rerender-") })
    }
}
