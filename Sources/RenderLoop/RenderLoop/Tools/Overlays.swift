// SPDX-License-Identifier: MIT
// Layers of the tools, over a view for a while or in front of everything, and the number of evaluations on them.

@_spi(Bridge) public import Rerender

/// Something that is shown over a view for a while.
enum OverlayEffect: Hashable {
    /// A red line around the view.
    case pulse
    /// A flash, which fades out: red over all of the view for an evaluation that changed what is drawn, orange for one that did not; with a
    /// number.
    case evaluated, wasted

    /// Whether it tells of an evaluation.
    var isHighlight: Bool { self == .evaluated || self == .wasted }

    /// Nanoseconds.
    var duration: UInt64 {
        switch self {
        case .evaluated, .wasted: 300_000_000
        case .pulse: 1_000_000_000
        }
    }

    @MainActor var content: LayerContent {
        switch self {
        case .evaluated: .fill(.red)
        case .wasted: .fill(.orange)
        case .pulse: .border(.red, points: 3)
        }
    }

    /// How much is left after a part of the duration.
    func opacity(after elapsed: UInt64) -> Float {
        switch self {
        case .evaluated, .wasted: 0.3 * rest(after: elapsed)
        case .pulse: 1
        }
    }

    /// Fast at first, slow at the end.
    private func rest(after elapsed: UInt64) -> Float {
        let left = 1 - min(1, Float(elapsed) / Float(duration))
        return left * left
    }

    /// How much of its number is left. Never all: a renderer of controls lets clicks through what is seen through.
    func numberOpacity(after elapsed: UInt64) -> Float { 0.9 * rest(after: elapsed) }

    /// Where it lies over a view. A line of cells is beside the view, where the screen has room for it; other lines are thin.
    func frame(over view: CellRect, on screen: CellSize, isOfCells: Bool) -> CellRect {
        guard self == .pulse, isOfCells else { return view }
        let (left, top) = (max(0, view.origin.x - 1), max(0, view.origin.y - 1))
        let right = max(left, min(screen.width, view.origin.x + view.size.width + 1))
        let bottom = max(top, min(screen.height, view.origin.y + view.size.height + 1))
        return CellRect(origin: CellPoint(x: left, y: top), size: CellSize(width: right - left, height: bottom - top))
    }
}

/// The overlays of a loop. They take no part in the layout, take no input, and are nothing that a view draws, so that
/// showing them changes no count.
@MainActor
final class LayerOverlays {
    /// The most overlays that are shown at once; a reader cannot tell more apart.
    static let limit = 1024
    /// The most of them that tell of evaluations.
    static let highlightLimit = 200

    private struct Key: Hashable {
        let node: ObjectIdentifier
        let effect: OverlayEffect
    }

    private struct Overlay {
        // The key is by address, which holds for as long as the node does.
        let node: Node
        let effect: OverlayEffect
        let layer: Layer
        /// In the order in which they lie over one another.
        let serial: UInt64
        var begin: UInt64
        /// What is said at its upper left; nil for nothing.
        var number: OverlayNumber?
    }

    private var overlays: [Key: Overlay] = [:]
    private var inOrder: [Overlay] { overlays.values.sorted { $0.serial < $1.serial } }
    private var serial: UInt64 = 0
    private var highlights = 0
    private var link: DisplayLink?
    /// How many were not shown because there were too many.
    private(set) var dropped: UInt64 = 0
    /// Told once, until all are gone.
    private var hasWarned = false

    /// Tells of an evaluation of a view, from the next commit on.
    func highlight(_ node: Node, isWasted: Bool, count: UInt64) {
        let (effect, other): (OverlayEffect, OverlayEffect) =
            isWasted ? (.wasted, .evaluated) : (.evaluated, .wasted)
        remove(Key(node: ObjectIdentifier(node), effect: other))
        show(effect, over: node)
        let key = Key(node: ObjectIdentifier(node), effect: effect)
        guard overlays[key] != nil, node.loop.graph.layers.metrics != nil else { return }
        let number = overlays[key]?.number ?? OverlayNumber(in: node.loop.graph.layers)
        number.show(count)
        number.layer.opacity = effect.numberOpacity(after: 0)
        overlays[key]?.number = number
    }

    /// Shows an effect over a view, from the next commit on; one that is shown already begins anew.
    func show(_ effect: OverlayEffect, over node: Node) {
        let loop = node.loop
        let now = loop.driver.now
        let key = Key(node: ObjectIdentifier(node), effect: effect)
        if let known = overlays[key] {
            overlays[key]?.begin = now
            known.layer.opacity = effect.opacity(after: 0)
            return
        }
        let limit = effect.isHighlight ? Self.highlightLimit : Self.limit
        guard (effect.isHighlight ? highlights : overlays.count) < limit else {
            dropped += 1
            if !hasWarned { loop.graph.warn(.tooManyOverlays(limit)) }
            hasWarned = true
            return
        }
        if effect.isHighlight { highlights += 1 }
        let layer = Layer(owner: nil, showing: effect.content)
        layer.attach(to: loop.graph.layers)
        serial += 1
        overlays[key] = Overlay(node: node, effect: effect, layer: layer, serial: serial, begin: now)
        layer.opacity = effect.opacity(after: 0)
        loop.graph.layers.changed(layer)
        if link == nil { link = loop.addDisplayLink { [weak self, weak loop] _ in self?.step(loop) } }
    }

    /// At each frame: fades, and takes away what is over.
    private func step(_ loop: RenderLoop?) {
        guard let loop else { return }
        let now = loop.driver.now
        for overlay in inOrder {
            overlay.layer.opacity = overlay.effect.opacity(after: now - overlay.begin)
            overlay.number?.layer.opacity = overlay.effect.numberOpacity(after: now - overlay.begin)
        }
        keep { $0.node.isMounted && now - $0.begin < $0.effect.duration }
        if overlays.isEmpty { endLink() }
    }

    /// Puts the overlays where their views are now; right before a commit.
    func place(in root: Layer) {
        guard !overlays.isEmpty || root.sublayers.count > root.contentRange.count else { return }
        keep { $0.node.isMounted && $0.node.screenFrame != nil }
        let shown = inOrder
        for overlay in shown {
            guard let frame = overlay.node.screenFrame else { continue }
            overlay.layer.frame = overlay.effect.frame(
                over: frame, on: root.frame.size, isOfCells: !root.drawsControls)
            overlay.number?.move(to: frame.origin)
        }
        let layers = shown.flatMap { [$0.layer] + ($0.number.map { [$0.layer] } ?? []) }
        root.sublayers = root.sublayers[root.contentRange] + layers
        if overlays.isEmpty { endLink() }
    }

    private func keep(_ isKept: (Overlay) -> Bool) {
        for (key, overlay) in overlays where !isKept(overlay) { remove(key) }
    }

    private func remove(_ key: Key) {
        guard let overlay = overlays.removeValue(forKey: key) else { return }
        if key.effect.isHighlight { highlights -= 1 }
        overlay.layer.detach()
        overlay.number?.detach()
    }

    private func endLink() {
        hasWarned = false
        link?.cancel()
        link = nil
    }

    /// The loop is about to go.
    func end() {
        keep { _ in false }
        link = nil
    }
}

/// A number, white on black.
@MainActor
final class OverlayNumber {
    /// What it is drawn on.
    let layer = Layer(owner: nil, showing: .fill(.black))
    private let style = Layer(owner: nil, showing: .foreground(.white))
    private let text = Layer(owner: nil)

    init(in tree: LayerTree) {
        for layer in [layer, style, text] { layer.attach(to: tree) }
        layer.sublayers = [style]
        style.sublayers = [text]
    }

    func show(_ count: UInt64) {
        let digits = "\(count)"
        text.content = .text(digits)
        let size = CellSize(width: digits.count, height: 1)
        for layer in [style, text] { layer.frame = CellRect(origin: .zero, size: size) }
        layer.frame = CellRect(origin: layer.frame.origin, size: size)
    }

    func move(to origin: CellPoint) { layer.frame = CellRect(origin: origin, size: layer.frame.size) }

    func detach() {
        for layer in [layer, style, text] { layer.detach() }
    }
}

// What a user asks to see over views: borders around those of a key (`rerenderctl pulse KEY`), and flashes of those that are evaluated.

/// Follows what is asked of the stores that a loop's probes count in.
@MainActor
final class PulseDisplay {
    /// Whether views flash that are evaluated again, in all loops of the process.
    private static var isHighlighting = false

    private var tellsInput = false
    private var stores: [ObjectIdentifier: (probes: Int, following: ScreenFollowing)] = [:]

    /// A probe counts in a store from now on.
    func follow(_ store: RerenderStore, in loop: RenderLoop) {
        guard let identity = store.identity else { return }
        if let known = stores[identity] {
            stores[identity] = (known.probes + 1, known.following)
            return
        }
        let following = store.followScreen { [weak loop] request, reply in
            if case .hud = request { return false }
            onMainActor {
                guard let loop else { return }
                let (shown, instances) = Self.take(request, of: identity, in: loop)
                reply.add(shown: shown, of: instances)
            }
            return true
        }
        if let following { stores[identity] = (1, following) }
        // All input of its views comes through the loop.
        store.tellsInput()
        tellsInput = true
    }

    private static func take(
        _ request: ScreenRequest, of store: ObjectIdentifier, in loop: RenderLoop
    ) -> (shown: Int, instances: Int) {
        switch request {
        case .pulse(let key): return loop.pulse(key, in: store)
        case .hud: return (0, 0)
        case .highlight(let isOn):
            isHighlighting = isOn
            loop.tools.highlights(isOn)
            return (1, 1)
        }
    }

    /// A commit followed evaluations of a view, of which there were so many.
    func committed(_ node: Node, changed: Bool, evaluations: UInt64) {
        guard Self.isHighlighting, evaluations > 1 else { return }
        node.loop.tools.overlays.highlight(node, isWasted: !changed, count: evaluations)
    }

    /// Tells that input came, where a store counts.
    func tookInput() {
        if tellsInput { RerenderStore.noteInput() }
    }

    /// A probe has ended. With the last one of a store the pulses end, so that the store can go.
    func unfollow(_ store: RerenderStore) {
        guard let identity = store.identity, let known = stores[identity] else { return }
        stores[identity] = known.probes > 1 ? (known.probes - 1, known.following) : nil
    }

    func end() { stores = [:] }
}

extension RenderLoop {
    /// Draws a red border around each view that is counted under a key, for one second, from the next commit on.
    ///
    /// The border is three points thick, lies in front of everything, and follows the view. Characters have one thickness
    /// alone: a ``TextRenderer`` draws a box of `+`, `-` and `|` in the cells around the view, or in the view's own where
    /// the screen ends. Costs as much as there are views; at most 1,024 borders and flashes are shown at once, and how many
    /// more there were is ``droppedOverlays``.
    public func pulse(_ key: ViewKey) { _ = pulse(key, in: nil) }

    /// How many flashes and borders were not shown so far, because there were too many at once; with the first comes a
    /// warning.
    public var droppedOverlays: UInt64 { tools.overlays.dropped }

    /// Only views that are counted in a store, if one is given; returns over how many it is shown, and how many there are.
    fileprivate func pulse(_ key: ViewKey, in store: ObjectIdentifier?) -> (shown: Int, instances: Int) {
        let dropped = droppedOverlays
        var instances = 0
        var waiting: [Node] = graph.root.map { [$0] } ?? []
        while let node = waiting.popLast() {
            if let probe = node.record?.probe as? StoreProbe, probe.label == key.rawValue,
                store == nil || probe.store.identity == store
            {
                tools.overlays.show(.pulse, over: node)
                instances += 1
            }
            node.forEachChild { waiting.append($0) }
        }
        return (instances - Int(droppedOverlays - dropped), instances)
    }
}

// What the debugging tools keep for one loop.

/// What the debugging tools keep for one loop.
@MainActor
final class LoopTools: LoopExtension {
    let overlays = LayerOverlays()
    let pulses = PulseDisplay()
    /// Told whether views flash that are evaluated again.
    var highlights: @MainActor (Bool) -> Void = { _ in }
    /// The latest turn, and the stores that were told of it.
    var toldTurn: (number: UInt64, stores: Set<ObjectIdentifier>) = (0, [])

    func willCommit(_ root: Layer) { overlays.place(in: root) }

    func tookInput() { pulses.tookInput() }

    func end() {
        pulses.end()
        overlays.end()
    }
}

extension RenderLoop {
    /// Has a window told whether views flash that are evaluated again, so that what they are drawn with need not.
    package func onHighlight(_ body: @escaping @MainActor (Bool) -> Void) { tools.highlights = body }

    /// The loop's tools, made for the first one that is used.
    var tools: LoopTools {
        for case let tools as LoopTools in extensions { return tools }
        let tools = LoopTools()
        extensions.append(tools)
        return tools
    }
}
