// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite(
    "rerenderctl top in a terminal", .enabled(if: TerminalPane.isAvailable, "tmux is not installed"),
    .serialized)
struct TopTerminalTests {
    @Test("shows the wasted view of the demo first, and Enter says the cause and who writes it", .promise)
    func demo() async throws {
        // Room for all reasons of a view and what is said of them.
        let scene = try await TopScene(lines: 60)
        let demo = try Spawned(
            [ChildProcess.product("rerender-demo"), "--scenario", "wasteful", "--seconds", "0"],
            environment: scene.bench.environment())
        try await scene.start(expecting: "ItemRow")
        let screen = try await scene.pane.until("the wasted row above the fine ones") { screen in
            let rows = screen.split(separator: "\n").map { String($0) }
            guard let wasted = rows.firstIndex(where: { $0.hasPrefix("> ItemRow") || $0.hasPrefix(">!ItemRow") }),
                let fine = rows.firstIndex(where: { $0.hasPrefix("  TickerLabel") })
            else { return false }
            // While a hang lasts, the header shortens the count of processes.
            return wasted < fine && rows[wasted].contains("9") && screen.contains("1 process")
        }
        #expect(screen.contains("~tick"))
        try await scene.pane.until("the rate of the wasted row") { screen in
            screen.split(separator: "\n").contains { $0.contains("ItemRow") && $0.contains(/\d[kM]?\/s/) }
        }
        #expect(try await scene.pane.state("alternate_on") == "1")
        // There is room for it: it is open by itself.
        let open = try await scene.pane.expect(
            "tick, found by comparing values", "measured: same output as", "Enter close")
        let words = open.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(words.contains("set by Ticker.advance() rerender_demo/ShopModel.swift:12"))
        #expect(words.contains("rerender_demo/Views.swift:"))
        #expect(words.contains("read the changing value in the child view that shows it"))
        try await scene.pane.press("q")
        try await scene.expectRestored(status: 0)
        #expect(demo.pid > 0)
    }

    @Test("a process that is not there is named, with those that are")
    func unknownProcess() async throws {
        let scene = try await TopScene()
        let app = try await scene.bench.app(evaluating: 10)
        try await scene.start("--process nope", expecting: "There is no process \"nope\".")
        try await scene.pane.expect("There are: counting[\(app.pid)]")
        try await scene.pane.press("3")
        try await scene.pane.expect("There is no process \"nope\".")
        try await scene.pane.press("q")
        try await scene.expectRestored(status: 0)
    }

    @Test(
        "attaches to a program that runs and is not counted, and has it count no more at the end",
        .enabled(if: AttachMachine.isPossible, "\(AttachMachine.needs)"))
    func attached() async throws {
        try await Fixture.preload()
        let program = try PlainChild(try await Fixture.made("loops/attached"), ["timer"])
        try await program.waitFor("begun")
        for _ in 0..<2 {
            let scene = try await TopScene()
            try await scene.start("--process \(program.pid)", expecting: "1 process")
            try await scene.pane.press("6")
            try await scene.pane.expect("on_tick()")
            try await scene.pane.press("q")
            try await scene.expectRestored(status: 0)
            let directory = "/tmp/\(RunDirectories.prefix)\(program.pid)"
            #expect(!FileManager.default.fileExists(atPath: directory), "\(directory) is left")
        }
        program.closeInput()
        #expect(try await program.wait() == 7)
        #expect(program.output.contains("refused 0") && program.output.contains("interrupted 0"), "\(program.output)")
    }

    @Test("counts are exact and grow, and the rate is theirs")
    func counts() async throws {
        let scene = try await TopScene()
        let app = try await scene.bench.app(evaluating: 1_200)
        try await scene.start("--sort count", expecting: "view ")
        let json = try await RawHTTP.get("/v1/stats?sort=count&limit=1", scene.bench.querySocket).body
        let most = try #require(json.firstMatch(of: /"count" : (\d+),\s*"file"/)?.1)
        try await scene.pane.expect(" \(most) ")
        // More each time: a rate is on the screen for a second.
        try await scene.pane.until("a rate") { screen in
            app.type("run 1200\n")
            return screen.contains(#/ \d[\d.]*[kM]?/s /#)
        }
        try await scene.pane.press("q")
        try await scene.expectRestored(status: 0)
    }

    @Test("arrows, pages, ends, Enter and Esc")
    func moving() async throws {
        let scene = try await TopScene(lines: 20)
        let app = try await scene.bench.app(evaluating: 24_000)
        try await scene.start("--sort key", expecting: "view 0")
        let pane = scene.pane
        // Process and key; the counts may still grow.
        func selected(_ screen: String) -> String {
            let row = screen.split(separator: "\n").first { $0.hasPrefix(">") } ?? ""
            return row.split(separator: " ").prefix(4).joined(separator: " ")
        }
        let first = selected(try await pane.screen())
        try await pane.press("Down")
        let second = selected(try await pane.until("another row") { selected($0) != first })
        try await pane.press("Up")
        try await pane.until("the first row") { selected($0) == first }
        try await pane.press("NPage")
        try await pane.until("a page on") { ![first, second, ""].contains(selected($0)) }
        try await pane.press("End")
        try await pane.until("the last of 120") { selected($0).contains("view 9") && $0.contains("120 views") }
        try await pane.press("Home")
        try await pane.until("the first row") { selected($0) == first }
        try await pane.press("Enter")
        try await pane.expect("why", "where", "body: last")
        try await pane.press("Down", "Enter")
        try await pane.until("only the second open") {
            selected($0) == second && $0.components(separatedBy: "body: last").count == 2
        }
        try await pane.press("Escape")
        try await pane.until("none open") { !$0.contains("body: last") }
        #expect(app.pid > 0)
    }

    @Test("Left and Right sort, s sorts the other way round, / filters, Esc shows all again, - collapses, ? helps")
    func views() async throws {
        let scene = try await TopScene()
        let app = try await scene.bench.app(evaluating: 24_000)
        try await scene.start("--sort key", expecting: "KEY▲")
        let pane = scene.pane
        try await pane.press("Right")
        try await pane.expect("COUNT▼")
        try await pane.press("s")
        try await pane.expect("COUNT▲")
        try await pane.press("s")
        try await pane.expect("COUNT▼", "q quit")
        try await pane.press("/")
        try await pane.expect("Filter:")
        try await pane.type("VIEW 17")
        try await pane.until("the three stores' view 17 alone") {
            $0.contains("3 views with \"VIEW 17\"") && $0.contains("view 17") && !$0.contains("view 18")
        }
        try await pane.press("Enter")
        try await pane.until("the filter kept") { !$0.contains("Filter:") && !$0.contains("view 18") }
        try await pane.press("Escape")
        try await pane.expect("120 views")
        try await pane.press("-")
        try await pane.until("one line") { screen in
            screen.split(separator: "\n").count == 1 && screen.contains("connected")
        }
        try await pane.press("-")
        try await pane.expect("COUNT▼")
        try await pane.press("?")
        try await pane.expect("pulse: the app shows where the view is", "any other key to close")
        try await pane.press("Space")
        try await pane.until("the help gone") { $0.contains("COUNT▼") && !$0.contains("any other key to close") }
        #expect(app.pid > 0)
    }

    @Test("Space holds the numbers, and lets them go on")
    func pause() async throws {
        let scene = try await TopScene()
        let app = try await scene.bench.app(evaluating: 120)
        try await scene.start("--interval 0.1", expecting: "view ")
        let pane = scene.pane
        try await pane.press("Space")
        let held = try await pane.expect("PAUSED").split(separator: "\n").dropFirst()
        app.type("run 9000\n")
        try await app.expect("done")
        try await scene.bench.seen("9,120 evaluations") { $0.evaluations(of: app.pid) == 9_120 }
        #expect(
            try await pane.lines().filter { $0.contains("view ") }
                == held.filter { $0.contains("view ") }.map(String.init))
        try await pane.press("Space")
        try await pane.until("new numbers") { screen in
            !screen.contains("PAUSED") && held.contains { $0.contains("view ") && !screen.contains($0) }
        }
    }

    @Test("p pulses the view in its app; r asks, counts from then on in this screen alone, and u takes it back")
    func pulseAndCountAnew() async throws {
        let scene = try await TopScene()
        let app = try await scene.bench.app(evaluating: 1_200)
        try await scene.start("--sort key", expecting: "view 0")
        try await scene.pane.press("p")
        // What the tool says stays for some seconds, what the app says for good.
        try await scene.pane.expect("pulsed view 0")
        try await app.expect("pulsed view 0")
        try await scene.pane.press("r", "n")
        try await scene.pane.expect("nothing was changed", "120 views")
        try await scene.pane.press("r", "y")
        try await scene.pane.expect("Nothing was counted since r.")
        app.type("run 120\n")
        // The program chooses views by chance.
        try await scene.pane.until("what came since alone") { screen in
            screen.contains("since ") && screen.contains(#/view \d+ +[1-5] /#) && !screen.contains(#/view \d+ +\d\d /#)
        }
        try await scene.bench.seen("what others see") { $0.evaluations(of: app.pid) == 1_320 }
        try await scene.pane.press("u")
        try await scene.pane.until("all of them") { $0.contains("120 views") && $0.contains(#/view 0 +\d\d /#) }
    }

    @Test("x exports everything to a file")
    func exports() async throws {
        let scene = try await TopScene(columns: 200)
        let app = try await scene.bench.wasteful(evaluating: 100)
        try await scene.start(expecting: "Cart")
        try await scene.pane.press("x")
        let screen = try await scene.pane.expect("exported to rerender-")
        let name = try #require(screen.firstMatch(of: /exported to (rerender-\S+\.json)/)?.1)
        let data = try Data(contentsOf: URL(fileURLWithPath: scene.pane.path + "/\(name)"))
        let export = try JSONDecoder().decode(StatsExport.self, from: data)
        #expect(export.processes.map(\.pid) == [app.pid] && export.processes[0].evaluations == 100)
    }

    @Test("the terminal keeps its mouse: a text is selected and copied as anywhere")
    func mouse() async throws {
        let scene = try await TopScene()
        let app = try await scene.bench.app(evaluating: 24_000)
        try await scene.start("--sort key", expecting: "view 0")
        #expect(try await scene.pane.state("mouse_any_flag") == "0")
        #expect(app.pid > 0)
    }

    @Test("is drawn anew at every size from 40×10 to 300×80, and what was there before is gone")
    func resize() async throws {
        let scene = try await TopScene()
        let app = try await scene.bench.app(evaluating: 24_000)
        try await scene.start("--sort key", expecting: "view 0")
        for (columns, lines) in [(40, 10), (300, 80), (80, 24), (40, 10), (120, 30)] {
            try await scene.pane.resize(columns: columns, lines: lines)
            try await scene.pane.until("\(columns)×\(lines)") { screen in
                let shown = screen.split(separator: "\n", omittingEmptySubsequences: false)
                return shown.count == lines && shown[0].contains("connected") && shown[lines - 1].hasPrefix("Enter why")
                    && shown.dropFirst().filter { $0.contains("view ") && !$0.contains("views") }.count
                        == min(120, lines - (lines < 14 ? 3 : 4))
                    && shown.count { $0.contains("WASTED") } == 1
            }
        }
        try await scene.pane.press("q")
        try await scene.expectRestored(status: 0)
        #expect(app.pid > 0)
    }

    @Test(
        "shows the same in a locale without UTF-8, without colours, and on an old terminal",
        arguments: [
            ["LC_ALL": "C"], ["NO_COLOR": "1"], ["TERM": "vt100"], ["TERM": "vt100", "LC_ALL": "C"], ["TERM": "xterm"],
            ["TERM": "linux"], ["COLORFGBG": "0;15", "TERM": "xterm-256color"],
        ])
    func looks(environment: [String: String]) async throws {
        let scene = try await TopScene(columns: 160)
        // The second is not selected, and so in colour.
        let app = try await scene.bench.wasteful(evaluating: 4_000)
        let other = try await scene.bench.wasteful(evaluating: 3_000)
        // The pane's terminal stays tmux's own: only the tool is told otherwise.
        let variables = environment.map { "\($0)='\($1)'" }.joined(separator: " ")
        try await scene.start(variables: variables, expecting: "2 views")
        // The first frames may show the apps before their last evaluations.
        let screen = try await scene.pane.expect("90% ~9%", "Ticker.advance()", "q quit")
        #expect(screen.contains("ticker.tick 90% ← Ticker.advance()"))
        // A question is in colour, whatever the rows are worth.
        try await scene.pane.press("r")
        try await scene.pane.expect("Count from now on")
        let coloured = try await scene.pane.colouredScreen()
        try await scene.pane.press("n")
        let hasColours = coloured.contains(/\u{1B}\[[0-9;]*3[1-8]/)
        let isPlain = environment["NO_COLOR"] != nil || environment["TERM"] == "vt100"
        #expect(hasColours == !isPlain, "\(coloured.debugDescription)")
        #expect(!coloured.contains("\u{1B}[5m"))
        try await scene.pane.press("q")
        try await scene.expectRestored(status: 0)
        #expect(app.pid > 0 && other.pid > 0)
    }

    @Test(
        "refuses what is no terminal it can draw on, and says what to use instead",
        arguments: [
            ("TERM=dumb", "cannot position its cursor"), ("TERM=no-such", "is not a known terminal"),
            ("TERM=", "is not a known terminal"),
        ])
    func refuses(variable: String, text: String) async throws {
        let scene = try await TopScene()
        try await scene.pane.shell("\(variable) \(Program.rerenderctl) top; echo status=$?")
        let screen = try await scene.pane.expect("status=64")
        #expect(screen.contains(text) && screen.contains("rerenderctl stats"))
        let outcome = try await scene.bench.ctl("top")
        #expect(outcome.ending == .exited(64) && outcome.output.isEmpty)
        #expect(outcome.errors.contains("rerenderctl stats --json"))
    }

    @Test("a hang that goes on is in the title line")
    func hang() async throws {
        let scene = try await TopScene()
        let app = try Spawned(Program.wireApp + [scene.bench.path, "100", "0", "hang"])
        try await app.expect("ready")
        try await scene.start(expecting: "Cart")
        try await scene.pane.expect("HANG ")
    }

    @Test("only the process that is asked for is shown; one that is not there is waited for")
    func process() async throws {
        let scene = try await TopScene()
        let other = try await scene.bench.app(evaluating: 120)
        try await scene.start("--process wire-app --interval 0.2")
        try await scene.pane.expect("0 processes")
        let app = try await scene.bench.wasteful(evaluating: 100)
        let screen = try await scene.pane.expect("Cart", "1 view")
        #expect(!screen.contains("view 1") && app.pid > 0 && other.pid > 0)
    }

    @Test("keys of an app that would move the cursor are shown escaped", .promise)
    func hostile() async throws {
        let scene = try await TopScene()
        let app = try Spawned([Program.counting], environment: scene.bench.environment())
        try await app.expect("ready")
        app.type("hostile\n")
        try await app.expect("done")
        try await scene.start("--sort key", expecting: "views")
        let screen = try await scene.pane.expect("\\u{")
        #expect(screen.hasPrefix("rerender top"))
        try await scene.pane.press("q")
        try await scene.expectRestored(status: 0)
    }
}
