// SPDX-License-Identifier: MIT
// What comes next in a turn: the pure part of the loop.

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

    /// Enough for a chain of handlers that each cause the next; more is a circle. SwiftUI's limit is of this size.
    static let passLimit = 8

    private enum State { case evaluating, handling, committing, ended }
    private var state = State.evaluating
    private(set) var pass = 0
    private var handlerRounds = 0

    mutating func next(hasInvalid: Bool, hasHandlers: Bool) -> Step {
        switch state {
        case .evaluating, .handling:
            if hasInvalid {
                guard pass < Self.passLimit else {
                    state = .committing
                    return .cutOff
                }
                pass += 1
                state = .handling
                return .evaluate(pass: pass)
            }
            if hasHandlers {
                // Handlers that bring others may invalidate nothing.
                guard handlerRounds < Self.passLimit else {
                    state = .committing
                    return .cutOff
                }
                handlerRounds += 1
                state = .evaluating
                return .runHandlers
            }
            state = .ended
            return .commit
        case .committing:
            state = .ended
            return .commit
        case .ended:
            return .end
        }
    }
}

/// Allows a handler so many runs in a turn. SwiftUI's own limit.
struct CycleDetector {
    static let runsPerTurn = 2

    private var turn: UInt64 = 0
    private var left = 0
    private(set) var hasWarned = false

    /// Whether the handler may run; if not, `warns` tells whether to say so, which is once.
    mutating func admit(in turn: UInt64) -> (runs: Bool, warns: Bool) {
        if self.turn != turn {
            self.turn = turn
            left = Self.runsPerTurn
        }
        guard left > 0 else {
            defer { hasWarned = true }
            return (false, !hasWarned)
        }
        left -= 1
        return (true, false)
    }
}

/// When changes of layers become visible.
///
/// A change outside of an explicit transaction opens the implicit one, which the end of the turn commits. An explicit one
/// commits when its outermost level ends, unless it is inside of the implicit one.
struct TransactionMachine {
    private(set) var isImplicit = false
    private(set) var level = 0

    mutating func changed() {
        if level == 0 { isImplicit = true }
    }

    mutating func openImplicit() { isImplicit = true }
    mutating func begin() { level += 1 }

    /// Whether this commits.
    mutating func end() -> Bool {
        guard level > 0 else { return false }
        level -= 1
        return level == 0 && !isImplicit
    }

    /// Whether the end of the turn commits. An explicit transaction that is left open keeps everything back until it ends.
    mutating func endTurn() -> Bool {
        defer { isImplicit = false }
        return isImplicit && level == 0
    }
}
