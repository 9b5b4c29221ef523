// SPDX-License-Identifier: MIT
// Forked children of programs with GTK, which have the program's libraries and none of its threads.

import Foundation
import TestSupport
import Testing

@Suite(
    "A forked child of a GTK 4 program",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"))
struct ForkTests {
    /// Mesa ends its threads at exit, and the C library then frees the stacks of all threads that the child does not have. While its
    /// cache of shaders is filled, Mesa waits instead for a thread that is not there, also without Rerender: another run fills it.
    @Test(
        "ends by exit as without Rerender, whatever draws",
        arguments: ["cairo": "GskCairoRenderer", "gl": "GskGLRenderer"])
    func exits(setting: String, renderer: String) async throws {
        try await Fixture.preload()
        let server = try await XServer()
        let program = try await Fixture.made("c/frames")
        let home = try TemporaryDirectory()
        let environment = try server.environment.merging(["GSK_RENDERER": setting]) { $1 }
            .merging(LTTngSocket.alone(in: home.path)) { $1 }
        _ = try await InjectedRun.run([program, "draw=0"], isInjected: false, environment: environment)
        let plain = try await InjectedRun.run([program, "fork=1"], isInjected: false, environment: environment)
        guard plain.truth[renderer] == 1 else { try Test.cancel("GTK draws with another renderer here") }
        let run = try await InjectedRun.run([program, "fork=30"], environment: environment)
        #expect(run.truth[renderer] == 30, "\(run.output)")
        withExtendedLifetime((server, home)) {}
    }
}
