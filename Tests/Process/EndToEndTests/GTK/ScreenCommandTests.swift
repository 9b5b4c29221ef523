// SPDX-License-Identifier: MIT
// What `rerenderctl` has a program show on its screen, and what it says of that.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "Commands that a program carries out on its screen",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"),
    .enabled(if: ChildProcess.path(of: "import") != nil, "import is not installed (imagemagick)"))
struct ScreenCommandTests {
    /// A program that stays, the server that it is on, and a daemon.
    private struct Stage {
        let lab: InjectionLab
        let server: XServer
        let app: ChildProcess

        /// - Parameters:
        ///   - hud: The corner in which the HUD begins; none where it is empty.
        ///   - more: What else is in its environment.
        init(_ steps: String..., hud: String = "", _ more: [String: String] = [:]) async throws {
            (lab, server) = (try await InjectionLab(), try await XServer())
            let program = try await Fixture.made("c/widgets")
            var environment = server.environment.merging(more) { $1 }
            environment["RERENDER_HUD"] = hud
            app = try await lab.start([program] + steps + ["stay"], environment)
            guard try await app.nextLine() == "staying" else { throw ChildProcess.Failure("it did not stay") }
            let lab = lab, app = app
            try await lab.daemon.http.eventually("its widgets", seen: { try lab.views(of: app).map(\.key) }) {
                try lab.views(of: app).contains { $0.key == "Leaf" } ? () : nil
            }
        }

        /// What is on the screen.
        func picture() async throws -> ScreenPicture { try await server.picture() }

        /// Where the HUD's background is; nil where there is none.
        func background() async throws -> ScreenExtent? { try await server.hudBackground() }

        func end() async {
            app.closeInput()
            #expect(await app.waitForExit() == .status(0))
        }
    }

    @Test("a pulse says over how many instances it is, and fails where a view has none", .promise)
    func pulse() async throws {
        let stage = try await Stage("popover")
        let name = "widgets[\(stage.app.processID)]/widgets"
        #expect(try await stage.lab.ctl("pulse", "Leaf").standardOutput == "pulsed Leaf in \(name): 1 instance\n")
        let gone = try await stage.lab.run("pulse", "Leaf/GtkPopover")
        #expect(gone.exit == .status(1) && gone.standardOutput.isEmpty)
        #expect(gone.standardError.contains("Leaf/GtkPopover was not pulsed in \(name): it has no instance any more"))
        await stage.end()
    }

    @Test("a window may be closed while it is pulsed", arguments: ["", "top-left"])
    func closed(hud: String) async throws {
        // Memory that is freed has other bytes, and what GLib warns of ends the program.
        let stage = try await Stage(hud: hud, ["MALLOC_PERTURB_": "165", "G_DEBUG": "fatal-warnings"])
        #expect(try await stage.lab.ctl("pulse", "GtkWindow").standardOutput.contains(": 1 instance\n"))
        // Its window is closed within a second.
        await stage.end()
    }

    @Test("a program that is stopped is said not to have answered, and does what was asked when it goes on")
    func stopped() async throws {
        let stage = try await Stage()
        let before = try await stage.picture()
        stage.app.kill(SIGSTOP)
        let pulsed = try await stage.lab.run("pulse", "Leaf")
        #expect(pulsed.exit == .status(1) && pulsed.standardError.contains("did not confirm in time"))
        let shown = try await stage.lab.run("hud", "on")
        #expect(shown.exit == .status(1) && shown.standardError.contains("did not confirm in time"))
        stage.app.kill(SIGCONT)
        try await eventually("the HUD") { try await stage.background() != nil ? () : nil }
        try await stage.lab.ctl("hud", "off")
        try await eventually("the program alone") { try await stage.picture() == before ? () : nil }
        await stage.end()
    }

    @Test("requests from several terminals while windows come and go leave the program as it was")
    func churn() async throws {
        let stage = try await Stage("churn")
        let terminals = """
            for words in 'hud on' 'hud off' 'highlight on' 'highlight off' 'pulse Leaf'; do
                (for round in 1 2 3 4 5 6 7 8 9 10; do "$0" $words > /dev/null 2>&1; done) &
            done
            wait
            """
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = stage.lab.daemon.directory
        _ = try await ChildProcess.run(
            ["/bin/sh", "-c", terminals, ChildProcess.product("rerenderctl")], environment: environment)
        await stage.end()
    }

    @Test("the HUD goes to another window when its own is hidden, also where nothing draws")
    func elsewhere() async throws {
        let stage = try await Stage("other", "hide", hud: "top-left")
        _ = try await eventually("the HUD in the other window") { try await stage.background() }
        await stage.end()
    }

    @Test("the HUD is the same on another theme, and what the theme changed is counted")
    func theme() async throws {
        let stage = try await Stage("theme", hud: "top-left")
        let dark = try await eventually("the HUD") { try await stage.background() }
        let light = try await Stage(hud: "top-left")
        #expect(try await eventually("the HUD") { try await light.background() } == dark)
        let reasons = try stage.lab.views(of: stage.app).first { $0.key == "Group" }?.reasons.map(\.reason) ?? []
        #expect(reasons.contains("style"), "\(reasons)")
        await stage.end()
        await light.end()
    }

    @Test("the HUD goes with Rerender where that is switched off")
    func off() async throws {
        let stage = try await Stage()
        let before = try await stage.picture()
        try await stage.lab.ctl("hud", "on")
        try await eventually("the HUD") { try await stage.background() != nil ? () : nil }
        let said = try await stage.lab.ctl("off").standardOutput
        #expect(said.contains("1 running process was switched off"), "\(said)")
        try await eventually("the program alone") { try await stage.picture() == before ? () : nil }
        await stage.end()
    }

    @Test("the HUD is shown and taken away, and the highlight is switched, while the program runs")
    func overlays() async throws {
        let stage = try await Stage()
        let before = try await stage.picture()
        #expect(try await stage.lab.ctl("hud", "on").standardOutput == "the HUD is on in 1 process\n")
        try await eventually("the HUD") { try await stage.picture() != before ? () : nil }
        #expect(try await stage.lab.ctl("hud", "on").standardOutput == "the HUD is on in 1 process\n")
        let corner = try await eventually("its background") { try await stage.background() }
        for _ in 0..<3 {
            #expect(try await stage.lab.ctl("hud", "off").standardOutput == "the HUD is off in 1 process\n")
            try await eventually("the program alone") { try await stage.picture() == before ? () : nil }
            try await stage.lab.ctl("hud", "on")
            try await eventually("the HUD where it was") { try await stage.background() == corner ? () : nil }
        }
        try await stage.lab.ctl("hud", "off")
        try await eventually("the program alone") { try await stage.picture() == before ? () : nil }
        for state in ["on", "off"] {
            #expect(
                try await stage.lab.ctl("highlight", state).standardOutput == "the highlight is \(state) in 1 process\n"
            )
        }
        await stage.end()
    }
}
