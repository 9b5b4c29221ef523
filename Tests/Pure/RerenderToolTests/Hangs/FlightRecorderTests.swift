// SPDX-License-Identifier: MIT
import Foundation
import RerenderDaemon
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import RerenderTrace
import Synchronization
import TestSupport
import Testing

@Suite("rerenderctl hangs --capture")
struct FlightRecorderTests {
    /// A command that ended well.
    private static func good(_ output: String) -> CapturedOutput { CapturedOutput(ending: .exited(0), output: output) }

    /// A recorder whose lists end like this, and everything else well.
    private static func listing(_ result: CapturedOutput?, daemon: pid_t? = nil) -> FlightRecorder {
        var recorder = FlightRecorder(
            captures: HangCaptures(directory: "/nowhere"), processors: 2, pidFile: "/nowhere/pid"
        ) { command in
            command.contains { $0.hasPrefix("list") } ? result : good("")
        }
        recorder.daemon.processes.pid = { _ in daemon }
        return recorder
    }

    @Test(
        "is off where no session daemon runs, whatever LTTng says then, or is not installed",
        arguments: ["No session daemon is available", "Failed to list: Failed to list recording sessions"])
    func noSessionDaemon(text: String) async throws {
        let none = CapturedOutput(ending: .exited(1), errors: "Error: \(text)\n")
        #expect(try await Self.listing(none).status() == ["the flight recorder is off"])
        #expect(try await Self.listing(nil).status() == ["the flight recorder is off"])
    }

    @Test("is off where the session daemon ended between two questions, or its parent has yet to wait for it")
    func endedSessionDaemon() async throws {
        let none = CapturedOutput(ending: .exited(1), errors: "Error: No session daemon is available\n")
        var killed = Self.listing(none, daemon: 7)
        killed.daemon.processes.watch = { _ in { _ in true } }
        #expect(try await killed.status() == ["the flight recorder is off"])
        for last in [LTTngSession.list, LTTngSession.listTriggers] {
            let runs = Mutex(true)
            var ending = FlightRecorder(
                captures: HangCaptures(directory: "/nowhere"), processors: 2, pidFile: "/nowhere/pid"
            ) { command in
                guard command == last else { return Self.good("<sessions/>") }
                runs.withLock { $0 = false }
                return none
            }
            ending.daemon.processes.pid = { _ in runs.withLock { $0 } ? getpid() : nil }
            #expect(try await ending.status() == ["the flight recorder is off"])
        }
    }

    @Test("is not called off where LTTng does not answer, and nothing is changed then")
    func noAnswer() async throws {
        let stuck = Self.listing(CapturedOutput(ending: .killed(by: SIGKILL)))
        for command in [stuck.status, stuck.on, stuck.off] {
            let failure = await #expect(throws: ToolFailure.self) { try await command() }
            #expect(failure?.status == ExitStatus.system)
            #expect(
                failure?.message
                    == "LTTng did not answer; it is unknown whether the flight recorder is on.\n"
                    + "Try again, or see why: lttng list")
        }
        let refused = Self.listing(
            CapturedOutput(ending: .exited(1), errors: "Error: Permission denied\n"), daemon: getpid())
        let failure = await #expect(throws: ToolFailure.self) { try await refused.status() }
        #expect(failure?.message.hasPrefix("LTTng refused: Permission denied; it is unknown whether") == true)
    }

    @Test("buffers are bounded on any machine, and powers of two", arguments: [1, 2, 8, 64, 512])
    func bounds(processors: Int) {
        let commands = FlightRecorderCommands(directory: "/d", processors: processors)
        let bytes = commands.bytesPerProcessor
        #expect(
            bytes & (bytes - 1) == 0 && bytes >= FlightRecorderCommands.leastBytes
                && bytes <= FlightRecorderCommands.mostBytes)
        #expect(bytes * processors <= FlightRecorderCommands.bufferBytes || bytes == FlightRecorderCommands.leastBytes)
        #expect(commands.text.contains("\(bytes / 1_024) KiB"))
    }

    @Test("what LTTng refuses is undone and named")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        let asked = Mutex<[String]>([])
        let captures = HangCaptures(directory: directory.path)
        let capture = FlightRecorder(captures: captures, processors: 2, pidFile: directory.path + "/pid") { command in
            asked.withLock { $0.append(command.joined(separator: " ")) }
            return command.contains("add-trigger") ? CapturedOutput(ending: .exited(1)) : Self.good("<sessions/>")
        }
        let failure = await #expect(throws: ToolFailure.self) { try await capture.on() }
        #expect(failure?.message.contains("add-trigger --name=rerender-hangs") == true)
        let all = asked.withLock { $0 }
        #expect(all.suffix(4).contains("lttng --no-sessiond destroy rerender-hangs"))
        #expect(!all.contains { $0.hasPrefix("lttng-sessiond") || $0.contains(" start ") })
    }

    @Test("without LTTng it says what to install")
    func noLTTng() async throws {
        let captures = HangCaptures(directory: "/nowhere")
        let capture = FlightRecorder(captures: captures, processors: 2, pidFile: "/nowhere/pid") { _ in nil }
        let failure = await #expect(throws: ToolFailure.self) { try await capture.on() }
        #expect(failure?.status == ExitStatus.missingProgram)
        #expect(failure?.message.contains("apt-get install lttng-tools") == true)
    }
}
