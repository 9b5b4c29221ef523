// SPDX-License-Identifier: MIT
import FoundationEssentials
import NIOHTTP1
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Requests")
struct RouterTests {
    let fixture = RegistryFixture()

    private func ask(_ method: HTTPMethod, _ uri: String, _ body: String = "") throws -> (status: Int, text: String) {
        let router = QueryRouter(registry: fixture.registry, limits: DaemonLimits()) { HealthReport() }
        switch router.answer(ReceivedRequest(method: method, uri: uri, body: Array(body.utf8))) {
        case .document(let status, let bytes, _): return (Int(status.code), String(decoding: bytes, as: UTF8.self))
        case .text(let text): return (200, String(decoding: try text.piece(size: .max), as: UTF8.self))
        case .events: return (200, "events")
        case .command(let plan): return (200, "\(plan.targets.count)")
        }
    }

    @Test(
        "with wrong parameters are told what is allowed",
        arguments: [
            ("/v1/stats?limit=x", "0 to 100000"), ("/v1/stats?limit=-1", "0 to 100000"),
            ("/v1/stats?limit=99999999999999999999", "0 to 100000"),
            ("/v1/stats?sort=size", "count, wasted, time, hangs, key"), ("/v1/stats?sort=rate", "key, share, average"),
            ("/v1/stats?sorted=count", "sort, limit, process, key"), ("/v1/stats?limit=", "leave it out"),
            ("/v1/hangs?limit=x", "0 to 100000"), ("/v1/hangs?limit=-1", "0 to 100000"),
            ("/v1/hangs?since=yesterday", "2026-11-20T22:45:00Z"), ("/v1/hangs?pid=3", "process, since, limit"),
        ])
    func badParameters(uri: String, hint: String) throws {
        let answer = try ask(.GET, uri)
        #expect(answer.status == 400 && answer.text.contains(hint), "\(answer)")
    }

    @Test("ask for so many views and hangs at most", arguments: around(DaemonLimits().limitParameter.upperBound))
    func mostViews(limit: Int) throws {
        let isAllowed = limit <= DaemonLimits().limitParameter.upperBound
        for path in ["/v1/stats", "/v1/hangs"] {
            #expect(try ask(.GET, "\(path)?limit=\(limit)").status == (isAllowed ? 200 : 400))
        }
    }

    @Test("for unknown paths get the list of known ones")
    func unknownPath() throws {
        let answer = try ask(.GET, "/v2/stats")
        #expect(answer.status == 404)
        let error = try JSONDecoder().decode(QueryError.self, from: Data(answer.text.utf8))
        #expect(error.paths == QueryPath.allCases.map(\.rawValue))
    }

    @Test(
        "by another method are told which one",
        arguments: [
            (HTTPMethod.POST, "/v1/stats", "GET"), (.GET, "/v1/reset", "POST"),
            (.DELETE, "/v1/mark", "GET, HEAD, POST"),
        ])
    func methods(method: HTTPMethod, uri: String, allowed: String) throws {
        let answer = try ask(method, uri)
        #expect(answer.status == 405 && answer.text.contains(allowed))
    }

    @Test("for an unknown process or store get the list of known ones")
    func unknownProcess() throws {
        let app = try fixture.connect(pid: 4_711)
        try fixture.say(.store(0, "main"), on: app)
        #expect(try ask(.GET, "/v1/stats?process=desk").text.contains("shop (4711)"))
        for answer in [try ask(.GET, "/v1/stats?process=desk"), try ask(.POST, "/v1/reset", #"{"process": "desk"}"#)] {
            #expect(answer.status == 404 && answer.text.contains("shop (4711)"))
        }
        let store = try ask(.POST, "/v1/pulse", #"{"key": "Cart", "store": "nowhere"}"#)
        #expect(store.status == 404 && store.text.contains("main"))
    }

    @Test(
        "for hangs get those that are asked for, the newest first",
        arguments: [
            ("", [3, 2, 1]), ("?limit=1", [3]), ("?process=shop", [3, 2, 1]), ("?process=4711", [3, 2, 1]),
            ("?since=2100-01-01T00:00:00Z", []), ("?since=2020-01-01T00:00:00.000Z", [3, 2, 1]),
        ] as [(String, [UInt64])])
    func hangs(parameters: String, ids: [UInt64]) throws {
        let app = try fixture.connect(pid: 4_711)
        let process = try fixture.process(app).identity
        for id in 1...3 as ClosedRange<UInt64> {
            let start = Timestamp(nanosecondsSince1970: 1_700_000_000_000_000_000 + Int64(id) * 5_000_000_000)
            var hang = Hang(id: id, pid: 4_711, process: "shop", startedAt: start, turn: id)
            (hang.durationNanoseconds, hang.open, hang.ended) = (300_000_000, false, .normally)
            fixture.registry.put(hang, of: process, isNews: true)
        }
        let list = try JSONDecoder().decode(HangList.self, from: Data(ask(.GET, "/v1/hangs" + parameters).text.utf8))
        #expect(list.hangs.map(\.id) == ids)
        #expect(try ask(.GET, "/v1/hangs?process=desk").status == 404)
    }

    @Test(
        "with a body that is wrong are told what one looks like",
        arguments: [
            ("/v1/config", "{}", "nothing to change"), ("/v1/config", "nonsense", "such as"),
            ("/v1/config", #"{"hangThresholdMilliseconds": 0}"#, "1 to 3600000"), ("/v1/pulse", "", "such as"),
            ("/v1/config", #"{"hangThresholdMilliseconds": -5}"#, "such as"), ("/v1/reset", "[]", "such as"),
            ("/v1/reset", #"{"prcess": "shop"}"#, "use process, store"),
            ("/v1/pulse", #"{"key": "A", "proces": "shop"}"#, "use key, process, store"),
            ("/v1/overlay", #"{"overlay": "menu", "on": true}"#, "such as"),
            ("/v1/config", #"{"enabled": false, "hangThreshold": 9}"#, "hangThresholdMilliseconds"),
        ])
    func badBodies(path: String, body: String, hint: String) throws {
        let answer = try ask(.POST, path, body)
        #expect(answer.status == 400 && answer.text.contains(hint), "\(answer)")
    }

    @Test("for handles get one for each view, which a view in its place does not have")
    func handles() throws {
        let app = try fixture.connect(pid: 4_711)
        try fixture.say(
            .store(evaluations: 14), .view(0, "Cart"), .view(1, "Badge"), .totals(0, 9), .totals(1, 5), on: app)
        func handles() throws -> [ViewKey: String] {
            let text = try ask(.GET, "/v1/stats?handles=true").text
            let views = try JSONDecoder().decode(StatsExport.self, from: Data(text.utf8)).processes.flatMap(\.views)
            return Dictionary(views.map { ($0.key, $0.handle ?? "") }) { first, _ in first }
        }
        let first = try handles()
        #expect(first.count == 2 && Set(first.values).count == 2 && first["Cart"]?.hasPrefix("v") == true)
        try fixture.say(.view(0, "Other"), .totals(0, 1), on: app)
        let second = try handles()
        #expect(second["Badge"] == first["Badge"] && second["Other"] != nil && second["Other"] != first["Cart"])
        #expect(try !ask(.GET, "/v1/stats").text.contains("\"handle\""))
        #expect(try ask(.GET, "/v1/stats?handles=yes").status == 400)
    }

    @Test("decode percent signs and plus signs, and survive broken ones")
    func decoding() {
        let target = RequestTarget("/v1/stats?key=a%20b%2Fc+d%C3%A9&process=100%&x=%zz%4")
        #expect(target.path == "/v1/stats")
        #expect(target.parameters.map(\.value) == ["a b/c dé", "100%", "%zz%4"])
    }

    @Test("for commands reach the stores that are meant and connected")
    func commands() throws {
        let shop = try fixture.connect(pid: 1)
        try fixture.say(.store(0, "main"), .store(1, "main"), .store(2, "tools"), on: shop)
        let desk = try fixture.connect(pid: 2, name: "desk")
        try fixture.say(.store(0, "main"), on: desk)
        let gone = try fixture.connect(pid: 3, name: "gone")
        fixture.registry.disconnected(gone)
        #expect(try ask(.POST, "/v1/reset").text == "2")
        #expect(try ask(.POST, "/v1/reset", #"{"process": "1"}"#).text == "1")
        #expect(try ask(.POST, "/v1/reset", #"{"store": "main"}"#).text == "3")
        #expect(try ask(.POST, "/v1/reset", #"{"store": "main#1"}"#).text == "1")
        #expect(try ask(.POST, "/v1/reset", #"{"store": "main#7"}"#).status == 404)
        #expect(try ask(.POST, "/v1/reset", #"{"process": "gone"}"#).text == "0")
    }
}
