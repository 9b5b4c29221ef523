// SPDX-License-Identifier: MIT
// What keeps functions of scripts from having names: the time that looking for them took. Nothing waits for a clock.

import CRerender
import Testing

@Suite("What has no names in scripts")
struct ScriptGapTests {
    @Test("is what was asked for after 20 ms of a second, and a second later there are names again")
    func second() {
        var naming = crerender_naming()
        let (start, second) = (UInt64(5_000_000_000), UInt64(1_000_000_000))
        #expect(crerender_may_name(&naming, start) && naming.second == start)
        naming.spent += 19_999_999
        #expect(crerender_may_name(&naming, start + 1_000) && !naming.left_out)
        naming.spent += 1
        #expect(!crerender_may_name(&naming, start + 1_000) && naming.left_out)
        #expect(!crerender_may_name(&naming, start + second - 1))
        #expect(crerender_may_name(&naming, start + second) && naming.spent == 0)
        #expect(naming.second == start + second && naming.left_out, "what was left out has no name later")
    }

    @Test("has no new second for a thread that looked at the clock before another one began it")
    func earlier() {
        var naming = crerender_naming(second: 5_000_000_000, spent: 20_000_000, left_out: false)
        #expect(!crerender_may_name(&naming, 4_999_999_999))
        #expect(naming.second == 5_000_000_000 && naming.spent == 20_000_000)
    }
}
