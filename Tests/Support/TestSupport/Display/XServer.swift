// SPDX-License-Identifier: MIT
// An X server without a screen.

import Foundation

/// Runs as long as this lives.
package final class XServer: DisplayServer {
    private let server: ChildProcess
    private let manager: ChildProcess?
    private let home: TemporaryDirectory
    package let display: String
    package let width: Int

    /// Starts a server; it tells its number once it can be connected to.
    ///
    /// - Parameter isManaged: Whether a window manager runs on it, as on a desktop.
    package init(width: Int = 1_280, height: Int = 1_024, isManaged: Bool = false) async throws {
        home = try TemporaryDirectory()
        // A server resets once its last client has left, and refuses a client that connects meanwhile.
        server = try ChildProcess([
            try ChildProcess.installed("Xvfb"), "-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nolisten",
            "tcp", "-noreset",
        ])
        display = ":" + (try await server.nextLine())
        self.width = width
        guard isManaged else {
            manager = nil
            return
        }
        var environment = ProcessInfo.processInfo.environment
        (environment["DISPLAY"], environment["HOME"]) = (display, home.path)
        // It runs this once it manages windows.
        manager = try ChildProcess(
            [try ChildProcess.installed("openbox"), "--startup", "echo managed"], environment: environment)
        // Messages of its own come before.
        while let line = try await manager?.nextLine(), line != "managed" {}
    }

    deinit {
        manager?.kill(SIGTERM)
        server.kill(SIGTERM)
    }

    package var environment: [String: String] {
        Self.environment(home: home.path).merging([
            "DISPLAY": display, "GDK_BACKEND": "x11", "XDG_RUNTIME_DIR": home.path,
        ]) { $1 }
    }

    package func picture() async throws -> ScreenPicture {
        let file = home.path + "/screen.rgb"
        try await run("import", ["-display", display, "-window", "root", "-depth", "8", "rgb:\(file)"])
        return try ScreenPicture(contentsOf: file, width: width)
    }

    /// Runs xdotool.
    @discardableResult
    package func pointer(_ arguments: [String]) async throws -> String {
        try await run("xdotool", arguments).standardOutput
    }

    package func move(_ points: [(x: Int, y: Int)], isDrag: Bool) async throws {
        var moves = points.map { ["mousemove", "\($0.x)", "\($0.y)"] }
        if isDrag {
            moves.insert(["mousedown", "1"], at: 1)
            moves.append(["mouseup", "1"])
        }
        try await pointer(Array(moves.joined()))
    }

    package func click() async throws { try await pointer(["click", "1"]) }

    package func turnWheel() async throws { try await pointer(["click", "5"]) }

    package func type(_ text: String) async throws { try await pointer(["type", text]) }
}
