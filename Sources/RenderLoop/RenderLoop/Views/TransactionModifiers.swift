// SPDX-License-Identifier: MIT
// Modifiers that change the transactions of what is in the view.

/// Changes the transactions of the layers in the view: always, or in the updates in which a value is another one.
struct TransactionModifier<Value: Equatable>: CommonModifier {
    /// What is compared; nil for always.
    let value: Value?
    let transform: @MainActor (inout Transaction) -> Void

    static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        TransactionNode(view, in: context) { $0.content }
    }

    private final class TransactionNode<Content: View>: ModifierNode<TransactionModifier, Content>, TransactionScope {
        /// The commit before which the value last became another one.
        private var valueCommit = NodeMark.none

        override func didMount() {
            graph.transactionNodes += 1
            super.didMount()
        }

        override func willUnmount() { graph.transactionNodes -= 1 }

        override func viewDidChange(from old: ModifiedContent<Content, TransactionModifier>) {
            if old.modifier.value != view.modifier.value { valueCommit = graph.nextCommit }
            super.viewDidChange(from: old)
        }

        func change(_ transaction: inout Transaction) {
            guard view.modifier.value == nil || valueCommit == graph.nextCommit else { return }
            view.modifier.transform(&transaction)
        }
    }
}

extension View {
    /// Has changes in the view shown with an animation, in the updates in which a value is another one than before.
    ///
    /// It takes the place of an animation that the change of state brings along; nil shows the changes at once. Views that
    /// appear are shown at once.
    public func animation<Value: Equatable>(_ animation: Animation?, value: Value) -> some View {
        modifier(
            TransactionModifier(value: .some(value)) {
                if !$0.disablesAnimations { $0.animation = animation }
            })
    }

    /// Changes the transactions of all updates in the view, on their way to the commit.
    public func transaction(_ transform: @escaping @MainActor (inout Transaction) -> Void) -> some View {
        modifier(TransactionModifier<Bool>(value: nil, transform: transform))
    }

    /// Changes the transactions in the view, in the updates in which a value is another one than before.
    public func transaction<Value: Equatable>(
        value: Value, _ transform: @escaping @MainActor (inout Transaction) -> Void
    ) -> some View {
        modifier(TransactionModifier(value: .some(value), transform: transform))
    }
}

extension Binding {
    /// A binding whose writes carry a transaction.
    @MainActor
    public func transaction(_ transaction: Transaction) -> Binding {
        let location = location
        return Binding(get: { location.value }, set: { new in withTransaction(transaction) { location.value = new } })
    }

    /// A binding whose writes are to be shown with an animation.
    @MainActor
    public func animation(_ animation: Animation? = .default) -> Binding {
        transaction(Transaction(animation: animation))
    }
}
