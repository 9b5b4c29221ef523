// SPDX-License-Identifier: MIT
// Input: coalesced per frame, then given to its target.

/// Something that the user did.
public struct InputEvent: Hashable, Sendable {
    /// What was done.
    public enum Kind: Hashable, Sendable {
        /// A finger or a button went down.
        case began
        /// It moved. Several between two frames are one event.
        case moved
        /// It went up.
        case ended
        /// Down and up in one place.
        case tap
        /// A character was typed.
        case key(Character)
        /// A control was given a value: a slider, from 0 to 1.
        case value(Double)
        /// Something was scrolled by so many lines, down where positive. Several between two frames are one event with
        /// their sum.
        case scrolled(Int)
    }

    /// Where something was, and when.
    public struct Sample: Hashable, Sendable {
        /// The place.
        public let location: CellPoint
        /// The driver's time in nanoseconds; 0 until the event is sent.
        public internal(set) var nanoseconds: UInt64
    }

    /// What was done.
    public private(set) var kind: Kind
    /// The name of the view that is meant; nil if the place says which.
    public let target: String?
    /// Where and when, at last.
    public private(set) var latest: Sample
    /// Every place and time that became this event, the latest last.
    public private(set) var history: [Sample]

    /// Makes an event.
    public init(_ kind: Kind, target: String? = nil, location: CellPoint = .zero) {
        self.kind = kind
        self.target = target
        latest = Sample(location: location, nanoseconds: 0)
        history = [latest]
    }

    mutating func stamp(_ nanoseconds: UInt64) {
        latest.nanoseconds = nanoseconds
        history = [latest]
    }

    /// Takes a later event up; false if the two have to stay apart.
    mutating func coalesce(_ next: InputEvent) -> Bool {
        guard next.target == target else { return false }
        switch (kind, next.kind) {
        case (.moved, .moved): break
        case (.scrolled(let lines), .scrolled(let more)):
            kind = .scrolled(CellLimit.place(CellLimit.place(lines) + CellLimit.place(more)))
        default: return false
        }
        latest = next.latest
        history += next.history
        return true
    }
}

/// Input on its way to a view: who wrote what is written meanwhile.
@MainActor
struct RunningInput {
    let kind: InputEvent.Kind
    /// The view whose body has the control.
    let view: Node?

    /// `tap on SaveRow`.
    var text: String {
        let name =
            switch kind {
            case .began, .moved, .ended: "drag"
            case .tap: "tap"
            case .key: "key"
            case .value: "value"
            case .scrolled: "scrolling"
            }
        return view.map { "\(name) on \($0.reference.name)" } ?? name
    }
}

/// A node that takes input.
@MainActor
public protocol InputTarget: Node {
    /// Takes an event; false if it is not for this view.
    func receive(_ event: InputEvent) -> Bool
    /// Whether it only passes input on to views in it; false by default.
    var passesInputOn: Bool { get }
}

extension InputTarget {
    /// It is for this view.
    public var passesInputOn: Bool { false }
}

/// Input that waits for its frame, and who takes it.
@MainActor
struct InputQueue {
    private(set) var waiting: [InputEvent] = []
    /// Never gone through but by name, and in the order of registration.
    private var named: [String: [any InputTarget]] = [:]
    private var names: [ObjectIdentifier: String] = [:]
    /// Who takes typed characters, in the order of registration.
    private var keyTargets: [any InputTarget] = []
    private weak var focused: (any InputTarget)?
    private weak var captured: (any InputTarget)?

    mutating func add(_ event: InputEvent) {
        if !waiting.isEmpty, waiting[waiting.count - 1].coalesce(event) { return }
        waiting.append(event)
    }

    mutating func take() -> [InputEvent] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting
    }

    mutating func register(_ target: any InputTarget, as name: String) {
        named[name, default: []].append(target)
        names[ObjectIdentifier(target)] = name
    }

    mutating func registerForKeys(_ target: any InputTarget) { keyTargets.append(target) }

    /// Typed characters without a target come here from now on.
    mutating func focus(_ target: any InputTarget) { focused = target }

    /// What moves and ends without a target comes here until something else begins or is tapped.
    mutating func capture(_ target: any InputTarget) { captured = target }

    /// Gives a target another name, or none.
    mutating func rename(_ target: any InputTarget, to name: String?) {
        removeName(of: target)
        if let name { register(target, as: name) }
    }

    /// Forgets a target.
    mutating func remove(_ target: any InputTarget) {
        removeName(of: target)
        if captured === target { captured = nil }
    }

    /// Forgets a target that took typed characters.
    mutating func removeForKeys(_ target: any InputTarget) {
        keyTargets.removeAll { $0 === target }
        if focused === target { focused = nil }
    }

    private mutating func removeName(of target: any InputTarget) {
        guard let name = names.removeValue(forKey: ObjectIdentifier(target)) else { return }
        named[name]?.removeAll { $0 === target }
        if named[name]?.isEmpty == true { named[name] = nil }
    }

    /// The first view of a name.
    func target(named name: String) -> (any InputTarget)? { named[name]?.first }

    /// Who has an event that names nobody, wherever it happened; nil if the place decides.
    mutating func holder(of event: InputEvent) -> (any InputTarget)? {
        switch event.kind {
        case .key: return focused ?? keyTargets.first
        case .moved: return captured
        case .began, .ended, .tap:
            defer { captured = nil }
            return event.kind == .ended ? captured : nil
        case .value, .scrolled: return nil
        }
    }
}

extension RenderLoop {
    /// Sends input. It reaches its view at the next frame, as a source of that turn; what can be coalesced until then is
    /// one event with a history.
    public func send(_ event: InputEvent) {
        var event = event
        event.stamp(driver.now)
        inputs.add(event)
        updateFrames()
    }

    /// Whether a view of this name is there for input.
    public func hasInput(named name: String) -> Bool { inputs.target(named: name) != nil }

    /// Gives the input that waits to its views.
    func deliverInput() {
        for event in inputs.take() {
            let named: Node? = event.target.flatMap { inputs.target(named: $0) }.flatMap { $0.isSeen ? $0 : nil }
            let target =
                event.target == nil ? inputs.holder(of: event) ?? node(at: event.latest.location) : named
            let view = target?.evaluatedNode ?? target
            emit(.input(event.kind, target: view?.reference, coalesced: event.history.count))
            runningInput = RunningInput(kind: event.kind, view: view)
            defer { runningInput = nil }
            // A name stands for what is in it too, a place for the view there and those around it.
            if named?.offer(event) != true { deliver(event, upFrom: named?.parent ?? target) }
        }
    }

    /// To the first view that takes it, from this one up.
    private func deliver(_ event: InputEvent, upFrom first: Node?) {
        var node = first
        while let current = node {
            if let target = current as? any InputTarget, !target.passesInputOn, target.receive(event) { return }
            node = current.parent
        }
    }

    /// The view in front at a place of the screen, as it was committed.
    private func node(at point: CellPoint) -> Node? {
        func find(_ layer: Layer, _ corner: CellPoint) -> Node? {
            // As in SwiftUI, what is not seen at all takes no input.
            if layer.isTransparent { return nil }
            let frame = layer.committed.frame
            let corner = CellPoint(x: corner.x + frame.origin.x, y: corner.y + frame.origin.y)
            let isInside = CellRect(origin: corner, size: frame.size).contains(point)
            if layer.committed.clipsSublayers, !isInside { return nil }
            for sublayer in layer.committed.sublayers.reversed() {
                if let found = find(sublayer, corner) { return found }
            }
            return isInside ? layer.owner : nil
        }
        return find(committedRoot, .zero)
    }
}
