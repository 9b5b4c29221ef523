// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("The user's settings in the daemon")
struct CurrentSettingsTests {
    @Test("are those of the file as it is now, and a fault in it is logged once")
    func readAnew() throws {
        let path = try TestFile.makeDirectory() + "/config.toml"
        let log = CapturedLog()
        let settings = CurrentSettings(SettingsFile(path: path), log: log.logger)
        var seen: [UInt32?] = []
        settings.onLook = { seen.append($0.hangThresholdMilliseconds) }
        func look(_ text: String) throws -> UInt32? {
            try TestFile.write(Array(text.utf8), to: path)
            return settings.now.hangThresholdMilliseconds
        }
        #expect(settings.now == UserSettings())
        #expect(try look("hangThreshold = 321") == 321)
        #expect(try look("hangThreshold = 45") == 45)
        #expect(try look("hangThreshold = 'no'") == nil)
        #expect(settings.now == UserSettings())
        #expect(log.lines.count == 1 && log.lines.first?.contains("config.toml:1: ") == true, "\(log.lines)")
        #expect(try look("hangThreshold = 45") == 45)
        #expect(try look("hangThreshold = 'no'") == nil)
        #expect(log.lines.count == 2, "it was right meanwhile")
        #expect(seen == [nil, 321, 45, nil, nil, 45, nil])
    }

    @Test("are for no store that was told some before, also by a daemon that is gone")
    func configured() {
        var settings = UserSettings()
        (settings.hangThresholdMilliseconds, settings.hangStacks) = (321, true)
        var state = StoreState(storeID: 0, name: "main", startedAt: .now)
        #expect(settings.change(of: state)?.hangThresholdMilliseconds == 321)
        state.isConfigured = true
        #expect(settings.change(of: state) == nil)
    }
}
