// SPDX-License-Identifier: MIT
// When an app looks for the user's switch.

import Testing

@testable import Rerender

@Suite("The user's switch in an app")
struct UserSwitchTests {
    @Test("a look is made once a second at most, unless something happened")
    func looks() throws {
        var user = UserSwitch()
        var isDue = [1_000_000_000, 1_000_000_001, 1_999_999_999, 2_000_000_000].map { user.isDue(at: $0) }
        #expect(isDue == [true, false, false, true])
        user.hurry()
        isDue = [2_000_000_001, 2_000_000_002].map { user.isDue(at: $0) }
        #expect(isDue == [true, false])
    }
}
