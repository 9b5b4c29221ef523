// SPDX-License-Identifier: MIT
// Pages over a root, of which the last is shown.

import Foundation

/// Pages over a root, of which the last is shown, below a line with its title.
///
///     NavigationStack {
///         List(items) { NavigationLink($0.name, value: $0) }
///             .navigationTitle("Items")
///             .navigationDestination(for: Item.self) { ItemPage(item: $0) }
///     }
///
/// The stack takes up the space that is proposed. Over the root, the line has a button, `< Back`, which scripts find as
/// `Back`. Without a title and over nothing, there is no line. A page that another one covers disappears and keeps its
/// state; one that is left is gone.
public struct NavigationStack<Root: View>: View {
    @State private var navigator = Navigator()
    private let path: Binding<[AnyHashable]>?
    private let root: Root

    /// Makes a stack that keeps its path itself.
    public init(@ViewBuilder root: () -> Root) {
        path = nil
        self.root = root()
    }

    /// Makes a stack whose path the program keeps, as values of one type.
    public init<Values: MutableCollection & RandomAccessCollection & RangeReplaceableCollection>(
        path: Binding<Values>, @ViewBuilder root: () -> Root
    ) where Values.Element: Hashable {
        self.path = path[dynamicMember: \.asHashables]
        self.root = root()
    }

    /// Makes a stack whose path the program keeps.
    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) {
        self.path = path[dynamicMember: \.values]
        self.root = root()
    }

    /// The line with the title, and the page in front.
    public var body: some View {
        let _ = navigator.path = path
        let pages = navigator.pages
        VStack(alignment: .leading) {
            NavigationBar(navigator: navigator, isOverRoot: !pages.isEmpty)
            Pages(selected: AnyHashable(pages.count), makesAll: true, content: content(pages))
                .frame(maxWidth: .infinity, maxHeight: .infinity)
        }
        .modifier(TitleFollower(navigator: navigator))
        .environment(\.navigator, navigator)
    }

    @ViewBuilder private func content(_ pages: [NavigationPage]) -> some View {
        root.tag(0)
        ForEach(pages) { page in
            page.content
                // Without a title of its own the page has none, whatever the one below has.
                .transformPreference(NavigationTitleKey.self) { $0 = $0 ?? "" }
                .tag(page.depth)
        }
    }
}

extension RangeReplaceableCollection where Element: Hashable {
    fileprivate var asHashables: [AnyHashable] {
        get { map { AnyHashable($0) } }
        set { self = Self(newValue.compactMap { $0.base as? Element }) }
    }
}

/// The line above the pages.
private struct NavigationBar: WrapperContent {
    let navigator: Navigator
    let isOverRoot: Bool

    var content: some View {
        HStack {
            if isOverRoot {
                Control(title: "Back", face: .link, label: Label("Back", systemImage: "chevron.left")) { event, _ in
                    guard event.kind == .tap else { return false }
                    navigator.pop()
                    return true
                }
            }
            NavigationTitle(navigator: navigator).font(.headline)
        }
    }
}
