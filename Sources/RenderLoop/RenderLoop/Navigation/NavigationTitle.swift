// SPDX-License-Identifier: MIT
// The title of a page, from the page up to the navigation stack.

struct NavigationTitleKey: PreferenceKey {
    static var defaultValue: String? { nil }

    /// The last is in front.
    static func reduce(value: inout String?, nextValue: () -> String?) { value = nextValue() ?? value }
}

/// The title of a navigation stack; the stack sets what its layer shows.
struct NavigationTitle: LayerView {
    let navigator: Navigator

    func configure(_ layer: Layer) {
        navigator.titleLayer = layer
        layer.content = navigator.titleContent
    }
}

/// Shows the title of the page in front, without a handler and before the first layout.
struct TitleFollower: CommonModifier {
    let navigator: Navigator

    static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
        FollowingNode(view, in: context) { $0.content }
    }

    private final class FollowingNode<Content: View>: ModifierNode<TitleFollower, Content>, PreferenceFollower {
        private var isScheduled = false

        func preferenceDidChange(_ key: ObjectIdentifier?, at node: Node) {
            let titles = ObjectIdentifier(NavigationTitleKey.self)
            guard key == nil || key == titles else { return }
            // What appears is not yet below this node; the last to appear is most likely in front.
            if key == titles, node.isMounted, let title = (node as? any PreferenceSource)?.preference(titles) as? String
            {
                view.modifier.navigator.show(title: title)
            }
            guard !isScheduled else { return }
            isScheduled = true
            graph.afterEvaluation { [self] in
                isScheduled = false
                if isMounted { view.modifier.navigator.show(title: reduced(NavigationTitleKey.self)) }
            }
        }
    }
}

extension View {
    /// Sets the title that the ``NavigationStack`` around shows while the view is on its page in front.
    public func navigationTitle(_ title: some StringProtocol) -> some View {
        preference(key: NavigationTitleKey.self, value: String(title))
    }

    /// Sets the title that the ``NavigationStack`` around shows while the view is on its page in front.
    public func navigationTitle(_ title: Text) -> some View { navigationTitle(title.string) }
}
