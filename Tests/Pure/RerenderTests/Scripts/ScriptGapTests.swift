// SPDX-License-Identifier: MIT
// What keeps functions of scripts from having names: the version of their language, and the time that looking for them took. No interpreter
// is here, and nothing waits for a clock.

import CRerender
import Glibc
import Testing

@Suite("What has no names in scripts")
struct ScriptGapTests {
    @Test(
        "is all of a Python before 3.11, of a later one than 3.14, and of a build that differs from its version",
        arguments: [
            (0, "Python before 3.11"), (0x030A_0CF0, "Python 3.10"), (0x030F_00F0, "Python 3.15"),
            (0x030B_02F0, "this build of Python 3.11"), (0x030E_00F0, "this build of Python 3.14"),
        ] as [(UInt64, String)])
    func versions(version: UInt64, python: String) {
        let text = String(unsafeUninitializedCapacity: 96) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress else { return 0 }
                crerender_python_gap(version, start, text.count)
                return strnlen(start, text.count)
            }
        }
        #expect(text == "\(python) is not known: its functions have no names")
    }

    /// Whether a layout is believed after each of some code objects, which look right or do not.
    private func trusts(_ looks: [Bool]) -> [Bool] {
        var trust = crerender_layout_trust()
        return looks.map { crerender_trusts_layout(&trust, $0) }
    }

    @Test("is all of a Python whose first eight code objects do not look right, and of no other")
    func trust() {
        let wrong = [Bool](repeating: false, count: 7)
        #expect(trusts(wrong + [false, false]) == wrong.map { !$0 } + [false, false])
        #expect(trusts(wrong + [true] + wrong + wrong) == [Bool](repeating: true, count: 22))
    }

    @Test("is what was asked for after 20 ms of a second, and a second later there are names again")
    func second() {
        var naming = crerender_naming()
        func isAllowed(_ now: UInt64) -> Bool { crerender_may_name(&naming, now) }
        let (start, second) = (UInt64(5_000_000_000), UInt64(1_000_000_000))
        #expect(isAllowed(start) && naming.second == start)
        naming.spent += 19_999_999
        #expect(isAllowed(start + 1_000) && !naming.left_out)
        naming.spent += 1
        #expect(!isAllowed(start + 1_000) && naming.left_out)
        #expect(!isAllowed(start + second - 1))
        #expect(isAllowed(start + second) && naming.spent == 0)
        #expect(naming.second == start + second && naming.left_out, "what was left out has no name later")
    }

    @Test("has no new second for a thread that looked at the clock before another one began it")
    func earlier() {
        var naming = crerender_naming(second: 5_000_000_000, spent: 20_000_000, left_out: false)
        let isAllowed = crerender_may_name(&naming, 4_999_999_999)
        #expect(!isAllowed)
        #expect(naming.second == 5_000_000_000 && naming.spent == 20_000_000)
    }
}
