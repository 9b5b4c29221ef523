// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("Settings as they are typed")
struct SettingParserTests {
    @Test("several settings become one change")
    func change() throws {
        let change = try SettingParser.change(
            ["enabled=off", "hangThreshold=500", "microHangThreshold=50ms", "hangStacks=on"], process: "shop",
            store: nil)
        var expected = ConfigurationChange(process: "shop")
        expected.enabled = false
        expected.hangThresholdMilliseconds = 500
        expected.microHangThresholdMilliseconds = 50
        expected.hangStacks = true
        #expect(change == expected)
        let seconds = try SettingParser.change(["hangThreshold=5s"], process: nil, store: nil)
        #expect(seconds.hangThresholdMilliseconds == 5_000)
    }

    @Test(
        "what is wrong is said with what would be right",
        arguments: [
            ("enabled", "is not key=value"), ("enabled=maybe", "enabled=maybe is neither true nor false"),
            ("hangStacks=8", "hangStacks=8 is neither true nor false"),
            ("hangThreshold=0", "from 1 to 3600000"),
            ("hangThreshold=3600001", "from 1 to 3600000"), ("hangThreshold=-5", "from 1 to 3600000"),
            ("hangThreshold=", "from 1"), ("hangThreshold=4294968s", "from 1"), ("hangThreshold=s", "from 1"),
            ("colour=red", "There are: enabled, hangThreshold, microHangThreshold and hangStacks"),
            ("\u{1B}[2J=1", "\\u{1b}[2J"),
            ("=1", "no setting"),
        ])
    func wrong(setting: String, text: String) {
        let failure = #expect(throws: ToolFailure.self) {
            try SettingParser.change([setting], process: nil, store: nil)
        }
        #expect(failure?.status == 64)
        #expect(failure?.message.contains(text) == true)
    }
}
