// SPDX-License-Identifier: MIT
// The names of event handlers, whole and as a flight page has them.

import RerenderModel

/// An event handler by its name, and the view that it is of.
package struct HandlerName: Hashable, Sendable {
    /// The view's key; nil where the handler is of no view.
    package let view: String?
    package let name: String

    package init(view: String?, name: String) {
        (self.view, self.name) = (view, name)
    }

    /// Stands for the handlers that a store had no room for.
    package static let others = HandlerName(view: nil, name: "other handlers")

    /// `Toolbar: click on Save`.
    package var text: String { view.map { "\($0): \(name)" } ?? name }

    /// What stands between the two on a page: no name has it there.
    private static let separator: Character = "\u{1F}"
    private static let ellipsis = "…"

    /// The name as a page has it: at most ``LoopLayout/keyBytes`` bytes; a part that is cut says so.
    package var pageText: String {
        let view = view.map { $0.map { $0 == Self.separator ? " " : String($0) }.joined() }
        guard let view else { return Self.cut(name, to: LoopLayout.keyBytes) }
        let room = LoopLayout.keyBytes - 1
        // The name comes first where both are long: it says more of the hang than the view.
        let least = room / 2
        let forView = max(least, room - name.utf8.count)
        let shown = Self.cut(view, to: forView)
        return shown + String(Self.separator) + Self.cut(name, to: room - shown.utf8.count)
    }

    /// The name as a page says it; nil where it says none.
    package init?(pageText: String) {
        guard !pageText.isEmpty else { return nil }
        let parts = pageText.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        self.init(view: parts.count == 2 ? String(parts[0]) : nil, name: String(parts[parts.count - 1]))
    }

    /// Whether a part of it was cut for the page.
    package var isCut: Bool { name.hasSuffix(Self.ellipsis) || view?.hasSuffix(Self.ellipsis) == true }

    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        return text.prefix(utf8Bytes: limit - ellipsis.utf8.count) + ellipsis
    }
}
