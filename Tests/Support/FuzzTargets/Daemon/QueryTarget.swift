// SPDX-License-Identifier: MIT
// The query socket: bytes of HTTP, as clients send them.

#if DEBUG || RERENDER_FUZZ
    import FoundationEssentials
    import FuzzWire
    import Logging
    import NIOCore
    import NIOEmbedded
    import NIOHTTP1
    import RerenderModel
    @testable import RerenderDaemon
    import RerenderWire

    extension FuzzTarget {
        /// The bytes are a request's target.
        static let uri = FuzzTarget("uri", longest: 512) { bytes in
            try ServiceUnderTest.shared.ask(String(decoding: bytes, as: UTF8.self))
        }

        /// The first byte says where the rest is cut into two pieces: it is what a client sends.
        static let http = FuzzTarget("http", longest: 1_024) { bytes in
            try ServiceUnderTest.shared.send(Array(bytes.dropFirst()), splitAt: Int(bytes.first ?? 0))
        }
    }

    /// A query service with one app, on a loop whose time stands still.
    private final class ServiceUnderTest {
        /// Used by one thread at a time.
        static nonisolated(unsafe) let shared = ServiceUnderTest()

        private let loop = EmbeddedEventLoop()
        private let router: QueryRouter
        private let service: QueryService

        private init() {
            let registry = Registry(limits: DaemonLimits())
            let app = AppConnection(serial: 1, pid: 10)
            let hello = Hello(pid: 10, startTicks: 1, processName: "shop")
            let state = StoreState(storeID: 0, name: "main", startedAt: Timestamp(nanosecondsSince1970: 1))
            let view = ViewDeclaration(storeID: 0, index: 0, key: "Cart", file: "Cart.swift", line: 1)
            for message in [AppMessage.hello(hello), .store(state), .view(view)] {
                try? registry.receive(message, from: app)
            }
            let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
            let configuration = DaemonConfiguration(runtimeDirectory: RuntimeDirectory(path: "/nowhere"))
            let context = DaemonContext(
                configuration: configuration, registry: registry, loop: loop.assumeIsolated(), log: PeerLog(logger),
                settings: CurrentSettings(nil, log: logger))
            router = QueryRouter(registry: registry, limits: configuration.limits) { HealthReport() }
            service = QueryService(
                context, router: router, commands: CommandRunner(context, send: { _, _ in false }), refresh: {})
        }

        /// An answer is a document with a status, whatever is asked.
        func ask(_ uri: String) throws {
            let target = RequestTarget(uri)
            try hold(target.path.utf8.count <= 3 * uri.utf8.count, "a path of \(target.path.utf8.count) bytes")
            let parameters = target.parameters.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
            try hold(parameters <= 3 * uri.utf8.count, "parameters of \(parameters) bytes")
            switch router.answer(ReceivedRequest(method: .GET, uri: uri)) {
            case .document(let status, let bytes, _):
                let isFault = (400..<500).contains(status.code)
                try hold(status.code == 200 || isFault, "status \(status.code)")
                try hold(bytes.count < 16_384, "an error of \(bytes.count) bytes")
                let text = try? JSONDecoder().decode(AnyDocument.self, from: Data(bytes))
                try hold(text != nil, "it is no JSON: \(String(decoding: bytes, as: UTF8.self))")
            case .text(let text):
                try hold(text.elements <= 2, "\(text.elements) elements of one store with one view")
                var bytes: [UInt8] = []
                while !text.isDone { bytes += try text.piece(size: 4_096) }
                let document = try? JSONDecoder().decode(AnyDocument.self, from: Data(bytes))
                try hold(document != nil, "it is no JSON: \(String(decoding: bytes, as: UTF8.self))")
            case .events: break
            case .command: throw FuzzFinding("a question is a command")
            }
        }

        /// What is answered does not depend on the pieces in which it was asked.
        func send(_ bytes: [UInt8], splitAt part: Int) throws {
            let split = bytes.count * part / 256
            let whole = try answers([bytes])
            let pieces = try answers([Array(bytes[..<split]), Array(bytes[split...])])
            // Times are in digits.
            try hold(whole == pieces, "at once:\n\(whole)\nin pieces:\n\(pieces)")
        }

        private func answers(_ pieces: [[UInt8]]) throws -> String {
            let channel = EmbeddedChannel(loop: loop)
            try service.accept(channel, from: PeerCredentials(pid: 1, uid: 0))
            _ = try? channel.connect(to: SocketAddress(unixDomainSocketPath: "/query.sock"), promise: nil)
            for piece in pieces where !piece.isEmpty {
                _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
                loop.advanceTime(by: .milliseconds(1))
            }
            for _ in 0..<4 { loop.advanceTime(by: .milliseconds(1)) }
            var answer: [UInt8] = []
            while let bytes = try? channel.readOutbound(as: ByteBuffer.self) {
                answer += bytes.readableBytesView.filter { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
            _ = try? channel.finish(acceptAlreadyClosed: true)
            loop.advanceTime(by: .milliseconds(1))
            return String(decoding: answer, as: UTF8.self)
        }
    }

    /// Whatever is JSON.
    private struct AnyDocument: Decodable {
        init(from decoder: any Decoder) {}
    }
#endif
