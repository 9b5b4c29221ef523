// SPDX-License-Identifier: MIT
// The page by the rules of axe-core, which Scripts/lib/fetch-checkers fetches.

import Foundation
import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

/// The checker's script.
private enum PageChecker {
    static let file = Checkout.url(".build/axe/axe.min.js")

    static var isThere: Bool { FileManager.default.fileExists(atPath: file.path) }
}

@Suite(
    .serialized, .enabled(if: PageBrowser.isInstalled, "needs chromium"),
    .enabled(if: PageChecker.isThere, "needs axe-core: run Scripts/lib/fetch-checkers"))
struct PageAccessibilityTests {
    private struct Answer: Decodable {
        let light: [String]
        let dark: [String]
        let rules: Int
    }

    /// Opens everything that can be opened, and checks the page in both themes; `change` is done first.
    private static func check(_ change: String = "") async throws -> Answer {
        try await PageBrowser.ask(
            .twoProcesses(), also: String(contentsOf: PageChecker.file, encoding: .utf8),
            """
            const lanes = byID("lanes"), answer = { rules: 0 };
            for (const details of $$("details")) details.open = true;
            for (const key of [".", "m", "p"]) await press(lanes, key);
            $$("#views-table [data-view]")[0].click();
            await point(byID("lanes-canvas"), "pointermove", placeOf("Root", 104e6));
            \(change)
            for (const theme of ["light", "dark"]) {
              byID("theme").value = theme;
              byID("theme").dispatchEvent(new Event("change"));
              await later();
              const found = await axe.run(document);
              answer[theme] = found.violations.map((rule) => rule.id + ": " + rule.nodes.map((node) => node.html.slice(0, 100)).join(", "));
              answer.rules += found.passes.length;
            }
            return answer;
            """)
    }

    @Test("no rule of axe-core is broken, in light and in dark, with everything open and selected")
    func page() async throws {
        let answer = try await Self.check()
        #expect(answer.light.isEmpty)
        #expect(answer.dark.isEmpty)
        #expect(answer.rules > 60, "the checker looked")
    }

    @Test("the checker finds a field without a name and a text that is too pale")
    func checkerWorks() async throws {
        let answer = try await Self.check(
            """
            document.querySelector("label[for=process]").remove();
            byID("span-text").style.color = "#9ab";
            """)
        #expect(answer.light.contains { $0.hasPrefix("select-name") })
        #expect(answer.light.contains { $0.hasPrefix("color-contrast") })
    }
}
