// SPDX-License-Identifier: MIT
// A control for a line of text.

/// A line of text that the user edits: at its end, or anywhere in a field that a renderer has.
///
/// It reads the text itself: a view that only passes a binding on does not depend on it. A tap gives it the focus, so
/// that typed characters come here; without one the field that appeared first has it. Scripts find it by its title.
/// Shown as `[text_]`, with the title in place of an empty text.
public struct TextField: View {
    /// What deletes the last character: backspace, and delete as terminals send it.
    public nonisolated static let deletions: Set<Character> = ["\u{8}", "\u{7F}"]

    private let title: String
    @Binding private var text: String

    /// Makes a field for a text.
    public init(_ title: some StringProtocol, text: Binding<String>) {
        self.title = String(title)
        _text = text
    }

    /// The text between brackets.
    public var body: some View {
        let characters = text.isEmpty ? "[_\(title)]" : "[\(text)_]"
        Control(
            title: title, takesKeys: true, label: FaceView(face: .field(text, title: title), characters: characters)
        ) { event, _ in
            receive(event)
        }
    }

    private func receive(_ event: InputEvent) -> Bool {
        switch event.kind {
        case .tap: return true
        case .key(let character) where Self.deletions.contains(character):
            if !text.isEmpty { text.removeLast() }
        case .key(let character) where character.isPrinted: text.append(character)
        case .text(let edited): text = edited.filter(\.isPrinted)
        default: return false
        }
        return true
    }
}

extension Character {
    /// Whether it belongs in a line of text; what would end the line or command a terminal does not.
    fileprivate var isPrinted: Bool {
        !isNewline && unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
