// SPDX-License-Identifier: MIT
// The HUD above programs that know nothing of it: its own frames count for nothing, and the programs are as without it.

import Foundation
import TestSupport
import TestTraits
import Testing

@Suite("The HUD of an injected program", .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct HUDTests {
    private func run(hud: Bool, _ steps: [String]) async throws -> InjectedRun {
        try await Fixture.preload()
        let server = try await XServer()
        let program = try await Fixture.made("c/widgets")
        var environment = server.environment
        environment["RERENDER_HUD"] = hud ? "1" : "0"
        let run = try await InjectedRun.run([program] + steps, environment: environment)
        withExtendedLifetime(server) {}
        return run
    }

    @Test("its frames count for nothing: counts and reasons are the same, of the window, too", .promise)
    func counts() async throws {
        let steps = ["property", "wasted", "bare", "class", "property"]
        let (with, without) = (try await run(hud: true, steps), try await run(hud: false, steps))
        #expect(with.truth == without.truth)
        for (type, count) in with.truth where count > 0 { #expect(with.counts("widgets")[type] == count, "\(type)") }
        let (ours, theirs) = (with.stores["widgets"] ?? [:], without.stores["widgets"] ?? [:])
        #expect(ours["GtkWindow"] != nil)
        for (key, view) in theirs { #expect(ours[key]?.reasons == view.reasons, "\(key)") }
        #expect(ours.keys.sorted() == theirs.keys.sorted())
    }

    @Test("it is shown where the main loop is never idle, as when frames take longer than there is time for")
    func busy() async throws {
        try await Fixture.preload()
        let (server, directory) = (try await XServer(), try TemporaryDirectory())
        var environment = server.environment
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        let run = try await ChildProcess.run(
            [ChildProcess.product("rerenderctl"), "run", "--hud", "--", Fixture.made("c/widgets"), "busy"],
            environment: environment)
        withExtendedLifetime((server, directory)) {}
        #expect(run.exit == .status(0))
        #expect(!run.standardError.contains("the HUD"), "\(run.standardError)")
    }

    @Test("a program with gcc's Address Sanitizer runs, and its widgets are counted")
    func addressSanitizer() async throws {
        try await Fixture.preload()
        let server = try await XServer()
        let program = try await Fixture.made("c/widgets-address")
        // What GTK keeps for ever is not looked for. The option stays where there is another one.
        let environment = server.environment.merging(["RERENDER_HUD": "1", "ASAN_OPTIONS": "detect_leaks=0"]) { $1 }
        let run = try await InjectedRun.run([program, "property", "bare"], environment: environment)
        withExtendedLifetime(server) {}
        #expect(run.truth.values.contains { $0 > 0 })
        for (type, count) in run.truth where count > 0 { #expect(run.counts("widgets")[type] == count, "\(type)") }
    }

    @Test("a program says the same and ends the same, in all that it does")
    func isHarmless() async throws {
        let steps = ["property", "wasted", "bare", "class", "size", "hover", "tick", "late", "window"]
        let (with, without) = (try await run(hud: true, steps), try await run(hud: false, steps))
        #expect(with.output == without.output)
        #expect(!with.said.contains("Gtk-") && !with.said.contains("GLib-"), "\(with.said)")
    }
}
