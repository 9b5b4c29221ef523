// SPDX-License-Identifier: MIT
// The events of a loop as values: turns and evaluations with their reasons, names of nodes and handlers, and warnings.

import Foundation
import Rerender

/// Something that happened in a loop. The same program and the same script give the same events.
public enum LoopEvent: Hashable, Sendable {
    /// A turn began.
    case turnBegan(UInt64)
    /// A phase of the turn began; the pass counts evaluations within the turn, from 1, and is 0 before the first.
    case phaseBegan(LoopPhase, pass: Int)
    /// A phase of the turn ended.
    case phaseEnded(LoopPhase)
    /// The program was called.
    case callout(CalloutKind, String)
    /// Input reached its target, nil if there is none; so many events were coalesced into it.
    case input(InputEvent.Kind, target: NodeReference?, coalesced: Int)
    /// Display links were called for a frame; so many had been skipped before.
    case frame(UInt64, skipped: UInt64)
    /// A body is to be evaluated. Told when the evaluation phase begins, in the order of evaluation.
    case invalidated(NodeReference, [EvaluationReason])
    /// A body is evaluated.
    case evaluated(NodeReference, [EvaluationReason])
    /// That was a further time in the same turn, caused by a handler if that is known.
    case evaluatedAgain(NodeReference, handler: HandlerReference?)
    /// A node appeared.
    case mounted(NodeReference)
    /// A node disappeared.
    case unmounted(NodeReference)
    /// A handler runs.
    case handlerRan(HandlerReference)
    /// Something is wrong with the program.
    case warning(LoopWarning)
    /// Layers were committed: so many had changed.
    case committed(UInt64, changes: Int, isExplicit: Bool)
    /// The turn is over; the loop waits.
    case waiting(UInt64)
}

/// A part of a turn, in their order.
public enum LoopPhase: String, Hashable, Sendable, CaseIterable {
    /// The program runs: sources, timers, blocks of the main queue.
    case callouts
    /// Bodies are evaluated, and what they describe is laid out.
    case evaluation
    /// What reacts to that runs: `onAppear`, `onChange`, `onPreferenceChange`.
    case handlers
    /// What changed is handed to the renderers.
    case commit
}

/// What calls the program, in the order of a ``VirtualClock``.
public enum CalloutKind: String, Hashable, Sendable, CaseIterable {
    /// A source: input, a socket.
    case source
    /// A timer.
    case timer
    /// A block of the main queue.
    case mainQueue
}

/// Names a node in events: its number, and its view's type.
public struct NodeReference: Hashable, Sendable, CustomStringConvertible {
    /// Unique in the loop, in the order of appearance.
    public let id: UInt64
    /// The view's type, without its generic arguments.
    public let name: String

    /// `ItemRow#12`.
    public var description: String { "\(name)#\(id)" }
}

/// Names a handler in events: its kind and its view.
public struct HandlerReference: Hashable, Sendable, CustomStringConvertible {
    /// `onAppear`, `onChange(of: Int)`.
    public let kind: String
    /// The view that has it.
    public let view: NodeReference

    /// `onAppear of Article#3`.
    public var description: String { "\(kind) of \(view)" }
}

/// Why a body is evaluated.
public struct EvaluationReason: Hashable, Sendable, CustomStringConvertible {
    /// What kind of thing changed.
    public enum Kind: String, Hashable, Sendable {
        /// The view is new.
        case initial
        /// A stored property of the view, given by its parent.
        case input
        /// `@State`, its own or one that it has a binding to.
        case state
        /// A property of an `@Observable` model.
        case observed
        /// An `ObservableObject`.
        case object
        /// The environment.
        case environment
        /// The graph itself, by a primitive: a size, for instance.
        case graph
        /// Others that were not kept, because there were too many; the name says how many were left out.
        case further
    }

    /// What kind of thing changed.
    public let kind: Kind
    /// The property's name where it is known, else empty.
    public let name: String
    /// The handler that ran when it changed, if one did.
    public internal(set) var handler: HandlerReference?
    /// The code that changed it, where a probe asks for that. Beside the reason and no part of what is compared: a text that
    /// changes by five keys in a turn has one reason.
    var writer: CauseWriter?

    /// Names a reason.
    public init(_ kind: Kind, _ name: String = "") {
        self.kind = kind
        self.name = name
    }

    /// Whether kind, name and handler are equal.
    public static func == (lhs: EvaluationReason, rhs: EvaluationReason) -> Bool {
        lhs.kind == rhs.kind && lhs.name == rhs.name && lhs.handler == rhs.handler
    }

    /// What is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(name)
        hasher.combine(handler)
    }

    /// `state count`.
    public var description: String { name.isEmpty ? kind.rawValue : "\(kind.rawValue) \(name)" }
}

extension EvaluationReason {
    /// Whether the program's own code changed it, at the moment when the view is invalidated.
    var isOfProgram: Bool { kind == .state || kind == .object }

    func isBefore(_ other: EvaluationReason) -> Bool {
        (kind.rawValue, name, handler?.kind ?? "", handler?.view.id ?? 0)
            < (other.kind.rawValue, other.name, other.handler?.kind ?? "", other.handler?.view.id ?? 0)
    }
}

/// Something that is wrong with the program.
public enum LoopWarning: Hashable, Sendable, CustomStringConvertible {
    /// A handler was to run a third time in a turn, and did not. Told once for each handler, however often that happens
    /// again.
    case updatedMultipleTimesPerFrame(HandlerReference)
    /// Handlers kept invalidating; what is left waits for the next turn. The handler is the last that ran.
    case cutOff(HandlerReference?)

    /// An `ObservableObject` was changed on another thread than the main one; told once. Its type, and a view of it.
    case publishedFromBackgroundThread(String, NodeReference)

    /// An `ObservableObject` makes a new `objectWillChange` at each access, so that nothing sent by it is received; told
    /// once for each type. Its type, and a view of it.
    case objectWillChangeIsNotKept(String, NodeReference)

    /// Under a ``VirtualClock``, something was due again and again at one moment, at last the callout with this label:
    /// time went on without it.
    case timeStandsStill(at: UInt64, String)

    /// More flashes and borders than this were to be shown at once; the others are counted by
    /// ``RenderLoop/RenderLoop/droppedOverlays``.
    case tooManyOverlays(Int)

    /// State was written while a body was evaluated, which is evaluated again for it in the next pass.
    case modifiedDuringEvaluation(NodeReference)

    /// The text for the developer.
    public var description: String {
        switch self {
        case .updatedMultipleTimesPerFrame(let handler):
            """
            \(handler.kind) action tried to update multiple times per frame (\(handler.view)): it does not run again in this turn; \
            further times are not mentioned
            """
        case .publishedFromBackgroundThread(let object, let view):
            """
            publishing changes from background threads is not allowed (\(object), observed by \(view)): change it on the \
            main actor, or receive(on:) the main queue; further ones are not mentioned
            """
        case .objectWillChangeIsNotKept(let object, let view):
            """
            \(view) is not told if \(object) sends by its objectWillChange, which is a new one at each access: without a \
            @Published property OpenCombine keeps none; declare `let objectWillChange = ObservableObjectPublisher()` in it
            """
        case .timeStandsStill(let nanoseconds, let label):
            """
            time stands still at \(nanoseconds) ns, where "\(label)" is due again in every turn: \
            have it come later, by timer(after:_:_:)
            """
        case .tooManyOverlays(let limit):
            """
            more than \(limit) flashes and borders at once: the others are not shown, and are counted by droppedOverlays; \
            check fewer views
            """
        case .modifiedDuringEvaluation(let view):
            "state was modified while \(view) was evaluated: write it in an action or a handler"
        case .cutOff(let handler):
            "\(handler?.description ?? "layout") tried to update multiple times per frame: what it invalidated waits for the next turn"
        }
    }
}

// Input events, and which of them become one.

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
        /// A field was given another text, where the user edited it in whatever way.
        case text(String)
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

// Closures that are called until they are cancelled.

/// Closures that are called in the order in which they were added.
@MainActor
final class Listeners<Value> {
    private var entries: [(id: UInt64, body: @MainActor (Value) -> Void)] = []
    private var serial: UInt64 = 0
    private var removals: UInt64 = 0

    var isEmpty: Bool { entries.isEmpty }

    func add(_ body: @escaping @MainActor (Value) -> Void) -> UInt64 {
        serial += 1
        entries.append((serial, body))
        return serial
    }

    func remove(_ id: UInt64) {
        entries.removeAll { $0.id == id }
        removals += 1
    }

    func removeAll() { entries = [] }

    /// Calls those that are there now; one that another has just removed is not called.
    func call(_ value: Value) {
        let before = removals
        for entry in entries where before == removals || entries.contains(where: { $0.id == entry.id }) {
            entry.body(value)
        }
    }
}

// How warnings are printed where the program does not take them itself.

/// Prints each warning once: a program that does wrong in every turn would flood the terminal otherwise.
@MainActor
final class WarningPrinter {
    /// Views that are remade have other numbers, so that texts can be without end.
    static let limit = 128

    private let output: @MainActor (String) -> Void
    private var printed: Set<String> = []

    /// By default it writes lines to standard error. A closed reader must not end the program.
    init(
        output: @escaping @MainActor (String) -> Void = { text in
            let line = Data((text + "\n").utf8)
            try? FileHandle.standardError.write(contentsOf: line)
        }
    ) {
        self.output = output
    }

    func print(_ warning: LoopWarning) {
        guard printed.count <= Self.limit else { return }
        let text = warning.description
        guard printed.insert(text).inserted else { return }
        if printed.count <= Self.limit {
            output("RenderLoop: \(text)")
        } else {
            output("RenderLoop: further warnings are not printed; onWarning has them")
        }
    }
}
