// SPDX-License-Identifier: MIT
// What comes next in a turn: the pure part of the loop.

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

    /// Enough for a chain of handlers that each reason the next; more is a circle. SwiftUI's limit is of this size.
    static let passLimit = 8

    private enum Stage { case evaluating, handling, committing, ended }
    private var stage = Stage.evaluating
    private(set) var pass = 0
    private var handlerRounds = 0

    mutating func next(hasInvalid: Bool, hasHandlers: Bool) -> Step {
        switch stage {
        case .evaluating, .handling:
            if hasInvalid {
                guard pass < Self.passLimit else {
                    stage = .committing
                    return .cutOff
                }
                pass += 1
                stage = .handling
                return .evaluate(pass: pass)
            }
            if hasHandlers {
                // Handlers that bring others may invalidate nothing.
                guard handlerRounds < Self.passLimit else {
                    stage = .committing
                    return .cutOff
                }
                handlerRounds += 1
                stage = .evaluating
                return .runHandlers
            }
            stage = .ended
            return .commit
        case .committing:
            stage = .ended
            return .commit
        case .ended:
            return .end
        }
    }
}
