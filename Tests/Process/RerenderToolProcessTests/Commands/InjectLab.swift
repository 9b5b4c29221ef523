// SPDX-License-Identifier: MIT
// What `--inject` is tried with.

import Foundation
import TestSupport
@testable import ToolSupport

/// Programs with views, each with its path.
struct InjectViews {
    /// Where the app and the libraries of its framework lie.
    let directory: String
    var app: String { directory + "/App" }
    /// Its protocol of views is called `Odd.Screen`.
    let screens: String
    let withStaticRuntime: String
}

/// The libraries and programs, made before the first test runs.
enum InjectLab {
    private static let prepared = Task {
        try await Fixture.preload()
        let app = try await Fixture.made("views/release/App")
        return try await InjectViews(
            directory: URL(filePath: app).deletingLastPathComponent().path, screens: Fixture.made("alone/none/Odd"),
            withStaticRuntime: Fixture.made("alone/static/Odd"))
    }
    static func ready() async throws -> InjectViews { try await prepared.value }

    static let build = URL(fileURLWithPath: Program.rerenderctl).resolvingSymlinksInPath().deletingLastPathComponent()
        .path
    static let nothing = "no process had a widget of GTK 4, or a type that conforms to View"
}
