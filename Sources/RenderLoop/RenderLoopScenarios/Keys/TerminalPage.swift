// SPDX-License-Identifier: MIT
// What a terminal shows while a user operates a screen.

/// The text that draws a page over the one before.
package enum TerminalPage {
    /// The page, with the control sequences that put it in place.
    ///
    /// - Parameters:
    ///   - title: What is shown.
    ///   - screen: The committed screen.
    ///   - focus: The controls, of which the one with the focus is marked.
    ///   - note: What the last step did.
    ///   - columns: How wide the terminal is; longer lines are cut.
    ///   - lines: How high it is; further lines are left out.
    package static func text(
        title: String, screen: String, focus: Focus, note: StepNote, columns: Int, lines: Int
    ) -> String {
        let width = max(columns - 1, 1)
        let all =
            [title, ""] + screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            + ["", controls(focus), note.line(columns: width), "", keys(focus)]
        let visible = all.prefix(max(lines - 1, 1)).map { String($0.prefix(width)) + clearsLine }
        return home + visible.joined(separator: "\n") + clearsBelow
    }

    private static func controls(_ focus: Focus) -> String {
        focus.controls.enumerated().map { index, control in
            index == focus.index ? "▸\(control.name)◂" : " \(control.name) "
        }.joined(separator: " ")
    }

    /// What the keys do where the focus is: a field takes `q` as a text.
    private static func keys(_ focus: Focus) -> String {
        switch focus.control?.kind {
        case .button: "tab, arrows: focus   enter, space: tap   q: quit"
        case .slider: "tab, up, down: focus   left, right: slide   q: quit"
        case .field: "tab, arrows: focus   characters: type   Ctrl-C: quit"
        case nil: "q: quit"
        }
    }

    private static let home = "\u{1B}[H"
    private static let clearsLine = "\u{1B}[K"
    private static let clearsBelow = "\u{1B}[J"
}
