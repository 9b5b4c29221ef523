// SPDX-License-Identifier: MIT
// Programs with an interpreter whose version is not known: that is said, and nothing else is wrong.

import RerenderModel
import TestSupport
import Testing

@Suite(
    "Interpreters that are not known", .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct StrangeInterpreterTests {
    @Test(
        "are said to be, in the table, in the export and in stacks, which have no function of theirs",
        arguments: [
            ("libpython3.15.so.1.0", "Python 3.15 is not known: its functions have no names"),
            ("libpython3.10.so.1.0", "Python before 3.11 is not known: its functions have no names"),
            ("libmozjs-150.so.0", "JavaScript: libmozjs-150 is not known: lines of scripts have no names"),
        ])
    func gaps(library: String, gap: String) async throws {
        let run = try await CaseRun([try await Fixture.made("interpreters/\(library)/program")])
        #expect(run.processes.contains { $0.gaps?.contains(gap) == true }, "\(run.processes.map(\.gaps))")
        #expect(run.said.contains(gap), "\(run.said)")
        // What called the interpreter is named as in any program.
        let first = run.first, source = try CaseSource("interpreter.c", in: "Loops").function("on_timer")
        #expect(first.kind == .hangs && first.source == source && first.count == 1, "\(run.verdict)")
        // In the stacks, one line stands for the interpreter.
        let stacks = run.hangs.filter { $0.source == source }.flatMap(\.stacks).map(\.frames)
        let standIn = StackFrameText.standIn(forFile: library)
        #expect(!stacks.isEmpty, "\(run.hangs)")
        for frames in stacks {
            #expect(frames.filter { $0.hasSuffix(" in \(library)") } == standIn, "\(frames)")
            #expect(frames.contains(source) && !frames.contains { $0.contains("run_script") }, "\(frames)")
        }
    }
}
