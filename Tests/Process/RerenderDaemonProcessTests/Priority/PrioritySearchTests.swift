// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
import Synchronization
import TestSupport
import Testing

@testable import RerenderDaemon

@Suite("Priority for a thread")
struct PrioritySearchTests {
    @Test(
        "by the limit becomes ordinary if the thread runs away, and nothing is killed",
        .enabled(if: HangLab.canBePreferred, "needs a kernel that gives root a real-time priority"))
    func runaway() async throws {
        let process = try ChildProcess([ChildProcess.product("daemon-lab"), "priority", "--spin"])
        let line = try await process.nextLine()
        #expect(line.contains("\"realtimePriority\":10"))
        #expect(try await process.nextLine() == "none")
        process.kill(SIGKILL)
        await process.waitForExit()
    }

    @Test("no system bus at all is a reason and no fault, and the reasons come with what to do")
    func noBus() async throws {
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o755)
        let output = try await Self.run(directory, bus: directory.path + "/none")
        #expect(output.contains("rtkit: No such file or directory. Install rtkit"), "\(output)")
    }

    @Test("inside another program is not asked of rtkit, whose limit all children would inherit")
    func embedded() async throws {
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o755)
        let output = try await Self.run(directory, bus: directory.path + "/none", "--embedded")
        #expect(output.contains("rtkit is not asked by a daemon inside another program"), "\(output)")
    }

    /// What the program says that obtains priority as a user who may take none.
    private static func run(_ directory: TemporaryDirectory, bus: String, _ option: String...) async throws -> String {
        let program = directory.path + "/daemon-lab"
        try await ChildProcess.copyProgram(ChildProcess.product("daemon-lab"), to: program)
        var command = [program, "priority"] + option
        if geteuid() == 0, let setpriv = ChildProcess.path(of: "setpriv") {
            command =
                [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--"] + command
        }
        let process = try ChildProcess(command, environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(bus)"])
        let line = try await process.nextLine()
        process.kill(SIGKILL)
        await process.waitForExit()
        return line
    }
}
