// SPDX-License-Identifier: MIT
// Prints why a body is evaluated, as `Self._printChanges()` does.

extension RenderLoop {
    /// Prints what has changed for the body that is being evaluated; to be called in a body.
    ///
    ///     var body: some View {
    ///         let _ = RenderLoop.printChanges()
    ///
    /// `EpisodesView: _model.isMyFavourite changed.` names state, objects and the environment by the view's property;
    /// `@self` is an input, followed by its name; `@identity` says that the view is new; `@dependencies` are properties
    /// of `@Observable` models; `@layout` is a size. Goes to ``changesOutput``. Outside of an evaluation, nothing happens.
    public static func printChanges() {
        guard let node = CurrentEvaluation.current else { return }
        let tools = node.loop.tools
        guard let record = node.record else {
            // From now on there is one.
            _ = node.requiredRecord
            return tools.changesOutput(
                ChangesText.line(node.reference, node.hasChildren ? nil : [EvaluationReason(.initial)]))
        }
        tools.changesOutput(ChangesText.line(node.reference, record.latest))
    }

    /// Whether each evaluation and its reasons are printed to ``changesOutput``; false at first.
    public var printChanges: Bool {
        get { tools.printing != nil }
        set {
            guard newValue != printChanges else { return }
            tools.printing?.cancel()
            tools.printing = nil
            guard newValue else { return }
            tools.printing = observe { [tools] event in
                guard case .evaluated(let node, let reasons) = event else { return }
                tools.changesOutput(ChangesText.line(node, reasons))
            }
        }
    }

    /// Where changes are printed; to stderr at first.
    public var changesOutput: @MainActor (String) -> Void {
        get { tools.changesOutput }
        set { tools.changesOutput = newValue }
    }
}

extension View {
    /// Prints what has changed for the body that is being evaluated, as ``RenderLoop/RenderLoop/printChanges()`` does.
    ///
    ///     var body: some View {
    ///         let _ = Self._printChanges()
    public static func _printChanges() { RenderLoop.printChanges() }
}

/// Causes as lines of text.
@MainActor
enum ChangesText {
    /// A line for a view; nil stands for unknown reasons.
    static func line(_ node: NodeReference, _ reasons: [EvaluationReason]?) -> String {
        let name = node.name
        guard let reasons else { return "\(name): changed, and from the next time on it is known what." }
        guard !reasons.isEmpty else { return "\(name): unchanged." }
        return "\(name): \(reasons.map(text).joined(separator: ", ")) changed."
    }

    private static func text(_ reason: EvaluationReason) -> String {
        switch reason.kind {
        case .initial: "@identity"
        case .input: reason.name == "self" ? "@self" : "@self.\(reason.name)"
        case .observed: "@dependencies"
        case .graph: "@layout"
        case .further: "\(reason.name) more"
        case .state, .object, .environment: "_" + (reason.name.isEmpty ? reason.kind.rawValue : reason.name)
        }
    }
}

extension Node {
    /// A body that was evaluated before has left children.
    fileprivate var hasChildren: Bool {
        var hasAny = false
        forEachChild { _ in hasAny = true }
        return hasAny
    }
}
