// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderDaemon
@testable import RerenderTool
@testable import RerenderShow
import Testing
@testable import ToolSupport

@Suite("rerenderctl run")
struct RunTests {
    @Test("Next names explain without a key where the key cannot be typed, and nothing where there is nothing to fix")
    func next() {
        var view = Sample.view("a\u{1B}b", count: 10)
        #expect(RunCommand.next(Sample.export([Sample.store(views: [view])]), isKept: true, isPrivate: true) == nil)
        (view.wasted.count, view.wasted.measured, view.wasted.nanoseconds) = (9, 9, 90_000_000)
        // 90 ms of 5 s.
        var store = Sample.store(views: [view])
        store.countedSince = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 8_500_000_000)
        let export = Sample.export([store])
        #expect(RunCommand.next(export, isKept: true, isPrivate: true) == "rerenderctl explain")
        #expect(RunCommand.next(export, isKept: true, isPrivate: false) == "rerenderctl explain last")
        #expect(RunCommand.next(export, isKept: false, isPrivate: true) == nil)
    }

    @Test("a command without an instrumented process gets two lines, and no lecture")
    func uninstrumented() {
        let harvest = RunHost.Harvest(export: Sample.export([]), health: nil, isComplete: true)
        #expect(
            RunCommand.silence(of: "true", harvest, false) == [
                "rerenderctl: true exited, and no instrumented process connected.",
                "To count what it loads or starts, with GTK 4, Swift views or GLib's main loop: rerenderctl run --inject -- true",
            ])
    }

    @Test("a daemon of another protocol, or one that does not answer, is not used")
    func unusableDaemon() async throws {
        let own = try FakeClient.healthy { $0.protocolVersion = RerenderVersion.pushProtocol }
        #expect(await RunHost.isUsable(own))
        #expect(await !RunHost.isUsable(try FakeClient.healthy { $0.protocolVersion = 999 }))
        #expect(await !RunHost.isUsable(FakeClient()))
    }
}
