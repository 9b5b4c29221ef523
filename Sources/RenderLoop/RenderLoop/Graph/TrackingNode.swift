// SPDX-License-Identifier: MIT
// The node of a modifier that reads models and the environment without evaluating its content.

/// Runs ``look()`` under tracking when the view appears or gets a new value, and when something that it read changes.
class TrackingNode<Modifier: ViewModifier, Content: View>: ModifierNode<Modifier, Content> {
    private var reads = ReadTracker()

    /// What the modifier does; its reads are tracked.
    func look() {}

    override func didMount() {
        track()
        super.didMount()
    }

    override func viewDidChange(from old: ModifiedContent<Content, Modifier>) {
        track()
        super.viewDidChange(from: old)
    }

    override func evaluate() {
        isQueued = false
        forgetReasons()
        track()
    }

    override func willUnmount() { reads.end() }

    private func track() {
        CurrentEvaluation.run(self) { reads.track(self, view) { look() } }
    }
}
