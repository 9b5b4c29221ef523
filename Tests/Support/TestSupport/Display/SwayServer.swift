// SPDX-License-Identifier: MIT
// A compositor for Wayland without a screen: sway, with a pointer and a keyboard of wlroots' protocols.

import Foundation

/// Runs as long as this lives. Each window is put into the upper left corner, without a border.
package final class SwayServer: DisplayServer {
    private let server: ChildProcess
    private let pointer: ChildProcess
    private let home: TemporaryDirectory
    private let display: String
    package let width: Int

    /// Why it cannot be tried here; nil if it can.
    package static let obstacle: String? = {
        let tools = ["sway", "setpriv", "grim", "convert", "wtype", "cc", "make", "pkg-config"]
        let missing = tools.filter { ChildProcess.path(of: $0) == nil }
        return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) is not installed"
    }()

    package init(width: Int = 720, height: Int = 520) async throws {
        home = try TemporaryDirectory()
        self.width = width
        let runtime = try Self.runtimeDirectory(in: home)
        try """
        xwayland disable
        swaybg_command -
        default_border none
        default_floating_border none
        focus_follows_mouse no
        output HEADLESS-1 mode \(width)x\(height)@60Hz
        for_window [app_id=".*"] floating enable, border none, move absolute position 0 0
        exec echo "display $WAYLAND_DISPLAY"
        """.write(toFile: home.path + "/config", atomically: true, encoding: .utf8)
        var environment = ProcessInfo.processInfo.environment
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK"] { environment[name] = nil }
        for (name, value) in [
            "XDG_RUNTIME_DIR": runtime, "HOME": runtime, "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1",
            "WLR_RENDERER": "pixman",
        ] { environment[name] = value }
        server = try ChildProcess(try Self.command + ["--config", home.path + "/config"], environment: environment)
        var line = try await server.nextLine()
        while !line.hasPrefix("display ") { line = try await server.nextLine() }
        display = String(line.dropFirst(8))
        (environment["XDG_RUNTIME_DIR"], environment["WAYLAND_DISPLAY"]) = (runtime, display)
        let program = try await Fixture.made("c/pointer")
        pointer = try ChildProcess([program, "\(width)", "\(height)"], environment: environment)
        guard try await pointer.nextLine() == "done" else { throw ChildProcess.Failure("sway takes no pointer") }
    }

    deinit {
        pointer.closeInput()
        server.kill(SIGTERM)
    }

    /// sway does not run as root. Any other user keeps being who it is.
    private static var command: [String] {
        get throws {
            let sway = try ChildProcess.installed("sway")
            guard geteuid() == 0 else { return [sway] }
            let user = ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
            return [try ChildProcess.installed("setpriv")] + user + [sway]
        }
    }

    /// Where its socket is made; it belongs to sway's user.
    private static func runtimeDirectory(in home: TemporaryDirectory) throws -> String {
        let path = home.path + "/run"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        if geteuid() == 0, let nobody = getpwnam("nobody") {
            chmod(home.path, 0o711)
            chown(path, nobody.pointee.pw_uid, nobody.pointee.pw_gid)
        }
        return path
    }

    package var environment: [String: String] {
        Self.environment(home: home.path).merging([
            "WAYLAND_DISPLAY": display, "GDK_BACKEND": "wayland", "XDG_RUNTIME_DIR": home.path + "/run",
        ]) { $1 }
    }

    package func picture() async throws -> ScreenPicture {
        let (png, file) = (home.path + "/screen.png", home.path + "/screen.rgb")
        try await run("grim", [png])
        try await run("convert", [png, "-depth", "8", "rgb:\(file)"])
        return try ScreenPicture(contentsOf: file, width: width)
    }

    private func ask(_ line: String) async throws {
        let answer = try await pointer.ask(line)
        guard answer == "done" else { throw ChildProcess.Failure("the pointer said \(answer)") }
    }

    package func move(_ points: [(x: Int, y: Int)], isDrag: Bool) async throws {
        for (place, point) in points.enumerated() {
            try await ask("move \(point.x) \(point.y)")
            if isDrag && place == 0 { try await ask("press") }
        }
        if isDrag { try await ask("release") }
    }

    package func click() async throws {
        try await ask("press")
        try await ask("release")
    }

    package func turnWheel() async throws { try await ask("wheel") }

    package func type(_ text: String) async throws { try await run("wtype", [text]) }
}
