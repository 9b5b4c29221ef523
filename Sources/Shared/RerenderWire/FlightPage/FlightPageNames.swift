// SPDX-License-Identifier: MIT
// The names of flight pages: of their files, and of the event handlers in them.

import RerenderModel

/// The name of a flight page: `PID.page` for a process's first copy of the library, `PID.COPY.page` for its others.
package struct FlightPageName: Hashable, Sendable {
    /// The process's number, as it sees it itself.
    package let pid: Int32
    /// Which copy of the library in the process; 0 is the first. After an `exec` the numbers go on.
    package let copy: UInt32

    package init(pid: Int32, copy: UInt32) {
        self.pid = pid
        self.copy = copy
    }

    /// Reads a name; nil if it is not exactly one of a page.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let pid = Int32(parts[0]), pid > 0,
            let copy = parts.count == 3 ? UInt32(parts[1]) : 0
        else { return nil }
        self.init(pid: pid, copy: copy)
        guard self.text == text else { return nil }
    }

    /// The file's name.
    package var text: String { copy == 0 ? "\(pid).page" : "\(pid).\(copy).page" }

    /// The name that a page's file has until it says everything: then it takes the place of the file of that page before.
    package static func unfinished(_ name: String) -> String { name + unfinishedEnding }

    /// The page whose file has not got its name yet; nil if that is no such name.
    package static func ofUnfinished(_ text: String) -> FlightPageName? {
        text.hasSuffix(unfinishedEnding) ? FlightPageName(String(text.dropLast(unfinishedEnding.count))) : nil
    }

    private static let unfinishedEnding = ".new"
}

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
