// SPDX-License-Identifier: MIT
// The programs of Tests/Fixtures/Widgets, and whether they can be tried here.

import Foundation
import TestSupport

enum WidgetFixture {
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
        let missing = ["cc", "make", "pkg-config", "Xvfb", "xdotool"].filter { ChildProcess.path(of: $0) == nil }
        return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) is not installed"
    }

    /// The program in Python.
    static let python = Fixture.source("Widgets/widgets.py")
}

extension DisplayServer {
    /// Where the HUD's background is on the screen; nil where there is none.
    func hudBackground() async throws -> ScreenExtent? {
        let picture = try await picture()
        // In a small window it begins as a strip, which is header alone.
        return picture.extent(of: [0x18, 0x18, 0x1B]) ?? picture.extent(of: [0x27, 0x27, 0x2A])
    }
}
