// SPDX-License-Identifier: MIT
// What a user asks to see over views: borders around those of a key (`rerenderctl pulse KEY`), and flashes of those that are evaluated.

@_spi(Bridge) public import Rerender

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
