// SPDX-License-Identifier: MIT
// Asynchronous work for as long as a view is shown.

/// Starts a task when the view appears, and cancels it when the view disappears.
package struct TaskModifier<ID: Equatable>: PrimitiveModifier {
    let id: ID
    let priority: TaskPriority
    let action: @MainActor () async -> Void

    /// A node that has the task.
    package static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        TaskNode(view, in: context) { $0.content }
    }

    private final class TaskNode<Content: View>: AppearanceNode<TaskModifier, Content> {
        private lazy var handler = Handler("task", of: self, isLimited: false)
        private var task: Task<Void, Never>?

        override func shownDidChange() {
            cancel()
            if isShown { start() }
        }

        override func viewDidChange(from old: ModifiedContent<Content, TaskModifier>) {
            if isShown, old.modifier.id != view.modifier.id {
                cancel()
                start()
            }
            super.viewDidChange(from: old)
        }

        private func start() {
            handler.schedule { [weak self] in
                guard let self, isShown else { return }
                cancel()
                let action = view.modifier.action
                task = Task(priority: view.modifier.priority) { @MainActor in await action() }
            }
        }

        private func cancel() {
            task?.cancel()
            task = nil
        }
    }
}

extension View {
    /// Runs asynchronous work from when the view has appeared; it is cancelled when the view disappears.
    ///
    /// The task is made before the first commit, and runs when the main actor is free.
    public func task(
        priority: TaskPriority = .userInitiated, _ action: @escaping @MainActor () async -> Void
    ) -> some View {
        modifier(TaskModifier(id: 0, priority: priority, action: action))
    }

    /// Runs asynchronous work from when the view has appeared; it is cancelled when the view disappears, and also begins
    /// anew after an evaluation with another id.
    public func task<ID: Equatable>(
        id: ID, priority: TaskPriority = .userInitiated, _ action: @escaping @MainActor () async -> Void
    ) -> some View {
        modifier(TaskModifier(id: id, priority: priority, action: action))
    }
}
