// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderShow
@testable import RerenderTool
@testable import RerenderTrace
import TestSupport
import Testing
@testable import ToolSupport

@Suite("What a recording says and reads")
struct RecordTextTests {
    @Test(
        "durations are seconds, or have a unit",
        arguments: [
            ("10", Duration.seconds(10)), ("1.5", .milliseconds(1_500)), ("90s", .seconds(90)), ("10m", .seconds(600)),
            ("2h", .seconds(7_200)), ("168h", .seconds(604_800)),
        ])
    func durations(text: String, duration: Duration) {
        #expect(RecordDuration(argument: text)?.duration == duration)
    }

    @Test(
        "what is no duration is refused",
        arguments: [
            "", "s", "0", "-1", "0.01", "169h", "1d", "nan", "0x10", "1e3", "10 s", "१", "inf",
        ])
    func noDurations(text: String) {
        #expect(RecordDuration(argument: text) == nil)
    }

    @Test("a report of a command that was not counted names the command, and how many others there are")
    func uncounted() {
        let harvest = RunHost.Harvest(export: Sample.export([]), health: nil, isComplete: true)
        let command = RecordedCommand(["make", "all"], harvest)
        #expect(command.isUncounted && command.pids.isEmpty)
        let what = "No process of make was counted in this recording"
        #expect(command.uncounted(others: 0) == what + ".")
        #expect(command.uncounted(others: 1) == what + "; --all shows the other one.")
        #expect(command.uncounted(others: 1_200) == what + "; --all shows the 1,200 others.")
        let counted = RunHost.Harvest(export: Sample.export([Sample.store()]), health: nil, isComplete: true)
        #expect(!RecordedCommand(["make"], counted).isUncounted)
        // Others may read the directory.
        let directory = "/tmp/rr-command-\(getpid())"
        #expect(mkdir(directory, 0o755) == 0)
        command.write(in: directory)
        var file = stat()
        #expect(stat(directory + "/" + RecordedCommand.fileName, &file) == 0 && file.st_mode & 0o777 == 0o600)
        unlink(directory + "/" + RecordedCommand.fileName)
        rmdir(directory)
        // A shell may start anything.
        #expect(RecordedCommand.advice(before: ["/bin/sh"]) == nil && RecordedCommand.advice(before: []) == nil)
    }

    @Test("a session's name says whose it is")
    func names() throws {
        #expect(RecordingName(session: RecordingName.ours.session) == RecordingName.ours)
        #expect(!RecordingName.ours.isLeftBehind)
        let other = RecordingName(pid: RecordingName.ours.pid, start: RecordingName.ours.start + 1)
        #expect(other.isLeftBehind, "the number was given again")
        #expect(RecordingName(pid: 0x3FFF_FFF0, start: 1).isLeftBehind)
        for name in [
            "", "mine", "rerender-record-", "rerender-record-1", "rerender-record-1-2-3", "rerender-record-x-1",
        ] {
            #expect(RecordingName(session: name) == nil)
        }
    }

    @Test("LTTng's lists")
    func lists() {
        let xml = """
            <sessions><session><name>a</name><path>/x/&lt;&amp;amp;</path><domains><name>no</name></domains></session>
            <session><name>b</name><path/></session></sessions>
            <discarded_events>3</discarded_events><discarded_events>4</discarded_events><lost_packets>0</lost_packets>
            """
        let sessions = LTTngList.sessions(in: xml)
        #expect(sessions.map(\.name) == ["a", "b"] && sessions.map(\.path) == ["/x/<&amp;", ""])
        #expect(LTTngList.sum("discarded_events", in: xml) == 7)
    }

    @Test("what LTTng refused is said in its words, with the command as a shell takes it")
    func refused() {
        let result = CapturedOutput(
            ending: .exited(1), output: "Session x created.\n",
            errors: "Warning: w\nError: Not\u{1B}[31m enough memory\n")
        let text = LTTng.text(of: ["lttng", "--no-sessiond", "create", "it's mine"], result)
        #expect(text == "LTTng refused: Not\\u{1b}[31m enough memory\nThe command was: lttng create 'it'\\''s mine'")
        #expect(LTTng.text(of: ["lttng"], nil).contains("lttng cannot run"))
        let killed = CapturedOutput(ending: .killed(by: 9))
        #expect(LTTng.text(of: ["lttng"], killed).hasPrefix("LTTng did not answer in 120 s"))
        #expect(LTTng.text(of: ["lttng"], CapturedOutput(ending: .exited(1))).contains("no reason given"))
    }

    @Test(
        "sizes",
        arguments: [
            (UInt64(0), "0 bytes"), (1, "1 byte"), (1_023, "1,023 bytes"), (1_024, "1.0 KiB"), (25_190, "24.5 KiB"),
            (1 << 20, "1.0 MiB"), ((1 << 30) - 1, "1,023.9 MiB"), (3 << 30, "3.0 GiB"), (.max, "17,179,869,183.9 GiB"),
        ])
    func sizes(bytes: UInt64, text: String) {
        #expect(ByteText.short(bytes) == text)
    }

    @Test("the kernel's list of sockets")
    func sockets() {
        let list = """
            Num       RefCount Protocol Flags    Type St Inode Path
            0000000000000000: 00000002 00000000 00010000 0001 01 123 /h/.lttng/lttng-ust-sock-8
            0000000000000000: 00000003 00000000 00000000 0001 03 124 /k/.lttng/lttng-ust-sock-8
            """
        #expect(SessionDaemon.isListening("/h/.lttng/lttng-ust-sock-", in: list))
        #expect(!SessionDaemon.isListening("/k/.lttng/lttng-ust-sock-", in: list), "a connection is no listener")
        #expect(!SessionDaemon.isListening("/g/.lttng/lttng-ust-sock-", in: list))
    }

    @Test(
        "buffers are the same powers of two as the flight recorder's, in fewer and larger parts", arguments: [1, 2, 64])
    func buffers(processors: Int) {
        func size(_ isSnapshot: Bool) -> (Int, Int) {
            let commands = RecordingCommands(
                session: "s", directory: "/d", isSnapshot: isSnapshot, processors: processors)
            func number(_ name: String) -> Int {
                let parts = commands.configuration.text.text.components(separatedBy: "<\(name)>")
                return parts.count == 2 ? Int(parts[1].prefix { $0 != "<" }) ?? 0 : 0
            }
            return (number("subbuffer_size"), number("subbuffer_count"))
        }
        let (recording, snapshot) = (size(false), size(true))
        #expect(recording.0 * recording.1 == FlightRecorderCommands.bytes(processors: processors))
        #expect(snapshot.0 * snapshot.1 == recording.0 * recording.1 && snapshot.1 > recording.1)
    }

    @Test("a filter is escaped in the file of a session, and a path is no part of it")
    func sessionFile() {
        let commands = RecordingCommands(
            session: "s", directory: "/a & <b>", allSignposts: true, processors: 1)
        let text = commands.configuration.text.text
        #expect(text.contains("<filter>signpost_id &gt;= 0</filter>") && !text.contains("/a"))
        #expect(commands.configuration.load("/f").contains("--override-url=file:///a & <b>"))
    }

    @Test("a trace that cannot be read is said to be one, with its size; a directory without one has no events")
    func content() async throws {
        let directory = try TemporaryDirectory()
        #expect(await TraceContent.of(directory.path) == TraceContent(bytes: 0, events: .counted(0)))
        try Data("no metadata".utf8).write(to: directory.url.appending(path: "metadata"))
        // What `count-events` does and says, but for its process.
        let content = await TraceContent.of(directory.path, patience: .zero) { command in
            guard command.suffix(3) == [EventCount.command, "--", directory.path] else { return nil }
            do {
                return CapturedOutput(ending: .exited(0), output: try EventCount(of: directory.path).text)
            } catch {
                let failure = (error as? TraceError).map { ToolFailure($0) }
                return CapturedOutput(
                    ending: .exited(failure?.status ?? 1), errors: "rerenderctl: \(failure?.message ?? "\(error)")\n")
            }
        }
        guard case .unreadable(let why) = content.events else {
            Issue.record("\(content)")
            return
        }
        #expect(content.bytes == 11 && why.contains("is damaged or cut off") && !why.contains("\n"))
        #expect(!why.hasPrefix("rerenderctl"))
    }
}
