// SPDX-License-Identifier: MIT
// The daemon's registry among apps that say anything, in any order, and come and go.

#if DEBUG || RERENDER_FUZZ
    import FuzzWire
    import NIOCore
    import RerenderModel
    @testable import RerenderDaemon
    import RerenderWire

    extension FuzzTarget {
        /// The bytes are steps: who speaks, and what; see ``AppsUnderTest``.
        static let registry = FuzzTarget("registry", longest: 1_024) { bytes in
            let apps = AppsUnderTest()
            try apps.play(FuzzBytes(bytes))
        }
    }

    /// Four connections of three processes, and a registry with little room.
    private final class AppsUnderTest {
        private let registry: Registry
        private var connections: [AppConnection] = []
        private var serial: UInt64 = 0
        private var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
        /// What must hold of a daemon that serves all of these at once.
        private static let room = 24_000

        init() {
            var limits = DaemonLimits()
            limits.registryBytes = Self.room
            limits.disconnectedProcesses = 2
            registry = Registry(limits: limits)
            registry.recordChanges(true)
            for place in 0..<4 { connections.append(connection(place)) }
        }

        private func connection(_ place: Int) -> AppConnection {
            serial += 1
            // Two of them are of one process.
            return AppConnection(serial: serial, pid: Int32(100 + place % 3))
        }

        func play(_ input: FuzzBytes) throws {
            var input = input, steps = 0
            while !input.isEmpty, steps < 64 {
                let step = input.byte()
                let place = Int(step & 3)
                let speaker = connections[place]
                play(step >> 2, place, &input)
                for action in registry.actions { try check(action, of: speaker) }
                registry.actions.removeAll()
                steps += 1
            }
            try RegistryChecks.hold(registry, room: Self.room)
            _ = registry.takeChanges()
        }

        /// What the daemon has to do concerns who spoke, an earlier connection of the same process, and stores of theirs.
        private func check(_ action: Registry.Action, of speaker: AppConnection) throws {
            switch action {
            case .welcome: try hold(speaker.process != nil, "\(action) of nobody")
            case .tellCounts(let serial):
                let found = registry.storesBySerial[serial]
                try hold(found == nil || found?.process === speaker.process, "\(action) of another process")
            case .supersede(let connection):
                try hold(connection <= serial && connection != speaker.serial, "\(action) by \(speaker.serial)")
            case .done(_, let connection): try hold(connection == speaker.serial, "\(action) by \(speaker.serial)")
            }
        }

        private func play(_ step: UInt8, _ place: Int, _ input: inout FuzzBytes) {
            let connection = connections[place]
            switch step % 16 {
            case 0:
                registry.disconnected(connection)
                connections[place] = self.connection(place)
            case 1:
                guard let process = connection.process else { return }
                registry.processEnded(process, page: nil, now: now)
                connections[place] = self.connection(place)
            case 2:
                now = now + .nanoseconds(Int64(input.byte()) * 1_000_000_000)
                _ = registry.expire(keep: .seconds(100), maxEnded: 2, now: now)
            case 3: _ = registry.takeChanges()
            case 4: break
            case 5, 6: say(.hello(hello(input.byte())), on: connection)
            case 7:
                let frame = input.take(Int(input.byte()))
                try? registry.receive(frame: frame.span.bytes, from: connection)
            case 8, 9:
                let kind = input.byte()
                let bytes = input.take(Int(input.byte()))
                var fields = WireReader(bytes.span.bytes)
                try? registry.receive(kind: kind, fields: &fields, from: connection)
            default: say(AnyMessage.next(&input), on: connection)
            }
        }

        private func hello(_ number: UInt8) -> Hello {
            Hello(pid: 1, startTicks: UInt64(number % 3), processName: "shop")
        }

        /// As bytes, through the same code as a socket's.
        private func say(_ message: AppMessage, on connection: AppConnection) {
            var writer = WireWriter()
            message.write(to: &writer)
            _ = try? FrameReader.frames(in: writer.bytes.span.bytes) { (frame) throws(WireError) in
                try self.registry.receive(frame: frame, from: connection)
            }
        }
    }

    /// Messages with small numbers, so that they meet.
    private enum AnyMessage {
        static func next(_ input: inout FuzzBytes) -> AppMessage {
            let what = input.byte(), which = input.byte()
            let (store, view) = (UInt32(which & 3), UInt32(which >> 2 & 7))
            switch what % 8 {
            case 0:
                var state = StoreState(
                    storeID: store, name: String(repeating: "s", count: Int(what >> 4)),
                    startedAt: Timestamp(nanosecondsSince1970: Int64(which >> 5)))
                state.epoch = UInt32(which >> 6)
                state.evaluations = input.word()
                state.gaps = (0..<Int(what >> 6)).map { "gap \($0)" }
                return .store(state)
            case 1:
                let key = String(repeating: "k", count: Int(what >> 3))
                return .view(ViewDeclaration(storeID: store, index: view, key: key, file: "File.swift", line: 1))
            case 2:
                return .reason(
                    ReasonDeclaration(
                        storeID: store, viewIndex: view, index: what >> 3 & 31, text: "reason \(what)", attribution: nil
                    ))
            case 3:
                return .detail(
                    DetailDeclaration(
                        storeID: store, viewIndex: view, reason: what >> 3 & 3, slot: which >> 5 & 3, text: "by \(what)"
                    ))
            case 4, 5:
                var totals = TotalsMessage(ViewTotals(storeID: store, index: view, epoch: UInt32(what >> 6)))
                totals.count = input.word()
                totals.reasonCounts = [.init(index: what >> 3 & 31, count: input.word())]
                totals.notSeen = UInt32(which >> 7)
                return .totals(totals)
            case 6: return what & 8 == 0 ? .storeEnded(storeID: store) : .mark("mark \(what)")
            default: return .goodbye
            }
        }
    }
#endif
