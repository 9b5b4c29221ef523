// SPDX-License-Identifier: MIT
// The order of a turn's phases: the pure part of the loop.

/// Decides the order of a turn's phases after the callouts.
struct TurnMachine {
    enum Step: Equatable {
        /// The first pass is 1.
        case evaluate(pass: Int)
        case runHandlers
        /// Too many passes: what is left waits for the next turn.
        case cutOff
        case commit
        case end
    }

    /// Enough for a chain of handlers that each cause the next; more is an endless loop. SwiftUI's limit is of this size.
    static let passLimit = 8

    private(set) var pass = 0
    private var handlerRounds = 0
    private var isCutOff = false
    private var isCommitted = false

    mutating func next(hasInvalid: Bool, hasHandlers: Bool) -> Step {
        if isCommitted { return .end }
        guard !isCutOff, hasInvalid || hasHandlers else {
            isCommitted = true
            return .commit
        }
        if hasInvalid, pass < Self.passLimit {
            pass += 1
            return .evaluate(pass: pass)
        }
        // Handlers that schedule others may invalidate nothing.
        if !hasInvalid, handlerRounds < Self.passLimit {
            handlerRounds += 1
            return .runHandlers
        }
        isCutOff = true
        return .cutOff
    }
}
