// SPDX-License-Identifier: MIT
@testable import RerenderTool
import Testing

@Suite("rerenderctl stats --watch")
struct WatchTests {
    @Test(
        "seconds that are none, or out of range, are wrong usage and not two seconds",
        arguments: [
            ["--watch=x"], ["--watch", "x"], ["-w", "x"], ["--watch=0"], ["--watch=0.05"], ["--watch=86401"],
            ["--watch=nan"], ["--watch=inf"], ["--watch=-1"], ["--watch=2s"],
        ])
    func seconds(arguments: [String]) {
        let line = ParsedLine(["stats"] + arguments)
        #expect(line.status == 64)
        #expect(line.text.hasPrefix("rerenderctl: --watch takes 0.1 to 86400 seconds.\n"), "\(line)")
    }

    @Test("a number of seconds is taken, and nothing stands for two")
    func goodSeconds() throws {
        for (text, seconds) in [("0.1", 0.1), ("2", 2), ("86400", 86_400)] {
            #expect(try WatchInterval(argument: text).checked() == seconds)
        }
        #expect(try WatchInterval.usual.checked() == 2)
    }
}
