// SPDX-License-Identifier: MIT
// Where something was written: the stack and the event handler that ran. Taken in nanoseconds on the writer's thread.

/// The code that wrote, as far as it was asked for.
struct WriteOrigin: Hashable, Sendable {
    var stack: StackID
    var handler: EventHandler?

    /// Nothing is known of who wrote.
    static let none = WriteOrigin(stack: .none, handler: nil)

    /// Whether anything is known.
    var isKnown: Bool { stack != .none || handler != nil }

    /// Of the write that Observation is about to make.
    static func ofObservedWrite(_ recordsStack: Bool) -> WriteOrigin {
        WriteOrigin(stack: recordsStack ? .capture() : .none, handler: .ofThisThread)
    }

    /// Of the code that runs.
    static func ofCaller(_ recordsStack: Bool) -> WriteOrigin {
        WriteOrigin(stack: recordsStack ? .captureCallers() : .none, handler: .ofThisThread)
    }
}
