// SPDX-License-Identifier: MIT
// A reaction to the first appearance of a view.

extension View {
    /// Runs an action after the evaluation in which the view appeared for the first time, before that is committed.
    ///
    /// First is meant for the view's identity: a view with another ``View/id(_:)``, one that comes back in its branch, and a
    /// row that is scrolled back into sight are new ones. A view that keeps its identity never disappears in this graph,
    /// so that `onAppear` runs as often; with SwiftUI it also runs when a tab or a page is shown again.
    public func onFirstAppear(perform action: @escaping @MainActor () -> Void) -> ModifiedContent<Self, AppearModifier>
    {
        modifier(AppearModifier(action: action, kind: "onFirstAppear"))
    }
}
