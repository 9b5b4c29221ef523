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

    static func shown(preload: String?) async throws -> ChildProcess.Output {
        let home = try TemporaryDirectory()
        let server = try ChildProcess([
            try ReleaseCost.path("Xvfb"), "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
        ])
        defer { server.kill(SIGTERM) }
        // It tells its number once it can be connected to.
        let display = ":" + (try await server.nextLine())
        var environment = ProcessInfo.processInfo.environment
        for (name, value) in [
            "DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "HOME": home.path,
            "XDG_RUNTIME_DIR": home.path, "XDG_CONFIG_HOME": home.path, "XDG_CACHE_HOME": home.path, "GTK_A11Y": "none",
            "GSETTINGS_BACKEND": "memory", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "LC_ALL": "C.UTF-8",
        ] { environment[name] = value }
        environment["RERENDER_RUNTIME_DIR"] = home.path
        environment["LD_PRELOAD"] = preload
        environment["WAYLAND_DISPLAY"] = nil
        let app = try ChildProcess([try ReleaseCost.path(program)], environment: environment)
        do {
            // A server tells of windows only the clients that asked; a tool that asks is looked at again and again.
            try await eventually("the window of \(program)") {
                let windows = try await ChildProcess.run([
                    try ReleaseCost.path("xwininfo"), "-display", display, "-root", "-tree",
                ])
                return windows.standardOutput.contains("Widget Factory") ? () : nil
            }
        } catch {
            app.kill(SIGKILL)
            throw ChildProcess.Failure("\(error): \(await app.finish())")
        }
        app.kill(SIGTERM)
        return await app.finish()
    }
}
