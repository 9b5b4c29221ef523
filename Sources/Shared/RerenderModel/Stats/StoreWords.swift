// SPDX-License-Identifier: MIT
// The words for what a store counts: a view is evaluated, and a widget is drawn.

/// The words for the views of a store.
package struct StoreWords: Hashable, Sendable {
    /// Whether they are widgets of GTK.
    package let areWidgets: Bool

    package init(_ kind: StoreKind?) { areWidgets = kind == .widgets }

    package init(areWidgets: Bool) { self.areWidgets = areWidgets }

    /// The words for the rows of several stores: those of widgets where there are no other views.
    package init(_ stores: some Sequence<ProcessStats>) {
        let kinds = stores.map(\.kind).filter { $0 != .loop }
        areWidgets = !kinds.isEmpty && kinds.allSatisfy { $0 == .widgets }
    }

    /// What a row is.
    package var noun: String { areWidgets ? "widget" : "view" }
    /// What is counted of it.
    package var event: String { areWidgets ? "drawing" : "evaluation" }
    /// The column of its average time in `top`.
    package var time: String { areWidgets ? "DRAW" : "BODY" }
    /// What happened to it.
    package var participle: String { areWidgets ? "drawn" : "evaluated" }

    /// `3 drawings`.
    package func events(_ count: UInt64) -> String { Counted.text(count, event) }
}
