// SPDX-License-Identifier: MIT
// Warnings about the program that the loop runs.

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
