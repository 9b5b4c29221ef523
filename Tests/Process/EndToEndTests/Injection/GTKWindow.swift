// SPDX-License-Identifier: MIT
// A program of GTK 4 that shows its window on an X server without a screen.

import Foundation
import TestSupport

/// Starts `gtk4-widget-factory` on a server of its own, waits for its window, and ends it.
enum GTKWindow {
    private static let program = "gtk4-widget-factory"

    /// Why it cannot be tried here; nil if it can.
    static var obstacle: String? {
        let missing = [program, "Xvfb", "xwininfo"].filter { ChildProcess.path(of: $0) == nil }
        return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) is not installed"
    }

    static func shown(preload: String?, report: String? = nil) async throws -> ChildProcess.Output {
        let server = try await XServer()
        var environment = ProcessInfo.processInfo.environment.merging(server.environment) { $1 }
        environment["RERENDER_RUNTIME_DIR"] = server.environment["HOME"]
        environment["LD_PRELOAD"] = preload
        environment["RERENDER_INJECT_REPORT"] = report
        environment["WAYLAND_DISPLAY"] = nil
        let app = try ChildProcess([try ReleaseCost.path(program)], environment: environment)
        do {
            // A server tells of windows only the clients that asked; a tool that asks is looked at again and again.
            try await eventually("the window of \(program)") {
                let windows = try await ChildProcess.run([
                    try ReleaseCost.path("xwininfo"), "-display", server.display, "-root", "-tree",
                ])
                return windows.standardOutput.contains("Widget Factory") ? () : nil
            }
        } catch {
            app.kill(SIGKILL)
            throw ChildProcess.Failure("\(error): \(await app.finish())")
        }
        app.kill(SIGTERM)
        let output = await app.finish()
        withExtendedLifetime(server) {}
        return output
    }
}
