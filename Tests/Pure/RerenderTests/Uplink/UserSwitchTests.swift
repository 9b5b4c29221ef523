// SPDX-License-Identifier: MIT
// The user's switch in a running process, with daemons that do not do what they should, and with a main loop.

import Foundation
@testable import Rerender
import RerenderWire
import TestSupport
import Testing

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
