// SPDX-License-Identifier: MIT
// Real programs whose views cannot all be counted: the tool says so before they start.

import Foundation
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

private typealias Child = TestSupport.ChildProcess

@Suite(
    "What cannot be counted is said before the command starts",
    .enabled(if: Fixture.hasSwift, "needs swiftc to compile programs with views"))
struct ShortfallTests {
    private let bench: Bench
    private static let missing = "rerender was built without its part for GTK"
    private static let gtkProgram = "gtk4-widget-factory"
    private static let gtkLibrary = "libgtk-4.so.1"

    init() async throws {
        try await Fixture.preload()
        bench = try Bench()
    }

    /// The tool of an installation that has no part for GTK. In the checkout, the tool would look for the libraries of a build.
    private func withoutPartTool() async throws -> String {
        let made = try await Fixture.made("without-part/bin/rerenderctl")
        let prefix = URL(fileURLWithPath: made).deletingLastPathComponent().deletingLastPathComponent().path
        let copied = try await Child.run(["/bin/cp", "-a", prefix, bench.path + "/prefix"])
        try #require(copied.succeeded, "\(copied)")
        return bench.path + "/prefix/bin/rerenderctl"
    }

    /// Runs a command with both outputs in one, in the order in which they were written.
    private func run(_ command: [String], tool: String = Program.rerenderctl) async throws -> Outcome {
        let process = try Spawned(
            ["/bin/sh", "-c", "exec \"$@\" 2>&1", "sh", tool] + command,
            environment: bench.environment(["COLUMNS": "400"]))
        process.closeInput()
        let ending = try await process.wait()
        return Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
    }

    private func gcc(_ source: String, _ options: [String], name: String) async throws -> String {
        let program = "\(bench.path)/\(name)"
        try source.write(toFile: program + ".c", atomically: true, encoding: .utf8)
        let made = try await Child.run(
            [try Child.installed("gcc"), "-o", program, program + ".c"] + options)
        try #require(made.succeeded, "\(made)")
        return program
    }

    private static let says = "#include <stdio.h>\nint main(void) { puts(\"ran\"); return 0; }\n"

    @Test(
        "a build without its part for GTK refuses a program of GTK 4, with what to do; doctor says the same",
        .enabled(if: Child.path(of: gtkProgram) != nil, "gtk4-widget-factory is not installed"),
        arguments: [["run", "--hud"], ["run", "--inject"], ["check", "--inject", "--update"]])
    func withoutPart(command: [String]) async throws {
        let tool = try await withoutPartTool()
        let budget = command[0] == "check" ? ["--budget", bench.path + "/budget"] : []
        let outcome = try await run(command + budget + ["--", Self.gtkProgram], tool: tool)
        #expect(outcome.ending == .exited(64), "\(outcome)")
        let hud = command.contains("--hud") ? "the HUD cannot be shown, and " : ""
        let (what, advice) = (
            "the widgets of \(Self.gtkProgram) cannot be counted: \(Self.missing)",
            "Install libgtk-4-dev, and run Scripts/install again"
        )
        // Nothing of the program, which would complain about its display.
        #expect(outcome.output == "rerenderctl: \(hud)\(what).\n\(advice)\n")
        let doctor = try await run(["doctor", "--", Self.gtkProgram], tool: tool)
        #expect(doctor.ending == .exited(1) && doctor.output.contains("fail  widgets: \(what)\n"), "\(doctor)")
        #expect(doctor.output.contains(advice), "\(doctor)")
    }

    @Test("no program gets as far as its first output where the HUD cannot be shown", arguments: ["script", "program"])
    func noHUD(kind: String) async throws {
        let program = "\(bench.path)/started"
        if kind == "script" {
            try await Child.makeScript("#!/bin/sh\necho ran\n", at: program)
        } else {
            try await Child.copyProgram("/bin/echo", to: program)
        }
        let outcome = try await run(["run", "--hud", "--", program, "ran"], tool: try await withoutPartTool())
        #expect(outcome.ending == .exited(64), "\(outcome)")
        #expect(
            outcome.output
                == "rerenderctl: the HUD cannot be shown: \(Self.missing).\nInstall libgtk-4-dev, and run Scripts/install again\n"
        )
    }

    @Test(
        "a Swift program of GTK 4 is counted without it: that is said once, before its first output",
        .enabled(if: Child.path(of: gtkProgram) != nil, "gtk4-widget-factory, which brings GTK, is not installed"))
    func viewsAlone() async throws {
        let program = try await Fixture.made("views/one-gtk/Inlined")
        let outcome = try await run(["run", "--inject", "--", program], tool: try await withoutPartTool())
        #expect(outcome.ending == .exited(0), "\(outcome)")
        let said =
            "rerenderctl: the widgets of \(program) cannot be counted: \(Self.missing). "
            + "Install libgtk-4-dev, and run Scripts/install again\n"
        #expect(outcome.output.hasPrefix(said), "\(outcome)")
        #expect(outcome.output.contains("\nCard\t3\n") && outcome.output.contains("\nCard "), "counted: \(outcome)")
        #expect(outcome.output.ranges(of: Self.missing).count == 1, "said once: \(outcome)")
    }

    @Test("what only the process knows is said at the end, with what to do")
    func late() async throws {
        // The shell tells nothing of what it starts.
        let library = try await gcc(
            "int none;\n", ["-shared", "-fPIC", "-Wl,-soname,\(Self.gtkLibrary)"], name: Self.gtkLibrary)
        let program = try await gcc(
            Self.says, ["-Wl,--no-as-needed", "-Wl,-rpath,\(bench.path)", library], name: "app")
        let tool = try await withoutPartTool()
        let outcome = try await run(["run", "--inject", "--", "/bin/sh", "-c", "\(program); true"], tool: tool)
        let told = #/^ran\n(?:.*\n)*rerenderctl: the widgets of process \d+ were not counted: (.*)\n/#
        #expect(outcome.ending == .exited(0), "\(outcome)")
        #expect(
            outcome.output.prefixMatch(of: told)?.1
                == "\(Self.missing). Install libgtk-4-dev, and run Scripts/install again", "\(outcome)")
    }

    @Test("a stripped program with views is said before its first output")
    func stripped() async throws {
        let program = try await Fixture.made("alone/stripped/Getters")
        let outcome = try await run(["run", "--inject", "--view-protocol", "Getters.Screen", "--", program])
        #expect(outcome.ending == .exited(0), "\(outcome)")
        #expect(
            outcome.output.hasPrefix("rerenderctl: \(program) is stripped: views that were not seen are not named, "))
        let doctor = try await run(["doctor", "--", program])
        #expect(doctor.output.contains("warn  symbols: \(program) is stripped: "), "\(doctor)")
        let whole = try await Fixture.made("alone/none/Getters")
        #expect(!(try await run(["run", "--inject", "--", whole])).output.contains("stripped"))
        #expect(!(try await run(["doctor", "--", whole])).output.contains("symbols: "))
    }

    @Test("a set-uid program, and a script whose interpreter is one, are refused before they start")
    func setUID() async throws {
        let shell = "\(bench.path)/shell", script = "\(bench.path)/script"
        try await Child.copyProgram("/bin/sh", to: shell)
        #expect(chmod(shell, 0o4755) == 0)
        try await Child.makeScript("#!\(shell)\necho ran\n", at: script)
        for (command, who) in [([shell, "-c", "echo ran"], "it"), ([script], "its interpreter")] {
            for option in ["--inject", "--hud"] {
                let outcome = try await run(["run", option, "--"] + command)
                #expect(outcome.ending == .exited(64), "\(outcome)")
                #expect(
                    !outcome.output.contains("ran\n") && outcome.output.contains(": \(who) is set-uid, "), "\(outcome)")
                #expect(outcome.output.contains("cp \(shell) ./copy"), "\(outcome)")
            }
            let doctor = try await run(["doctor", "--", command[0]])
            #expect(doctor.ending == .exited(1) && doctor.output.contains(": \(who) is set-uid, "), "\(doctor)")
        }
    }

    @Test(
        "a program with gcc's Address Sanitizer runs and finds its faults, also where a script starts it",
        .enabled(if: Child.path(of: "gcc") != nil, "needs gcc"))
    func addressSanitizer() async throws {
        let source = """
            #include <stdio.h>
            #include <stdlib.h>
            int main(int count, char **words) {
                char *memory = malloc(8);
                puts("ran"), fflush(stdout);
                memory[count > 1 ? 8 : 0] = *words[0];
                free(memory);
            }

            """
        let program = try await gcc(source, ["-fsanitize=address", "-g"], name: "checked")
        let alone = try await Child.run([program])
        #expect(alone.exit == .status(0) && alone.standardOutput == "ran\n", "\(alone)")
        let script = "\(bench.path)/script"
        try await Child.makeScript("#!/bin/sh\nexec \(program) \"$@\"\n", at: script)
        for command in [program, script] {
            let outcome = try await run(["run", "--inject", "--", command])
            #expect(outcome.ending == .exited(0) && outcome.output.hasPrefix("ran\n"), "\(outcome)")
            let faulty = try await run(["run", "--inject", "--", command, "write"])
            #expect(faulty.ending == .exited(1) && faulty.output.contains("heap-buffer-overflow"), "\(faulty)")
        }
    }
}
