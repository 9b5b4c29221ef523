// SPDX-License-Identifier: MIT
// The doctor's report as it is printed.

import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("The lines of rerenderctl doctor")
struct DoctorLinesTests {
    @Test("the same advice twice in a row is said once, and no line is too wide")
    func lines() {
        let report = DoctorReport(checks: [.fail("a", "x", "Do this."), .fail("b", "y", "Do this."), .ok("c", "z")])
        #expect(
            report.lines(width: 80, colours: false) == [
                "fail  a: x", "        → Do this.", "fail  b: y", "        → as above", "ok    c: z",
                "2 checks failed, 0 warnings.",
            ])
        let long = DoctorReport(checks: [
            .fail("check", String(repeating: "word ", count: 40), String(repeating: "act ", count: 40))
        ])
        #expect(long.lines(width: 50, colours: false).allSatisfy { DisplayWidth.of($0) <= 50 })
        #expect(report.lines(width: 80, colours: true)[0] == "\u{1B}[31mfail\u{1B}[0m  a: x")
    }

    @Test("no path or command is cut, however narrow the terminal is")
    func whole() {
        let path = "/run/user/1000/" + String(repeating: "deep/", count: 30) + "rerender"
        let report = DoctorReport(checks: [.fail("push socket", "\(path) is bad", "Run: chmod 700 \(path)")])
        for width in [20, 50, 80] {
            let words = report.lines(width: width, colours: false).flatMap { $0.split(separator: " ") }
            #expect(words.count { $0 == path } == 2)
        }
    }

    @Test("commands with a path take it as one word")
    func quoted() async {
        let path = "/home/u/My App's"
        func advice(_ change: (inout FakeSystem) -> Void) async -> [String] {
            var system = FakeSystem.good
            let folder = FileFacts(kind: .directory, mode: 0o700, owner: 1000)
            let socket = FileFacts(kind: .socket, mode: 0o600, owner: 1000)
            system.directories[0] = RuntimeDirectory(path: path, origin: .environment)
            system.files = [path: folder, path + "/push.sock": socket, path + "/query.sock": socket]
            change(&system)
            return await SocketChecks(system: system).findings().compactMap(\.advice)
        }
        let word = "'/home/u/My App'\\''s"
        #expect(await advice { $0.files[path]?.mode = 0o755 } == ["Run: chmod 700 \(word)'"])
        #expect(await advice { $0.files[path]?.mode = 0o777 } == ["Run: chmod 700 \(word)'"])
        #expect(await advice { $0.files[path + "/push.sock"]?.mode = 0o644 } == ["Run: chmod 600 \(word)/push.sock'"])
        let other = await advice {
            $0.directories.swapAt(0, 1)
            $0.files["/tmp/rerender-1000"] = $0.files[path]
        }
        #expect(other.contains("To use that daemon: export RERENDER_RUNTIME_DIR=\(word)'"))
    }
}
