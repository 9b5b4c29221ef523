// SPDX-License-Identifier: MIT
import NIOCore
import NIOEmbedded
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("A daemon on HTTP")
struct DaemonHTTPTests {
    @Test("answers HEAD with no body, bad HTTP and large bodies with an error in JSON")
    func edges() throws {
        let daemon = try EmbeddedCore()
        let head = try daemon.request("HEAD", "/v1/stats")
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(try daemon.request("HEAD", "/v1/health").body.isEmpty)
        let large = try daemon.request("POST", "/v1/pulse", String(repeating: "A", count: 20_000))
        #expect(large.status == 413)
        #expect(try large.json(QueryError.self).error.contains("16384"))
        let client = try daemon.client()
        try client.send("nonsense\r\n\r\n")
        let nonsense = try daemon.answer(to: client)
        #expect(nonsense.status == 400)
        #expect(try nonsense.json(QueryError.self).error.contains("curl"))
        #expect(try daemon.get("/v1/stats").status == 200)
    }

    @Test("takes a body of so many bytes", arguments: around(DaemonLimits().requestBytes))
    func bodies(bytes: Int) throws {
        let answer = try EmbeddedCore().request("POST", "/v1/pulse", String(repeating: "A", count: bytes))
        // Here all comes in one piece: with as much again, that is too long for a request with its headers.
        let refusal = bytes < 2 * DaemonLimits().requestBytes ? 413 : 431
        #expect((answer.status == refusal) == (bytes > DaemonLimits().requestBytes), "\(answer)")
    }

    @Test("has so many readers of events", arguments: around(2))
    func fewReaders(count: Int) throws {
        let daemon = try EmbeddedCore { $0.limits.eventReaders = 2 }
        for number in 0..<count {
            guard number < 2 else {
                #expect(try daemon.get("/v1/events").status == 503)
                continue
            }
            let reader = try daemon.begin("GET", "/v1/events")
            #expect(try reader.received().hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("says which release it is of")
    func release() throws {
        #expect(try EmbeddedCore().health().daemonVersion == RerenderVersion.current)
    }

    @Test("says how many hangs it forgot to make room")
    func forgotten() throws {
        let daemon = try EmbeddedCore { $0.limits.hangs = 2 }
        for turn in 1...5 as ClosedRange<UInt64> {
            let hang = Hang(id: turn, pid: 10, process: "shop", startedAt: .now, turn: turn)
            daemon.core.registry.put(hang, of: ProcessInstance(pid: 10, startTicks: 1), isNews: true)
        }
        #expect(try daemon.health().watchdog.hangsForgotten == 3)
    }

    @Test("answers several requests on one connection, in order")
    func keepAlive() throws {
        let daemon = try EmbeddedCore()
        let request = "GET /v1/nowhere HTTP/1.1\r\nHost: x\r\n\r\n"
        let client = try daemon.client()
        try client.send(request + request + "GET /v1/stats HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        var text = ""
        for _ in 0..<100 where client.isActive {
            daemon.loop.advanceTime(by: daemon.limits.piecePause)
            text += try client.received()
        }
        #expect(!client.isActive)
        #expect(text.split(separator: "HTTP/1.1 ").map { $0.prefix(3) } == ["404", "404", "200"])
    }

    @Test("ends an answer to HTTP/1.0 with the connection")
    func oldHTTP() throws {
        let daemon = try EmbeddedCore()
        let client = try daemon.client()
        try client.send("GET /v1/stats HTTP/1.0\r\n\r\n")
        let answer = try daemon.answer(to: client)
        #expect(answer.status == 200 && answer.headers["transfer-encoding"] == nil)
        #expect(try answer.json(StatsExport.self).version == 1)
    }

    @Test("cuts off clients that send no request in time", arguments: ["", "GET /v1/st"])
    func silent(said: String) throws {
        let daemon = try EmbeddedCore()
        let client = try daemon.client()
        if !said.isEmpty { try client.send(said) }
        daemon.loop.advanceTime(by: daemon.limits.requestTimeout - .nanoseconds(1))
        #expect(try client.isActive && client.received().isEmpty)
        daemon.loop.advanceTime(by: .nanoseconds(1))
        #expect(!client.isActive)
    }

    @Test("cuts off clients that take no answer")
    func stalled() throws {
        let daemon = try EmbeddedCore()
        let app = try daemon.app()
        try app.send(.store())
        for index in 0..<UInt32(5_000) { try app.send(.view(index, "v\(index)"), .totals(index, 1)) }
        let client = try daemon.client()
        try client.pipeline.syncOperations.addHandler(TakesNothing(), position: .first)
        try client.send("GET /v1/stats HTTP/1.1\r\nHost: x\r\n\r\n")
        daemon.loop.advanceTime(by: daemon.limits.stalledTimeout - .nanoseconds(1))
        #expect(client.isActive)
        daemon.loop.advanceTime(by: .nanoseconds(1))
        #expect(!client.isActive && app.isConnected)
    }

    @Test("refuses readers of events over their limit, and closes what is idle for who asks")
    func limits() throws {
        let daemon = try EmbeddedCore {
            $0.limits.eventReaders = 1
            $0.limits.queryConnections = 2
        }
        let reader = try daemon.client()
        try reader.send("GET /v1/events HTTP/1.1\r\n\r\n")
        #expect(try reader.received().hasPrefix("HTTP/1.1 200 "))
        #expect(try daemon.get("/v1/events").status == 503)
        // Of two connections, one reads events and one asks for nothing: the third takes the place of the latter.
        let idle = try daemon.client()
        #expect(try daemon.health().dropped.connections == 1)
        #expect(!idle.isActive && reader.isActive)
        reader.close(promise: nil)
        daemon.loop.run()
        #expect(try daemon.health().dropped.connections == 1)
    }

    @Test("keeps changes while a client reads events, and keeps none once that has left")
    func changes() throws {
        let daemon = try EmbeddedCore()
        let app = try daemon.app()
        try app.send(.store(), .view(0, "Cart"), .totals(0, 5))
        for count in UInt64(6)...7 {
            #expect(daemon.core.registry.changes == nil)
            let reader = try daemon.begin("GET", "/v1/events")
            #expect(try reader.received().hasPrefix("HTTP/1.1 200 "))
            #expect(daemon.core.registry.changes != nil)
            daemon.loop.advanceTime(by: daemon.limits.eventInterval)
            #expect(try reader.received().contains("Cart"))
            reader.close(promise: nil)
            daemon.loop.run()
            try app.send(.totals(0, count))
            #expect(daemon.core.registry.changes == nil)
        }
    }
}

/// A client that takes nothing of what it is sent.
private final class TakesNothing: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private var held: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if let promise { held.append(promise) }
    }

    func flush(context: ChannelHandlerContext) {}

    func handlerRemoved(context: ChannelHandlerContext) {
        for promise in held { promise.fail(ChannelError.ioOnClosedChannel) }
        held = []
    }
}
