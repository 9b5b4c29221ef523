// SPDX-License-Identifier: MIT
// A display without a screen: what a GTK program needs to show its window there and nowhere else, and what a person does to it.

import Foundation

/// Runs as long as it lives.
package protocol DisplayServer: AnyObject, Sendable {
    /// What is different for a program on this server: no session, and settings of its own.
    var environment: [String: String] { get }
    /// Its width, in pixels.
    var width: Int { get }

    /// What it shows now.
    func picture() async throws -> ScreenPicture
    /// Moves the pointer through these points, the first button held from the first one to the last where `isDrag`.
    func move(_ points: [(x: Int, y: Int)], isDrag: Bool) async throws
    /// Presses and releases the first button.
    func click() async throws
    /// Turns the wheel down by one step.
    func turnWheel() async throws
    /// Presses the keys of a text.
    func type(_ text: String) async throws
}

extension DisplayServer {
    /// The same for each server.
    static func environment(home: String) -> [String: String] {
        [
            "GSK_RENDERER": "cairo", "LIBGL_ALWAYS_SOFTWARE": "1", "HOME": home, "XDG_CONFIG_HOME": home,
            "XDG_CACHE_HOME": home, "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "LC_ALL": "C.UTF-8",
        ]
    }

    /// The environment of this process with what is different; no other server is left in it.
    package func whole(_ more: [String: String] = [:]) -> [String: String] {
        var all = ProcessInfo.processInfo.environment
        for name in ["DISPLAY", "WAYLAND_DISPLAY"] { all[name] = nil }
        return all.merging(environment) { $1 }.merging(more) { $1 }
    }

    /// Runs a tool of this server's to its end, which must be a good one.
    @discardableResult
    package func run(_ tool: String, _ arguments: [String]) async throws -> ChildProcess.Output {
        let output = try await ChildProcess.run([ChildProcess.installed(tool)] + arguments, environment: whole())
        guard output.succeeded else { throw ChildProcess.Failure("\(tool) \(arguments): \(output.standardError)") }
        return output
    }
}

/// The pixels of a screen.
package struct ScreenPicture: Sendable, Equatable {
    package let bytes: [UInt8]
    package let width: Int

    /// - Parameter path: A file of red, green and blue for each pixel.
    init(contentsOf path: String, width: Int) throws {
        bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        self.width = width
    }

    /// Red, green and blue of a pixel.
    package func pixel(_ x: Double, _ y: Double) -> [Int] {
        let place = (Int(y) * width + Int(x)) * 3
        return place >= 0 && place + 3 <= bytes.count ? bytes[place..<place + 3].map { Int($0) } : []
    }

    /// How much more red than green a pixel has.
    package func redness(_ x: Double, _ y: Double) -> Int {
        let pixel = pixel(x, y)
        return pixel.isEmpty ? 0 : pixel[0] - pixel[1]
    }

    /// The smallest rectangle that has all pixels of a colour; nil where there is none.
    package func extent(of color: [UInt8]) -> ScreenExtent? {
        var found: ScreenExtent?
        for place in stride(from: 0, to: bytes.count - 2, by: 3)
        where bytes[place] == color[0] && bytes[place + 1] == color[1] && bytes[place + 2] == color[2] {
            let (x, y) = (place / 3 % width, place / 3 / width)
            let known = found ?? ScreenExtent(minX: x, minY: y, maxX: x, maxY: y)
            found = ScreenExtent(
                minX: min(known.minX, x), minY: known.minY, maxX: max(known.maxX, x), maxY: y)
        }
        return found
    }
}

/// A rectangle of pixels: the first and the last of them.
package struct ScreenExtent: Sendable, Equatable {
    package let minX: Int
    package let minY: Int
    package let maxX: Int
    package let maxY: Int
}
