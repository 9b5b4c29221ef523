// SPDX-License-Identifier: MIT
// What happens in the loop, as values.

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
    /// Input reached its target, or none if nobody is there; so many events had been coalesced.
    case input(InputEvent.Kind, target: NodeReference?, coalesced: Int)
    /// Display links were called for a frame; so many had been skipped before.
    case frame(UInt64, skipped: UInt64)
    /// A body is to be evaluated. Told when the evaluation phase begins, in the order of evaluation.
    case invalidated(NodeReference, [EvaluationCause])
    /// A body is evaluated.
    case evaluated(NodeReference, [EvaluationCause])
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

/// What calls the program.
public enum CalloutKind: String, Hashable, Sendable {
    /// A source: input, a socket.
    case source
    /// A timer.
    case timer
    /// A block of the main queue.
    case mainQueue
}

/// Names a handler in events: what kind it is, and whose.
public struct HandlerReference: Hashable, Sendable, CustomStringConvertible {
    /// `onAppear`, `onChange(of: Int)`.
    public let kind: String
    /// The view that has it.
    public let view: NodeReference

    /// `onAppear of Article#3`.
    public var description: String { "\(kind) of \(view)" }
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

    /// Under a ``VirtualClock``, something was due again and again at one moment, at last the callout with this label:
    /// time went on without it.
    case timeStandsStill(at: UInt64, String)

    /// More flashes and borders than this were to be shown at once; the others are counted by
    /// ``RenderLoop/RenderLoop/droppedOverlays``.
    case tooManyOverlays(Int)

    /// State was written while a body was evaluated, which is evaluated again for it in the next pass.
    case modifiedDuringEvaluation(NodeReference)

    /// What is said to the developer.
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
