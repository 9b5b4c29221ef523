// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite(
    "Tabs, files and the editor of rerenderctl top in a terminal",
    .enabled(if: TerminalPane.isAvailable, "tmux is not installed"), .serialized)
struct TopTabTerminalTests {
    @Test("tabs show hangs, processes, writers and cycles of the demo, by number and by Tab")
    func tabs() async throws {
        let scene = try await TopScene(columns: 120, lines: 44)
        let demo = try Spawned(
            [ChildProcess.product("rerender-demo"), "--scenario", "hang", "--seconds", "0"],
            environment: scene.bench.environment())
        try await scene.start("--interval 0.2", expecting: "ReportView")
        let pane = scene.pane
        try await pane.expect("last hangs")
        try await pane.press("2")
        try await pane.expect("LENGTH", "BLAMED", "ReportView", "in body")
        // The newest is at the top, and there may be newer ones.
        try await pane.press("/")
        try await pane.expect("Filter:")
        try await pane.type("ReportView")
        try await pane.press("Enter")
        try await pane.expect("Esc all rows", "ReportView")
        try await pane.press("Enter")
        try await pane.expect("── ", "in bodies: ReportView")
        try await pane.press("Tab")
        try await pane.expect("PROCESS", "rerender-demo[\(demo.pid)]/main", "connected", "LONGEST")
        try await pane.press("4")
        try await pane.expect("WRITER", "EVALS▼", ".swift:")
        try await pane.press("5")
        try await pane.expect("STEPS", "no input")
        try await pane.press("BTab", "BTab", "BTab", "BTab")
        try await pane.expect("WTIME")
        try await pane.press("q")
        try await scene.expectRestored(status: 0)
    }

    @Test("when the command of a run ended, it says so and keeps the last numbers")
    func commandEnded() async throws {
        let scene = try await TopScene()
        let run = try Spawned(
            [
                Program.rerenderctl, "run", "--", ChildProcess.product("rerender-demo"), "--scenario", "wasteful",
                "--seconds", "0",
            ],
            environment: ["XDG_RUNTIME_DIR": scene.pane.path, "XDG_STATE_HOME": scene.pane.path])
        try await scene.start(
            "--interval 0.2", variables: "env -u RERENDER_RUNTIME_DIR XDG_RUNTIME_DIR=\(scene.pane.path)",
            expecting: "ItemRow")
        run.send(SIGTERM)
        let screen = try await scene.pane.expect("rerender-demo ended", "rerenderctl stats last")
        #expect(screen.contains("ItemRow") && !screen.contains("NO DAEMON"))
        try await scene.pane.press("q")
        try await scene.expectRestored(status: 0)
    }

    @Test("a file is shown as it is, says that it is not live, and keys that need a process say that there is none")
    func file() async throws {
        let scene = try await TopScene(columns: 140)
        let app = try await scene.bench.wasteful(evaluating: 100)
        let export = try await scene.bench.ctl("export")
        try export.output.write(toFile: scene.pane.path + "/old.json", atomically: true, encoding: .utf8)
        app.send(SIGKILL)
        try await scene.start("old.json", expecting: "not live: old.json")
        let screen = try await scene.pane.expect("Cart", "1 process")
        #expect(!screen.contains("RATE") && !screen.contains("connected"))
        for key in ["p", "f", "r", "Space"] {
            try await scene.pane.press(key)
            try await scene.pane.expect("this was saved: nothing of it runs")
        }
        try await scene.pane.press("2")
        try await scene.pane.expect("old.json has counts and no list of hangs")
        try await scene.pane.press("4", "Enter")
        try await scene.pane.expect("WRITER", "Ticker.advance()")
        try await scene.pane.press("q")
        try await scene.expectRestored(status: 0)
        try await scene.pane.shell("\(Program.rerenderctl) top no-such-file; echo status=$?")
        try await scene.pane.expect("status=65")
    }

    @Test("e gives the terminal to the editor at the place, and takes it again when that ends")
    func edits() async throws {
        let scene = try await TopScene()
        let app = try await scene.bench.wasteful(evaluating: 100)
        let folder = scene.pane.path + "/Sources/Shop"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["Cart.swift", "Ticker.swift"] {
            try "".write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let editor = "#!/bin/sh\necho edits \"$@\"; stty -a | grep -c ' echo '; read answer; exit $answer\n"
        let path = scene.pane.path + "/editor"
        try await TestSupport.ChildProcess.makeScript(editor, at: path)
        try await scene.start(variables: "VISUAL= EDITOR='\(path) --flag'", expecting: "Cart")
        try await scene.pane.press("4")
        try await scene.pane.expect("Shop/Ticker.swift:40")
        try await scene.pane.press("e")
        let screen = try await scene.pane.expect("edits --flag", "Ticker.swift", "\n1")
        #expect(screen.replacing("\n", with: "").contains("Ticker.swift"))
        #expect(try await scene.pane.state("alternate_on") == "0")
        try await scene.pane.shell("3")
        try await scene.pane.expect("editor ended with status 3", "WRITER")
        #expect(try await scene.pane.state("alternate_on") == "1")
        try await scene.pane.press("q")
        try await scene.expectRestored(status: 0)
        #expect(app.pid > 0)
    }

    @Test("keys without a pause, sizes that change below them, and a daemon that dies leave a screen that answers")
    func storm() async throws {
        let scene = try await TopScene(columns: 100, lines: 36)
        let app = try await scene.bench.app(evaluating: 24_000)
        try await scene.start("--interval 0.1 --sort count", expecting: "view ")
        let pane = scene.pane
        let keys = "12345\tjkGg\rs/x\u{1B} -- er n sct\ru?z2\r4\r5\r1"
        for round in 0..<12 {
            try await pane.type(keys)
            let (columns, lines) = [(40, 10), (200, 60), (80, 24), (20, 2), (120, 40)][round % 5]
            try await pane.resize(columns: columns, lines: lines)
            if round == 6 { scene.bench.daemon?.send(SIGKILL) }
        }
        try await pane.resize(columns: 100, lines: 36)
        try await pane.press("Escape", "1")
        try await pane.until("an answer") { $0.contains("NO DAEMON") && $0.contains("1 Views") }
        try await pane.press("Escape", "Escape", "q")
        try await scene.expectRestored(status: 0)
        #expect(app.pid > 0)
    }
}
