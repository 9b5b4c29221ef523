// SPDX-License-Identifier: MIT
// A program in a window on a display without a screen, with a real pointer and pictures of what it shows.

import Foundation
import RerenderGTK
import TestSupport

/// A window that is clicked and looked at. Ends with the test.
actor HUDScreen {
    /// Whether this build has the part for GTK.
    static let isBuilt: Bool = {
        #if RERENDER_GTK
            return true
        #else
            return false
        #endif
    }()

    /// Why it cannot be tried on an X server here; nil if it can.
    static let obstacle: String? = {
        if !isBuilt { return "built without the trait GTK" }
        let missing = ["Xvfb", "xdotool", "import"].filter { ChildProcess.path(of: $0) == nil }
        return missing.isEmpty
            ? nil : "\(missing.joined(separator: ", ")) is not installed (xvfb, xdotool, imagemagick)"
    }()

    /// What it is shown on.
    let server: any DisplayServer
    private let app: ChildProcess
    /// The pixels of a point, in each direction.
    private let scale: Double
    /// What the program said that nobody waited for.
    private(set) var said: [String] = []

    private init(_ server: any DisplayServer, _ app: ChildProcess, scale: Int) {
        (self.server, self.app, self.scale) = (server, app, Double(scale))
    }

    deinit { app.kill(SIGKILL) }

    /// Starts the server and `screens hud`, and waits for its window.
    static func start(renderer: String = "cairo", scale: Int = 1, _ more: [String: String] = [:]) async throws
        -> HUDScreen
    {
        let server = try await XServer(width: 720 * scale, height: 520 * scale)
        return try await start(["hud"], on: server, renderer: renderer, scale: scale, more)
    }

    /// Starts `screens` with these arguments, and waits until it says `ready`.
    static func start(
        _ arguments: [String], on server: any DisplayServer, renderer: String = "cairo", scale: Int = 1,
        _ more: [String: String] = [:]
    ) async throws -> HUDScreen {
        var environment = server.whole(more)
        for (name, value) in ["GSK_RENDERER": renderer, "GTK_THEME": "Adwaita", "GDK_SCALE": "\(scale)"] {
            environment[name] = value
        }
        environment["RERENDER_RUNTIME_DIR"] = environment["HOME"]
        let app = try ChildProcess([ChildProcess.product("screens")] + arguments, environment: environment)
        let screen = HUDScreen(server, app, scale: scale)
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

    /// Has the program do something and wait behind each frame that it draws from then on. Returns what it said, and the time of
    /// the first of these frames in microseconds.
    func step(_ line: String) async throws -> (said: [String], time: Int) {
        (try await ask("step " + line), try await drawn())
    }

    /// Has a program that waits draw its next frame, and returns that frame's time.
    func nextFrame() async throws -> Int {
        try app.send("next")
        return try await drawn()
    }

    /// Has a program that waits go on.
    func goOn() async throws { try await ask("go on") }

    private func drawn() async throws -> Int {
        let line = try await waitFor("drawn ")
        guard let time = Int(line.dropFirst(6)) else { throw ChildProcess.Failure("no time: \(line)") }
        return time
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
        guard let server = server as? XServer else { throw ChildProcess.Failure("xdotool needs an X server") }
        try await server.pointer(arguments)
    }

    /// A point of the window in pixels of the screen.
    private func pixel(_ x: Double, _ y: Double) -> (x: Int, y: Int) { (Int(x * scale), Int(y * scale)) }

    func click(_ x: Double, _ y: Double) async throws {
        try await server.move([pixel(x, y)], isDrag: false)
        try await server.click()
    }

    func click(_ x: Double, _ y: Double, button: Int) async throws {
        try await pointer("mousemove", "\(Int(x))", "\(Int(y))", "click", "\(button)")
    }

    func turnWheel(_ x: Double, _ y: Double) async throws {
        try await server.move([pixel(x, y)], isDrag: false)
        try await server.turnWheel()
    }

    /// Drags with the primary button, by some steps on the way.
    func drag(from start: HUDPoint, to end: HUDPoint) async throws {
        let middle = pixel((start.x + end.x) / 2, (start.y + end.y) / 2)
        try await server.move([pixel(start.x, start.y), middle, pixel(end.x, end.y)], isDrag: true)
    }

    /// What the screen shows now.
    func picture() async throws -> ScreenPicture { try await server.picture() }
}
