// SPDX-License-Identifier: MIT
// A large program as Debian ships it, with its widgets counted.

import Foundation
import RerenderModel
import TestSupport
import Testing

@Suite(
    "gtk4-widget-factory",
    .enabled(
        if: GTKWindow.obstacle == nil && WidgetFixture.obstacle == nil,
        "\(GTKWindow.obstacle ?? WidgetFixture.obstacle ?? "")"))
struct WidgetFactoryTests {
    @Test("shows its window, says the same and ends the same, and its widgets are counted and explained")
    func factory() async throws {
        let plain = try await GTKWindow.shown(preload: nil)
        let preload = try await ViewFixture.shared.library()
        let report = try TestFile.makeDirectory() + "/report"
        #expect(FileManager.default.createFile(atPath: report, contents: nil))
        let counted = try await GTKWindow.shown(preload: preload, report: report)
        #expect(plain.exit == counted.exit)
        #expect(plain.standardOutput == counted.standardOutput && plain.standardError == counted.standardError)
        let said = try String(contentsOfFile: report, encoding: .utf8)
        #expect(said.split(separator: "\n").contains { $0.hasSuffix(" widgets begun") }, "\(said)")
        #expect(!said.contains("full") && !said.contains("refused"), "\(said)")
    }
}
