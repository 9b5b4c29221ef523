// SPDX-License-Identifier: MIT
// The daemon's state file, which may be damaged, or of anybody.

#if DEBUG || RERENDER_FUZZ
    import FuzzWire
    import NIOCore
    @testable import RerenderDaemon
    import RerenderWire

    extension FuzzTarget {
        /// The first byte says whether the rest is a file, or messages that are put into frames behind a header.
        static let state = FuzzTarget("state", longest: 4_096) { bytes in
            var input = FuzzBytes(bytes)
            let form = input.byte()
            let file = form & 1 == 0 ? Array(input.rest) : StateUnderTest.file(&input)
            try StateUnderTest.check(file)
        }
    }

    private enum StateUnderTest {
        private static let now = NIODeadline.uptimeNanoseconds(100_000_000_000_000)

        /// A header of ours, and messages: kind, length, fields.
        static func file(_ input: inout FuzzBytes) -> [UInt8] {
            var writer = WireWriter()
            writer.message(kind: StateFile.Kind.header.rawValue) {
                $0.integer(StateFile.version)
                $0.string("boot", limit: WireLimits.stringBytes)
                $0.integer(UInt64(0))
            }
            while !input.isEmpty {
                let kind = input.byte()
                let fields = input.take(input.short() & 0x3FF)
                writer.message(kind: kind) { for byte in fields { $0.integer(byte) } }
            }
            return writer.bytes
        }

        /// What was taken in can be written, and is taken in again as the same.
        static func check(_ file: [UInt8]) throws {
            let registry = try restored(file)
            let parts = StateFile.parts(of: registry, bootID: "boot", limit: 1 << 20, now: now)
            let again = try restored(Array(parts.joined()), mustHold: true)
            try hold(
                count(registry) == count(again),
                "\(count(registry)) processes, stores, views, evaluations; then \(count(again))")
        }

        private static func restored(_ bytes: [UInt8], mustHold: Bool = false) throws -> Registry {
            let registry = Registry(limits: DaemonLimits())
            do {
                try StateFile.restore(bytes, into: registry, bootID: "boot", now: now)
            } catch {
                try hold(!mustHold, "what was written is not read: \(StateFile.reason(error))")
            }
            try RegistryChecks.hold(registry, room: registry.limits.registryBytes)
            try hold(registry.actions.isEmpty, "there is something to do")
            let open = registry.processes.contains { $0.connection != nil }
            try hold(!open, "a process of the file is connected")
            return registry
        }

        private static func count(_ registry: Registry) -> [UInt64] {
            let stores = registry.processes.flatMap(\.stores)
            return [
                UInt64(registry.processes.count), UInt64(stores.count), UInt64(registry.viewCount),
                stores.reduce(0) { $0 &+ $1.received }, stores.reduce(0) { $0 &+ $1.lost },
                UInt64(registry.hangs.entries.count),
            ]
        }
    }
#endif
