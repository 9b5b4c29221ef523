// SPDX-License-Identifier: MIT
// What the taker of stacks notices, and threads that it leaves alone.

import Foundation
import Testing

@testable import Rerender

@Suite("Stacks of hangs")
struct HangStackTests {
    @Test("a file that is unloaded is noticed, after which addresses are asked about anew")
    func unloaded() throws {
        let libraries: [String] = ["libanl.so.1", "libnss_hesiod.so.2", "libBrokenLocale.so.1"]
        let library = try #require(libraries.first { dlopen($0, RTLD_LAZY | RTLD_NOLOAD) == nil })
        let before = LoadedFile.unloads
        let handle = try #require(dlopen(library, RTLD_LAZY))
        #expect(dlclose(handle) == 0 && LoadedFile.unloads > before)
    }

    @Test("a thread that is none of the process has no stack, and nothing happens")
    func foreignThread() {
        var stacks = HangStacks()
        #expect(stacks.frames(of: 1) == [] && stacks.frames(of: 0) == [] && stacks.frames(of: -1) == [])
    }
}
