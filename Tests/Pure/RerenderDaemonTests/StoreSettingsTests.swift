// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("What stores are told of the user's settings")
struct StoreSettingsTests {
    @Test("are told again where the app did not read, or was not there, and then no more")
    func full() throws {
        let path = try TestFile.makeDirectory() + "/config.toml"
        try TestFile.write(Array("hangThreshold = 321".utf8), to: path)
        let fixture = RegistryFixture()
        var told: [UInt32?] = []
        var isFull = true
        let settings = StoreSettings(
            fixture.registry, CurrentSettings(SettingsFile(path: path), log: CapturedLog().logger)
        ) { message, _ in
            guard !isFull, case .configure(_, let store, _) = message else { return false }
            told.append(store)
            return true
        }
        let app = try fixture.connect()
        try fixture.say(.store(), .store(1, "side"), on: app)
        for store in fixture.registry.storesBySerial.keys.sorted() { settings.tell(store) }
        #expect(told.isEmpty)
        isFull = false
        for _ in 0..<2 { try settings.tellAll(of: fixture.process(app)) }
        #expect(told == [0, 1])
    }
}
