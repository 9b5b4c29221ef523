// SPDX-License-Identifier: MIT
// What one navigation stack shows, for the links and titles in it.

import Observation

/// A page over the root.
struct NavigationPage: Identifiable {
    /// How many pages are below, the root included.
    let depth: Int
    let content: AnyView

    var id: Int { depth }
}

/// What the views in a navigation stack reach of it.
@MainActor
@Observable
final class Navigator {
    /// Values whose pages are over the root, where the program keeps no path.
    private var values: [AnyHashable] = []
    /// Views that links have pushed, over those.
    private var views: [AnyView] = []
    /// The program's path, if there is one.
    @ObservationIgnored var path: Binding<[AnyHashable]>?
    /// Makes views of values, by the values' types.
    private var destinations: [ObjectIdentifier: @MainActor (Any) -> AnyView] = [:]
    /// The layer that shows the title.
    @ObservationIgnored weak var titleLayer: Layer?
    @ObservationIgnored private var title = ""

    private var shownValues: [AnyHashable] {
        get { path?.wrappedValue ?? values }
        set {
            if let path { path.wrappedValue = newValue } else { values = newValue }
        }
    }

    /// The pages over the root. A value of a type without a destination has an empty one.
    var pages: [NavigationPage] {
        let all = shownValues.map(view) + views
        return all.enumerated().map { NavigationPage(depth: $0.offset + 1, content: $0.element) }
    }

    private func view(of value: AnyHashable) -> AnyView {
        destinations[ObjectIdentifier(type(of: value.base))]?(value.base) ?? AnyView(EmptyView())
    }

    func push(_ value: AnyHashable) {
        // What lies over the values would lie over this one, too.
        if views.isEmpty { shownValues.append(value) } else { views.append(view(of: value)) }
    }

    func push(_ view: AnyView) { views.append(view) }

    /// Goes back a page.
    func pop() {
        if !views.isEmpty {
            views.removeLast()
        } else if !shownValues.isEmpty {
            shownValues.removeLast()
        }
    }

    /// Makes views of the values of a type from now on.
    func register<Value>(_ type: Value.Type, _ make: @escaping @MainActor (Value) -> AnyView) {
        destinations[ObjectIdentifier(type)] = { value in (value as? Value).map(make) ?? AnyView(EmptyView()) }
    }

    // MARK: The title

    /// Shows a title without evaluating anything.
    func show(title: String?) {
        self.title = title ?? ""
        titleLayer?.content = titleContent
    }

    /// What shows the title; nothing for none, which takes up no line.
    var titleContent: LayerContent { title.isEmpty ? .none : .text(title) }
}

private struct NavigatorKey: EnvironmentKey {
    static var defaultValue: Navigator? { nil }
}

extension EnvironmentValues {
    /// The nearest navigation stack.
    var navigator: Navigator? {
        get { self[NavigatorKey.self] }
        set { self[NavigatorKey.self] = newValue }
    }
}
