// SPDX-License-Identifier: MIT
// Windows, popovers, widgets and displays that end in any order, while they are marked and have the HUD.

import Foundation
import TestSupport
import Testing

@Suite(
    "The ends of what is marked",
    .enabled(if: PartProgram.obstacle == nil, Comment(rawValue: PartProgram.obstacle ?? "")))
struct EndOrderTests {
    static let cases = [
        "window-ends", "window-is-closed", "window-is-kept", "widget-before-window", "widget-after-window",
        "widget-in-another-window", "widget-elsewhere", "widget-ends-window", "highlighted", "popover-ends",
        "popover-with-window", "popover-is-hidden", "window-on-another-display", "window-back-from-a-display",
        "hud-is-hidden-at-the-end", "hud-goes-to-another-window", "hud-is-hidden-by-destroy",
        "hud-controllers-are-removed", "hud-waits",
    ]

    /// Runs the program with two displays.
    private func run(
        _ words: [String], under tool: [String] = [], _ more: [String: String]
    ) async throws -> ChildProcess.Output {
        let first = try await XServer(), second = try await XServer()
        var environment = first.whole(more)
        environment["RERENDER_SECOND_DISPLAY"] = second.display
        // What GTK loads for GL is no matter of this program, and Valgrind finds errors in it.
        environment["GDK_DEBUG"] = "gl-disable"
        environment["GDK_DISABLE"] = "gl,vulkan"
        let output = try await ChildProcess.run(
            tool + [PartProgram.ends()] + words, environment: environment)
        withExtendedLifetime((first, second)) {}
        return output
    }

    /// What GLib and GTK said, without the process and the time.
    private static func warnings(_ output: ChildProcess.Output) -> Set<Substring> {
        Set(
            output.standardError.split(separator: "\n").map { line in
                line.range(of: #": [0-9:.]+: "#, options: .regularExpression).map { line[$0.upperBound...] } ?? line
            })
    }

    /// Runs it with and without Rerender, and checks that it says and does the same. Memory that is freed has other bytes.
    private func check(_ words: [String], over name: String) async throws {
        let memory = ["MALLOC_PERTURB_": "165"]
        let plain = try await run(["plain"] + words, memory), ours = try await run(words, memory)
        for output in [plain, ours] {
            #expect(output.exit == .status(0) && output.standardOutput == "over \(name)\n", "\(words): \(output)")
        }
        #expect(Self.warnings(ours).subtracting(Self.warnings(plain)) == [])
    }

    @Test("Each order leaves the program as it is without Rerender", arguments: cases)
    func order(name: String) async throws { try await check([name], over: name) }

    @Test("So do random orders, of windows, popovers, widgets, displays and the HUD", arguments: 1...12)
    func random(seed: Int) async throws { try await check(["random", "\(seed)", "500"], over: "500") }

    @Test(
        "Valgrind finds no error in all of them that it does not find without Rerender",
        .enabled(if: ChildProcess.path(of: "valgrind") != nil, "valgrind is not installed"))
    func valgrind() async throws {
        let tool = [try ChildProcess.installed("valgrind"), "-q", "--error-exitcode=9", "--leak-check=no"]
        let words = Self.cases + ["random", "1", "300", "random", "2", "300"]
        let plain = try await run(["plain"] + words, under: tool + ["--gen-suppressions=all"], [:])
        #expect(plain.standardOutput.split(separator: "\n").count == Self.cases.count + 2, "\(plain)")
        let directory = try TemporaryDirectory(), known = directory.path + "/known.supp"
        try Self.suppressions(plain.standardError).write(toFile: known, atomically: true, encoding: .utf8)
        let ours = try await run(words, under: tool + ["--suppressions=\(known)"], [:])
        #expect(ours.exit == .status(0) && ours.standardOutput == plain.standardOutput, "\(ours)")
        withExtendedLifetime(directory) {}
    }

    /// The errors that Valgrind found, as it reads them: by the four innermost functions of each, wherever these are called.
    private static func suppressions(_ said: String) -> String {
        var (lines, frames, isInside): ([Substring], Int, Bool) = ([], 0, false)
        for line in said.split(separator: "\n") {
            if line == "{" { (frames, isInside) = (0, true) }
            let isFrame = line.hasPrefix("   fun:") || line.hasPrefix("   obj:")
            if isFrame { frames += 1 }
            if isInside, !isFrame || frames <= 4 { lines.append(line) }
            if line == "}" { isInside = false }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
