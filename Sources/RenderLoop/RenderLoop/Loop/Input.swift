// SPDX-License-Identifier: MIT
// Input: coalesced per frame, then given to its target.

extension InputEvent.Kind {
    /// What the user did, as handlers are named: `tap on SaveRow`.
    fileprivate var event: HandledEvent {
        let name =
            switch self {
            case .began, .moved, .ended: "drag"
            case .tap: "tap"
            case .key, .text: "key"
            case .value: "value"
            case .scrolled: "scrolling"
            }
        return HandledEvent(kind: name, preposition: "on", isReaction: false)
    }
}

/// A node that takes input.
@MainActor
protocol InputTarget: Node {
    /// Takes an event; false if it is not for this view.
    func receive(_ event: InputEvent) -> Bool
}

/// Input that waits for its frame.
struct WaitingInput {
    var event: InputEvent
    /// The layer that it is for, where a renderer knows; else name, focus or place decide.
    let layer: Layer?
}

/// Input that waits for its frame, and who takes it.
@MainActor
struct InputQueue {
    private(set) var waiting: [WaitingInput] = []
    /// Never gone through but by name, and in the order of registration.
    private var named: [String: [any InputTarget]] = [:]
    private var names: [ObjectIdentifier: String] = [:]
    /// Who takes typed characters, in the order of registration.
    private var keyTargets: [any InputTarget] = []
    /// Where typed characters without a target come; without one, to whoever takes them and was there first.
    weak var focused: (any InputTarget)?
    /// Where what moves and ends without a target comes, until something else begins or is tapped.
    weak var captured: (any InputTarget)?

    mutating func add(_ event: InputEvent, for layer: Layer?) {
        if let last = waiting.last, last.layer == layer, waiting[waiting.count - 1].event.coalesce(event) { return }
        waiting.append(WaitingInput(event: event, layer: layer))
    }

    mutating func take() -> [WaitingInput] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting
    }

    /// Knows a target by a name, if it has one, and as one that takes typed characters.
    mutating func register(_ target: any InputTarget, as name: String?, takesKeys: Bool = false) {
        if takesKeys { keyTargets.append(target) }
        guard let name else { return }
        named[name, default: []].append(target)
        names[ObjectIdentifier(target)] = name
    }

    /// Gives a target another name, or none.
    mutating func rename(_ target: any InputTarget, to name: String?) {
        removeName(of: target)
        register(target, as: name)
    }

    /// Forgets a target.
    mutating func remove(_ target: any InputTarget, takesKeys: Bool = false) {
        removeName(of: target)
        if captured === target { captured = nil }
        guard takesKeys else { return }
        keyTargets.removeAll { $0 === target }
        if focused === target { focused = nil }
    }

    private mutating func removeName(of target: any InputTarget) {
        guard let name = names.removeValue(forKey: ObjectIdentifier(target)) else { return }
        named[name]?.removeAll { $0 === target }
        if named[name]?.isEmpty == true { named[name] = nil }
    }

    func name(of target: any InputTarget) -> String? { names[ObjectIdentifier(target)] }

    /// The first view of a name.
    func target(named name: String) -> (any InputTarget)? { named[name]?.first }

    /// The target of an event without a name: by focus or by a drag that has begun; nil if the place decides.
    mutating func holder(of event: InputEvent) -> (any InputTarget)? {
        switch event.kind {
        case .key: return focused ?? keyTargets.first
        case .moved: return captured
        case .began, .ended, .tap:
            defer { captured = nil }
            return event.kind == .ended ? captured : nil
        case .value, .text, .scrolled: return nil
        }
    }
}

extension RenderLoop {
    /// Sends input. It reaches its view at the next frame, as a source of that turn; what can be coalesced until then is
    /// one event with a history.
    public func send(_ event: InputEvent) { send(event, to: nil) }

    /// Sends input for the view of a layer and those around it, as a renderer does that has widgets of its own.
    package func send(_ event: InputEvent, to layer: Layer?) {
        var event = event
        event.stamp(driver.now)
        inputs.add(event, for: layer)
        updateFrames()
    }

    /// By which name input finds a layer's view: the nearest around it.
    package func inputName(of layer: Layer) -> String? {
        guard let node = layer.owner as? Node else { return nil }
        return node.chain.lazy.compactMap { $0 as? any InputTarget }.compactMap { self.inputs.name(of: $0) }.first
    }

    /// Whether input waits for its frame.
    package var hasWaitingInput: Bool { !inputs.waiting.isEmpty }

    /// Whether a view of this name is there for input.
    public func hasInput(named name: String) -> Bool { inputs.target(named: name) != nil }

    /// Gives the input that waits to its views.
    func deliverInput() {
        guard hasWaitingInput else { return }
        for part in extensions { part.tookInput() }
        defer { for part in extensions { part.tookInput() } }
        for input in inputs.take() {
            let event = input.event
            let named: Node? = event.target.flatMap { inputs.target(named: $0) }.flatMap { $0.isSeen ? $0 : nil }
            let target = input.layer.map(shownOwner) ?? (event.target == nil ? receiver(of: event) : named)
            let view = target?.evaluatedNode ?? target
            graph.emit(.input(event.kind, target: view?.reference, coalesced: event.history.count))
            guard let view, let probe = view.nearestProbe else {
                deliver(event, to: named, else: target)
                continue
            }
            probe.handling(event.kind.event, of: view.reference) { deliver(event, to: named, else: target) }
        }
    }

    /// Who takes an event that has no name.
    private func receiver(of event: InputEvent) -> Node? {
        inputs.holder(of: event) ?? node(at: event.latest.location)
    }

    /// The node of a layer; nil where the view is gone or not seen by now.
    private func shownOwner(of layer: Layer) -> Node? {
        guard let node = layer.owner as? Node, node.isSeen else { return nil }
        return node
    }

    /// A name stands for what is in it too, a place for the view there and those around it.
    private func deliver(_ event: InputEvent, to named: Node?, else target: Node?) {
        if named?.offer(event) != true { deliver(event, upFrom: named?.parent ?? target) }
    }

    /// To the first view that takes it, from this one up.
    private func deliver(_ event: InputEvent, upFrom first: Node?) {
        guard let first else { return }
        for case let target as any InputTarget in first.chain where target.receive(event) {
            return
        }
    }

    /// The view in front at a place of the screen, as it was committed.
    private func node(at point: CellPoint) -> Node? {
        func find(_ layer: Layer, _ corner: CellPoint) -> Node? {
            // As in SwiftUI, what is not seen at all takes no input.
            if layer.isTransparent { return nil }
            let frame = layer.committed.frame
            let corner = corner + frame.origin
            let isInside = CellRect(origin: corner, size: frame.size).contains(point)
            if layer.committed.clipsSublayers, !isInside { return nil }
            for sublayer in layer.committed.sublayers.reversed() {
                if let found = find(sublayer, corner) { return found }
            }
            return isInside ? layer.owner as? Node : nil
        }
        return find(committedRoot, .zero)
    }
}

extension Node {
    /// Whether no view around it lets everything through, as of the last commit.
    var isSeen: Bool { !chain.contains { $0.ownLayer?.isTransparent == true } }

    /// Offers input to this node and those below, in order, until one takes it.
    func offer(_ event: InputEvent) -> Bool {
        guard ownLayer?.isTransparent != true else { return false }
        if let target = self as? any InputTarget, target.receive(event) { return true }
        var isTaken = false
        forEachChild { if !isTaken { isTaken = $0.offer(event) } }
        return isTaken
    }
}
