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
        guard let node = Evaluation.current else { return }
        let tools = node.loop.tools
        guard let record = node.record else {
            // From now on there is one.
            _ = node.requiredRecord
            return tools.changesOutput(ChangesText.line(node, node.hasChildren ? nil : [EvaluationCause(.initial)]))
        }
        tools.changesOutput(ChangesText.line(node, record.latest))
    }

    /// Where changes are printed; to stderr at first.
    public var changesOutput: @MainActor (String) -> Void {
        get { tools.changesOutput }
        set { tools.changesOutput = newValue }
    }
}

/// Causes as lines of text.
@MainActor
enum ChangesText {
    /// A line for a view; nil stands for causes that nobody noted.
    static func line(_ node: Node, _ causes: [EvaluationCause]?) -> String {
        let name = node.reference.name
        guard let causes else { return "\(name): changed, and from the next time on it is known what." }
        guard !causes.isEmpty else { return "\(name): unchanged." }
        return "\(name): \(causes.map(text).joined(separator: ", ")) changed."
    }

    private static func text(_ cause: EvaluationCause) -> String {
        switch cause.kind {
        case .initial: "@identity"
        case .input: cause.name == "self" ? "@self" : "@self.\(cause.name)"
        case .observed: "@dependencies"
        case .graph: "@layout"
        case .further: "\(cause.name) more"
        case .state, .object, .environment: "_" + (cause.name.isEmpty ? cause.kind.rawValue : cause.name)
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
