// SPDX-License-Identifier: MIT
// A program as Debian ships it, in a window under a window manager, with pointer and keys.

import Foundation
import RerenderModel
import TestSupport
import Testing

/// Ends with the test.
struct Desktop {
    let lab: InjectionLab
    let server: XServer
    let app: ChildProcess
    /// The file in which the library tells what became of the process.
    private let report: String
    /// The number of its window.
    let window: String

    /// Why a program cannot be tried here; nil if it can.
    static func obstacle(_ programs: String...) -> String? {
        if let obstacle = WidgetFixture.obstacle { return obstacle }
        let missing = (programs + ["openbox", "import"]).filter { ChildProcess.path(of: $0) == nil }
        return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) is not installed"
    }

    /// Starts a program with a counter of its own, and waits until its window is there. The screen is wider than each of them.
    ///
    /// - Parameters:
    ///   - isInjected: Whether Rerender counts beside the counter.
    ///   - hud: The corner in which the HUD begins; none where it is empty.
    init(_ program: String, isInjected: Bool = true, hud: String = "") async throws {
        (lab, server) = (try await InjectionLab(), try await XServer(width: 1_600, isManaged: true))
        let counter = try await Fixture.made("c/counter.so")
        var environment = server.environment
        report = try TestFile.makeDirectory() + "/report"
        try TestFile.write([], to: report)
        environment["RERENDER_HUD"] = hud
        environment["RERENDER_INJECT_REPORT"] = report
        environment["LD_PRELOAD"] = isInjected ? "\(counter):\(try await Fixture.preload())" : counter
        app = try await lab.start([try ReleaseCost.path(program)], environment)
        let server = server
        window = try await eventually("the window of \(program)") {
            // It fails as long as there is none.
            let found = try? await server.pointer(["search", "--onlyvisible", "--class", program])
            return found?.split(separator: "\n").last.map(String.init)
        }
    }

    /// Where the window is, with its shadows and borders: the left and upper edges, width and height.
    func place() async throws -> [Int] {
        let lines = try await server.pointer(["getwindowgeometry", "--shell", window]).split(separator: "\n")
        return try ["X=", "Y=", "WIDTH=", "HEIGHT="].map { name in
            let line = try #require(lines.first { $0.hasPrefix(name) })
            return try #require(Int(line.dropFirst(name.count)))
        }
    }

    /// Moves the pointer to a point of the window, by more than one step: a pointer that was there before has come, too.
    func point(_ x: Int, _ y: Int) async throws {
        let place = try await place()
        try await server.move([(place[0] + x - 2, place[1] + y), (place[0] + x, place[1] + y)], isDrag: false)
    }

    /// Does something again and again until a widget was drawn for a reason that has a text in it.
    func reason(_ text: String, of key: String, _ act: () async throws -> Void = {}) async throws {
        try await lab.daemon.http.eventually("\(text) of \(key)", seen: { try self.reasons()[key] ?? [] }) {
            if try reasons()[key]?.contains(where: { $0.contains(text) }) == true { return () as Void? }
            try await act()
            return nil
        }
    }

    /// Why each kind of widget was drawn.
    func reasons() throws -> [String: [String]] {
        let views = try lab.views(of: app)
        return Dictionary(views.map { ($0.key.rawValue, $0.reasons.map(\.reason)) }, uniquingKeysWith: +)
    }

    /// What the library told of it.
    func told() throws -> String { try String(contentsOfFile: report, encoding: .utf8) }

    /// Ends it, and returns what it said.
    func end() async -> ChildProcess.Output {
        app.kill(SIGTERM)
        return await app.finish()
    }
}
