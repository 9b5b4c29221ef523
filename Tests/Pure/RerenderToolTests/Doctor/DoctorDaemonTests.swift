// SPDX-License-Identifier: MIT
// What the doctor says of the daemon: there and well, there and dumb, or not there.

import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("rerenderctl doctor on the daemon")
struct DoctorDaemonTests {
    @Test("fails when no daemon answers, when its answer cannot be read, and when the protocols differ")
    func daemon() async throws {
        #expect(try await finding("daemon", .fail, FakeClient())?.advice?.contains("rerenderd --foreground") == true)
        let garbage = FakeClient(answers: [.health: Array("hello".utf8)])
        #expect(try await finding("daemon", .fail, garbage)?.text.contains("cannot be read") == true)
        let other = try await finding("push protocol", .fail, .healthy { $0.protocolVersion = 2 })
        #expect(other?.text == "the daemon speaks version 2, rerenderctl version 1")
    }

    @Test("tells to start only a daemon that is not there; one that is there is to be restarted")
    func advice() async throws {
        let absent = try await finding("daemon", .fail, FakeClient())
        #expect(absent?.advice?.hasPrefix("Start it") == true)
        let silent = FakeClient(failure: .brokenAnswer("said nothing for 10 seconds"))
        let stopped = try await finding("daemon", .fail, silent)
        #expect(stopped?.text == "the daemon said nothing for 10 seconds.")
        #expect(
            stopped?.advice?.contains("fg. Otherwise restart it: systemctl --user restart rerenderd.service") == true)
        let named = try await finding("daemon", .fail, silent) {
            $0.directories.insert(RuntimeDirectory(path: "/mine", origin: .environment), at: 0)
            $0.files["/mine"] = FileFacts(kind: .directory, mode: 0o700, owner: 1000)
        }
        #expect(named?.advice?.hasSuffix("Otherwise restart it: stop it and start: rerenderd --foreground") == true)
        let garbage = FakeClient(answers: [.health: Array("hello".utf8)])
        let foreign = try await finding("daemon", .fail, garbage)
        #expect(foreign?.advice?.hasPrefix("Install rerenderd and rerenderctl of one version, then restart") == true)
    }

    @Test("tells how to restart a daemon of another version by where it came from")
    func version() async throws {
        let ofUnits = try await finding("push protocol", .fail, .healthy { $0.protocolVersion = 2 })
        #expect(ofUnits?.advice?.hasSuffix("systemctl --user restart rerenderd.service") == true)
        let ofItsOwn = try await finding(
            "push protocol", .fail,
            .healthy {
                $0.protocolVersion = 2
                $0.sockets = "own"
            })
        #expect(ofItsOwn?.advice?.hasSuffix("kill 42, and start it again: rerenderd --foreground") == true)
    }

    @Test("says of a daemon from before an update that it runs on, and how to run the new one")
    func release() async throws {
        let old = try await finding("push protocol", .warn, .healthy { $0.daemonVersion = "0.0.9" })
        #expect(old?.text.contains("release 0.0.9, rerenderctl is \(RerenderVersion.current)") == true)
        #expect(old?.advice == "To run the new daemon: systemctl --user restart rerenderd.service")
        let same = try await finding(
            "push protocol", .ok, .healthy { $0.daemonVersion = RerenderVersion.current })
        #expect(same?.advice == nil)
    }

    @Test("says of a daemon that the question started that it has just started")
    func activated() async throws {
        let client = try FakeClient.healthy {
            $0.startedAt = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 + 1)
        }
        #expect(
            try await finding("daemon", .ok, client)?.text.hasPrefix("pid 42, just started with sockets from systemd; ")
                == true)
    }

    @Test("shows what the daemon dropped, by cause")
    func drops() async throws {
        let client = try FakeClient.healthy {
            $0.dropped.connections = 1
            $0.dropped.totals = 1_234
        }
        #expect(
            try await finding("dropped data", .warn, client)?.text
                == "1 connection over the limit, 1,234 totals of an unknown view or an older epoch since the daemon started"
        )
    }

    @Test("names the log that there is where something was dropped")
    func dropAdvice() async throws {
        func advice(_ change: (inout HealthReport) -> Void) async throws -> String? {
            try await finding("dropped data", .warn, .healthy(change: change))?.advice
        }
        #expect(
            try await advice { $0.dropped.views = 3 }
                == "What was dropped is in no table. See the daemon's log: journalctl --user -u rerenderd.service")
        #expect(
            try await advice { ($0.dropped.views, $0.sockets) = (3, "own") }
                == "What was dropped is in no table. See the daemon's log: what rerenderd wrote to its standard error")
    }

    @Test("warns of long turns that could not be watched for hangs")
    func missedHangs() async throws {
        let client = try FakeClient.healthy { ($0.watchdog.missed, $0.watchdog.dropped) = (1_200, 34) }
        #expect(
            try await finding("hangs", .warn, client)?.text
                == "1,234 long turns could not be watched for hangs since the daemon started")
        let worst = try FakeClient.healthy { ($0.watchdog.missed, $0.watchdog.dropped) = (.max, 1) }
        #expect(try await finding("hangs", .warn, worst) != nil)
    }

    @Test("says what costs most in what runs, and that is no fault of the set-up")
    func verdict() async throws {
        var slow = Sample.view("Feed", count: 9)
        slow.hangs.add(nanoseconds: 410_000_000)
        let stores = [Sample.store(views: [slow])]
        var client = try FakeClient.healthy(stores)
        let export = StatsExport(generatedAt: Sample.now, processes: stores)
        client.answers[.stats] = Array(try export.json())
        let found = try await finding("verdict", .ok, client)
        #expect(found?.text == "Feed blocked the main loop once, for 410ms: Shop/Cart.swift:12")
        #expect(found?.advice == "rerenderctl hangs")
        #expect(try await finding("verdict", .ok, .healthy([Sample.store(connected: false)])) == nil)
    }

    @Test("says what may be missing from the counts of a program that runs, and nothing of one that ended")
    func gaps() async throws {
        let gap = "it has no symbols that tell whether the protocol View of SwiftCrossUI is the one"
        func said(_ change: (inout ProcessStats) -> Void) async throws -> Finding? {
            var store = Sample.store()
            store.gaps = [gap]
            change(&store)
            var client = try FakeClient.healthy([store])
            client.answers[.stats] = Array(try StatsExport(generatedAt: Sample.now, processes: [store]).json())
            return try await finding("running programs", .warn, client)
        }
        let told = try await said { _ in }
        #expect(told?.text == "shop[4711]/main: " + gap)
        #expect(told?.advice == "\"Count a program as it is\" (docs/guide/inject.md) says what can be counted")
        #expect(try await said { $0.connected = false } == nil)
        #expect(try await said { $0.gaps = [ProcessStats.attached] } == nil)
    }

    @Test("says how to instrument a process where none is connected")
    func nobody() async throws {
        let client = try FakeClient.healthy([Sample.store(connected: false)])
        #expect(try await finding("processes", .warn, client)?.advice?.contains("store.evaluate") == true)
    }
}
