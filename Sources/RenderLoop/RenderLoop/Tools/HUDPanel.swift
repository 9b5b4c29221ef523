// SPDX-License-Identifier: MIT
// `.rerenderHUD()`: what the store of a screen counts, in a corner of the screen.

@_spi(Bridge) package import Rerender

extension View {
    /// Shows in a corner of the screen what the `RerenderStore` of the view's environment counts, while the view is there.
    ///
    ///     ContentView().rerenderHUD().rerenderStore(store)
    ///
    /// In a window it is the HUD of Rerender for GTK. As characters it is a text in front of everything, with what costs most, and the
    /// eight views that were evaluated most, their counts and those of wasted evaluations. It takes part in no layout and no input, and
    /// counts for nothing. Of several, the one that appeared last is shown. In a release build it is the view itself.
    public func rerenderHUD(alignment: Alignment = .topTrailing) -> some View {
        #if RERENDER_PROBES
            return modifier(HUDModifier(alignment: alignment))
        #else
            return self
        #endif
    }
}

/// A window that has a HUD of its own.
@MainActor
package protocol HUDHost: AnyObject {
    /// Shows it. Without a store, it shows the one that it showed last.
    func showHUD(of store: RerenderStore?, at alignment: Alignment)
    /// Takes it away.
    func hideHUD()
    /// Says whether views flash that are evaluated again, so that what they are drawn with need not.
    func highlightsViews(_ isOn: Bool)
}

extension RenderLoop {
    /// Has a window show the HUD that views ask for. It is not kept alive.
    package func setHUDHost(_ host: any HUDHost) { tools.hud.host = host }
}

#if RERENDER_PROBES
    struct HUDModifier: CommonModifier {
        let alignment: Alignment

        static func makeNode<V: View>(_ view: Modified<V>, in context: NodeContext) -> ViewNode<Modified<V>> {
            HUDNode(view, in: context) { $0.content }
        }

        private final class HUDNode<Content: View>: ModifierNode<HUDModifier, Content> {
            override func didMount() {
                loop.tools.hud.show(environment.values.rerenderStore, at: view.modifier.alignment, for: self)
                super.didMount()
            }

            override func willUnmount() { loop.tools.hud.hide(for: self) }
        }
    }
#endif

/// The HUD of one loop. As characters it is a layer without a view.
@MainActor
final class HUDPanel {
    private struct Request {
        let store: RerenderStore?
        let alignment: Alignment
        let node: UInt64
    }

    /// Shows the HUD instead, where there is one.
    weak var host: (any HUDHost)?
    private var request: Request?
    private weak var loop: RenderLoop?
    private var panel: Layer?
    /// How many evaluations there were when the text was made, and whether the commit has said since then what was wasted.
    private var told: UInt64?
    private var isStale = false

    func show(_ store: RerenderStore?, at alignment: Alignment, for node: Node) {
        request = Request(store: store, alignment: alignment, node: node.serial)
        (loop, told) = (node.loop, nil)
        host?.showHUD(of: store, at: alignment)
    }

    func hide(for node: Node) {
        guard request?.node == node.serial else { return }
        request = nil
        end()
        host?.hideHUD()
    }

    func end() {
        panel?.detach()
        panel = nil
    }

    /// The layer with the text, in its place; nil where none is shown.
    func layer(over root: Layer) -> Layer? {
        guard host == nil, let request, let loop, let tree = root.owningTree else { return nil }
        let layer = panel ?? made(in: tree)
        let isNew = told != loop.evaluations
        if isNew || isStale { layer.content = .text(HUDLines.text(of: request.store)) }
        // This turn's commit says what was wasted: the next turn tells that.
        isStale = isNew
        told = loop.evaluations
        if isNew { loop.driver.wake() }
        if case .text(let text) = layer.content {
            place(layer, TextMetrics.size(of: text), request.alignment, in: root)
        }
        return layer
    }

    private func place(_ layer: Layer, _ size: CellSize, _ alignment: Alignment, in root: Layer) {
        let screen = root.frame.size
        let shown = CellSize(width: min(size.width, screen.width), height: min(size.height, screen.height))
        layer.frame = CellRect(origin: alignment.origin(of: shown, in: screen), size: shown)
    }

    private func made(in tree: LayerTree) -> Layer {
        let layer = Layer(owner: nil)
        layer.attach(to: tree)
        panel = layer
        return layer
    }
}
