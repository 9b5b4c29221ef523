// SPDX-License-Identifier: MIT
// What `rerenderctl` has a program show on its screen, and what it says of that.

import Foundation
import RerenderModel
import TestSupport
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

        init(_ steps: String...) async throws {
            (lab, server) = (try await InjectionLab(), try await XServer())
            let program = try await WidgetFixture.shared.program()
            var environment = server.environment
            environment["RERENDER_HUD"] = ""
            app = try await lab.start([program] + steps + ["stay"], environment)
            guard try await app.nextLine() == "staying" else { throw ChildProcess.Failure("it did not stay") }
            let lab = lab, app = app
            try await eventually("its widgets", seen: { try lab.views(of: app).map(\.key) }) {
                try lab.views(of: app).contains { $0.key == "Leaf" } ? () : nil
            }
        }

        /// What is on the screen.
        func picture() async throws -> String {
            let output = try await ChildProcess.run([
                try ReleaseCost.path("import"), "-display", server.display, "-window", "root", "txt:-",
            ])
            try #require(output.succeeded, "\(output.standardError)")
            return output.standardOutput
        }

        func end() async {
            app.closeInput()
            #expect(await app.waitForExit() == .status(0))
        }
    }

    @Test("a pulse says over how many instances it is, and fails where a view has none")
    func pulse() async throws {
        let stage = try await Stage("popover")
        let name = "widgets[\(stage.app.processID)]/widgets"
        #expect(try await stage.lab.ctl("pulse", "Leaf").standardOutput == "pulsed Leaf in \(name): 1 instance\n")
        let gone = try await stage.lab.run("pulse", "Leaf/GtkPopover")
        #expect(gone.exit == .status(1) && gone.standardOutput.isEmpty)
        #expect(gone.standardError.contains("Leaf/GtkPopover was not pulsed in \(name): it has no instance any more"))
        await stage.end()
    }

    @Test("the HUD is shown and taken away, and the highlight is switched, while the program runs")
    func overlays() async throws {
        let stage = try await Stage()
        let before = try await stage.picture()
        #expect(try await stage.lab.ctl("hud", "on").standardOutput == "the HUD is on in 1 process\n")
        try await eventually("the HUD") { try await stage.picture() != before ? () : nil }
        #expect(try await stage.lab.ctl("hud", "on").standardOutput == "the HUD is on in 1 process\n")
        #expect(try await stage.lab.ctl("hud", "off").standardOutput == "the HUD is off in 1 process\n")
        try await eventually("the program alone") { try await stage.picture() == before ? () : nil }
        for state in ["on", "off"] {
            #expect(
                try await stage.lab.ctl("highlight", state).standardOutput == "the highlight is \(state) in 1 process\n"
            )
        }
        await stage.end()
    }
}
