// SPDX-License-Identifier: MIT
// The programs of Tests/Fixtures/Widgets, and whether they can be tried here.

import Foundation
import TestSupport

/// Compiles each C program once.
actor WidgetFixture {
    static let shared = WidgetFixture()
    private var compiled: [String: Task<String, any Error>] = [:]

    /// The library of this build that programs without Swift get.
    private static var part: String { "librerender-gtk.so" }

    /// Whether this build has the part for GTK: its archive has the entry, which Scripts/lib/inject looks for, too.
    private static let isBuilt: Bool = {
        guard let archive = try? Data(contentsOf: URL(filePath: ChildProcess.product("libRerenderGTK.a"))) else {
            return false
        }
        return archive.range(of: Data("rerender_gtk_inject".utf8)) != nil
    }()

    /// Why it cannot be tried here; nil if it can.
    static var obstacle: String? {
        if !isBuilt { return "built without the trait GTK" }
        let missing = ["cc", "pkg-config", "Xvfb", "xdotool"].filter { ChildProcess.path(of: $0) == nil }
        return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) is not installed"
    }

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/Widgets").standardized.path

    /// The program in Python.
    static let python = sources + "/widgets.py"

    /// A program in C by its name.
    func program(_ name: String = "widgets") async throws -> String {
        if let compiled = compiled[name] { return try await compiled.value }
        let task = Task { try await Self.compile(name) }
        compiled[name] = task
        return try await task.value
    }

    private static func compile(_ name: String) async throws -> String {
        let program = try TestFile.makeDirectory() + "/\(name)"
        let flags = try await ChildProcess.run([
            try ReleaseCost.path("pkg-config"), "--cflags", "--libs", "gtk4",
        ])
        let words = flags.standardOutput.split { $0.isWhitespace }.map(String.init)
        let output = try await ChildProcess.run(
            [try ReleaseCost.path("cc"), "-g", "-o", program, sources + "/\(name).c"] + words)
        guard flags.succeeded, output.succeeded else {
            throw ChildProcess.Failure("\(flags.standardError) \(output.standardError)")
        }
        return program
    }
}
