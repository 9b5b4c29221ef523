// SPDX-License-Identifier: MIT
// A program in a window on an X server without a screen, with a real pointer and pictures of what it shows.

import Foundation
import RerenderGTK
import TestSupport

/// A window that is clicked and looked at. Ends with the test.
actor HUDScreen {
    private static let tools = ["Xvfb", "xdotool", "import"]

    /// Why it cannot be tried here; nil if it can.
    static let obstacle: String? = {
        #if RERENDER_GTK
            let missing = tools.filter { ChildProcess.path(of: $0) == nil }
            return missing.isEmpty
                ? nil : "\(missing.joined(separator: ", ")) is not installed (xvfb, xdotool, imagemagick)"
        #else
            return "built without the trait GTK"
        #endif
    }()

    private let home: TemporaryDirectory
    private let server: ChildProcess
    private let app: ChildProcess
    private let display: String
    private let width: Int
    /// What the program said that nobody waited for.
    private(set) var said: [String] = []

    private init(
        _ home: TemporaryDirectory, _ server: ChildProcess, _ app: ChildProcess, display: String, width: Int
    ) {
        (self.home, self.server, self.app, self.display, self.width) = (home, server, app, display, width)
    }

    deinit {
        app.kill(SIGKILL)
        server.kill(SIGTERM)
    }

    private static func path(_ tool: String) throws -> String {
        guard let path = ChildProcess.path(of: tool) else { throw ChildProcess.Failure("\(tool) is not installed") }
        return path
    }

    /// Starts the server and `hud-host`, and waits for its window.
    static func start(renderer: String = "cairo", _ more: [String: String] = [:]) async throws -> HUDScreen {
        try await start(program: "hud-host", [], renderer: renderer, width: 720, height: 520, more)
    }

    /// Starts the server and a program, and waits until that says `ready`.
    static func start(
        program: String, _ arguments: [String], renderer: String = "cairo", width: Int, height: Int,
        _ more: [String: String] = [:]
    ) async throws -> HUDScreen {
        let home = try TemporaryDirectory()
        let server = try ChildProcess([
            try path("Xvfb"), "-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nolisten", "tcp",
            "-noreset",
        ])
        let display = ":" + (try await server.nextLine())
        var environment = ProcessInfo.processInfo.environment
        for (name, value) in [
            "DISPLAY": display, "GDK_BACKEND": "x11", "GSK_RENDERER": renderer, "HOME": home.path,
            "XDG_RUNTIME_DIR": home.path, "XDG_CONFIG_HOME": home.path, "GTK_A11Y": "none", "GTK_THEME": "Adwaita",
            "GSETTINGS_BACKEND": "memory", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "LC_ALL": "C.UTF-8",
            "RERENDER_RUNTIME_DIR": home.path, "LIBGL_ALWAYS_SOFTWARE": "1",
        ] { environment[name] = value }
        environment["WAYLAND_DISPLAY"] = nil
        environment.merge(more) { $1 }
        let app = try ChildProcess([ChildProcess.product(program)] + arguments, environment: environment)
        let screen = HUDScreen(home, server, app, display: display, width: width)
        try await screen.waitFor("ready")
        return screen
    }

    // MARK: Lines

    /// Reads lines until one begins with this, and returns it.
    @discardableResult
    func waitFor(_ beginning: String) async throws -> String {
        if let place = said.firstIndex(where: { $0.hasPrefix(beginning) }) { return said.remove(at: place) }
        while true {
            let line = try await app.nextLine()
            if line.hasPrefix(beginning) { return line }
            said.append(line)
        }
    }

    /// Sends a line, and returns what was said until it was done.
    @discardableResult
    func ask(_ line: String) async throws -> [String] {
        try app.send(line)
        var answer: [String] = []
        while true {
            let line = try await app.nextLine()
            if line == "done" { return answer }
            answer.append(line)
        }
    }

    /// The words behind the first one of the answer that begins with it.
    func words(_ line: String) async throws -> [String] {
        let first = line.split(separator: " ").first.map { String($0) } ?? ""
        let answer = try await ask(line)
        guard let place = answer.firstIndex(where: { $0.hasPrefix(first + " ") }) else {
            throw ChildProcess.Failure("no answer to \(line), but \(answer)")
        }
        said += answer[..<place] + answer[(place + 1)...]
        return answer[place].split(separator: " ").dropFirst().map { String($0) }
    }

    /// Where the HUD is; nil where it is not shown.
    func frame() async throws -> HUDRect? {
        let numbers = try await words("frame").compactMap { Double($0) }
        return numbers.count == 4 ? HUDRect(numbers[0], numbers[1], numbers[2], numbers[3]) : nil
    }

    /// Where a widget is on the screen.
    func bounds(_ name: String) async throws -> HUDRect {
        let numbers = try await words("bounds \(name)").suffix(4).compactMap { Double($0) }
        return HUDRect(numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// How often the window's own snapshot ran.
    func snapshots() async throws -> Int { Int(try await words("snapshots").first ?? "") ?? -1 }

    /// Waits until the HUD's rectangle is as asked for.
    @discardableResult
    nonisolated func frame(_ what: String, where isRight: @Sendable (HUDRect) -> Bool) async throws -> HUDRect {
        try await eventually("the HUD \(what)", seen: { try await self.frame() as Any }) {
            guard let frame = try await self.frame(), isRight(frame) else { return nil }
            return frame
        }
    }

    /// Ends the program, and returns its status and what it wrote to stderr.
    func finish() async -> ChildProcess.Output { await app.finish() }

    // MARK: Pointer, keys and pictures

    /// Runs xdotool.
    func pointer(_ arguments: String...) async throws {
        let output = try await ChildProcess.run(
            [try Self.path("xdotool")] + arguments, environment: ["DISPLAY": display])
        guard output.succeeded else { throw ChildProcess.Failure("xdotool \(arguments): \(output.standardError)") }
    }

    func click(_ x: Double, _ y: Double, button: Int = 1) async throws {
        try await pointer("mousemove", "\(Int(x))", "\(Int(y))", "click", "\(button)")
    }

    /// Drags with the primary button, by some steps on the way.
    func drag(from start: HUDPoint, to end: HUDPoint) async throws {
        let middle = HUDPoint((start.x + end.x) / 2, (start.y + end.y) / 2)
        try await pointer(
            "mousemove", "\(Int(start.x))", "\(Int(start.y))", "mousedown", "1", "mousemove", "\(Int(middle.x))",
            "\(Int(middle.y))", "mousemove", "\(Int(end.x))", "\(Int(end.y))", "mouseup", "1")
    }

    /// What the screen shows now.
    func picture() async throws -> ScreenPicture {
        let file = home.path + "/screen.rgb"
        let output = try await ChildProcess.run(
            [try Self.path("import"), "-display", display, "-window", "root", "-depth", "8", "rgb:\(file)"],
            environment: ["HOME": home.path])
        guard output.succeeded else { throw ChildProcess.Failure("import: \(output.standardError)") }
        return ScreenPicture(bytes: [UInt8](try Data(contentsOf: URL(filePath: file))), width: width)
    }

    /// The text on the clipboard, as another program gets it.
    func clipboard() async throws -> String {
        try await ChildProcess.run(
            [try Self.path("xclip"), "-selection", "clipboard", "-o"], environment: ["DISPLAY": display]
        ).standardOutput
    }
}

/// The pixels of a screen.
struct ScreenPicture: Sendable {
    let bytes: [UInt8]
    let width: Int

    /// Red, green and blue of a pixel.
    func pixel(_ x: Double, _ y: Double) -> [Int] {
        let place = (Int(y) * width + Int(x)) * 3
        return place >= 0 && place + 3 <= bytes.count ? bytes[place..<place + 3].map { Int($0) } : []
    }

    /// How much more red than green a pixel has.
    func redness(_ x: Double, _ y: Double) -> Int {
        let pixel = pixel(x, y)
        return pixel.isEmpty ? 0 : pixel[0] - pixel[1]
    }
}
