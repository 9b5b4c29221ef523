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
