// SPDX-License-Identifier: MIT
// An X server without a screen, and what a GTK program needs to show its window there and nowhere else.

import Foundation
import TestSupport

/// Runs as long as this lives.
final class XServer: Sendable {
    private let server: ChildProcess
    private let home: TemporaryDirectory
    let display: String

    /// Starts a server; it tells its number once it can be connected to.
    init() async throws {
        home = try TemporaryDirectory()
        server = try ChildProcess([
            try ReleaseCost.path("Xvfb"), "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp",
        ])
        display = ":" + (try await server.nextLine())
    }

    deinit { server.kill(SIGTERM) }

    /// What is different for a program on this server: no session, and settings of its own.
    var environment: [String: String] {
        [
            "DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "HOME": home.path,
            "XDG_RUNTIME_DIR": home.path, "XDG_CONFIG_HOME": home.path, "XDG_CACHE_HOME": home.path, "GTK_A11Y": "none",
            "GSETTINGS_BACKEND": "memory", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "LC_ALL": "C.UTF-8",
        ]
    }
}
