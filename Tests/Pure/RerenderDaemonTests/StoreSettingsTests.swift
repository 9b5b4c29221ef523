// SPDX-License-Identifier: MIT
import Dispatch
import NIOCore
import NIOPosix
import RerenderModel
import RerenderWire
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("What stores are told of the user's settings")
struct StoreSettingsTests {
    /// Stores of a registry that are told, and where the messages went. Confined to its event loop.
    private final class Lab: @unchecked Sendable {
        let fixture = RegistryFixture()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        /// Lets looks at the file go on.
        let gate = DispatchSemaphore(value: 0)
        var told: [(store: UInt32, connection: UInt64)] = []
        var isFull = false
        private(set) lazy var settings = StoreSettings(fixture.registry, current) {
            [unowned self] message, connection in
            guard !isFull, case .configure(_, let store, _) = message else { return false }
            told.append((store ?? .max, connection))
            return true
        }
        private lazy var current = CurrentSettings(
            { [gate] _ in
                gate.wait()
                var found = UserSettings()
                found.hangThresholdMilliseconds = 321
                return .init(version: nil, settings: .success(found))
            }, log: CapturedLog().logger, loop: loop)

        func run<T: Sendable>(_ body: @escaping @Sendable (Lab) throws -> T) async throws -> T {
            try await loop.submit { try body(self) }.get()
        }

        /// Lets looks go on until none is wanted.
        func look() async throws {
            gate.signal()
            // Behind what the look hands over, which another look may follow.
            while try await run({ $0.settings.isLooking }) { gate.signal() }
        }

        var serials: [UInt32] { fixture.registry.storesBySerial.keys.sorted() }
    }

    @Test("go to the connection that the app has when the file was read")
    func replaced() async throws {
        let lab = Lab()
        let second = try await lab.run { lab in
            let first = try lab.fixture.connect()
            try lab.fixture.say(.store(), on: first)
            for store in lab.serials { lab.settings.tell(store) }
            let second = try lab.fixture.connect()
            try lab.fixture.say(.store(), on: second)
            #expect(first.serial != second.serial)
            return second.serial
        }
        try await lab.look()
        let told = try await lab.run { $0.told.map(\.connection) }
        #expect(told == [second])
    }

    @Test("are told again where the app did not read, or was not there, and then no more")
    func full() async throws {
        let lab = Lab()
        try await lab.run { lab in
            let app = try lab.fixture.connect()
            try lab.fixture.say(.store(), .store(1, "side"), on: app)
            lab.isFull = true
            for store in lab.serials { lab.settings.tell(store) }
        }
        try await lab.look()
        try await lab.run { lab in
            #expect(lab.told.isEmpty)
            lab.isFull = false
            lab.settings.tellAll(of: lab.fixture.registry.processes[0])
        }
        try await lab.look()
        try await lab.run { lab in
            #expect(lab.told.map(\.store).sorted() == [0, 1])
            lab.settings.tellAll(of: lab.fixture.registry.processes[0])
            #expect(!lab.settings.isLooking)
        }
    }

    @Test("reach each store, however many wait while the file's home does not answer")
    func many() async throws {
        let lab = Lab()
        let count = 5_000
        try await lab.run { lab in
            for pid in 1...Int32(count / 10) {
                let app = try lab.fixture.connect(pid: pid)
                for store in 0..<10 as Range<UInt32> { try lab.fixture.say(.store(store, "store \(store)"), on: app) }
            }
            for store in lab.serials { lab.settings.tell(store) }
        }
        try await lab.look()
        let told = try await lab.run { $0.told.count }
        #expect(told == count)
    }
}
