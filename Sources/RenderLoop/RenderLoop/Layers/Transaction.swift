// SPDX-License-Identifier: MIT
// What a change of state carries along to the layers that it changes.

/// What an update carries from the change of state to the commit.
public struct Transaction: Hashable, Sendable {
    /// With which animation what changes is to be shown; nil for at once.
    public var animation: Animation?
    /// Whether ``View/animation(_:value:)`` is to leave the transaction as it is.
    public var disablesAnimations = false

    /// Makes a transaction without an animation.
    public init() {}
    /// Makes a transaction with an animation.
    public init(animation: Animation?) { self.animation = animation }

    var isEmpty: Bool { animation == nil && !disablesAnimations }
}

/// Whose changes are made now: those of a call of `withAnimation`, or of an evaluation that follows from one.
@MainActor
enum CurrentTransaction {
    private(set) static var value = Transaction()
    /// Whether there is none, as in most turns; without looking at the value.
    private(set) static var isEmpty = true

    static func run<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
        let outer = value
        set(transaction)
        defer { set(outer) }
        return try body()
    }

    private static func set(_ transaction: Transaction) {
        value = transaction
        isEmpty = transaction.isEmpty
    }
}

/// Runs a body whose changes of state carry a transaction.
///
/// The views that are evaluated for these changes, and what these evaluations change further down, have the transaction;
/// views that are evaluated for other changes in the same turn do not. Changes of places and sizes have the last transaction
/// of the turn. Each changed layer has it in the commit, as ``LayerChange/transaction``.
@MainActor
public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    try CurrentTransaction.run(transaction, body)
}

/// Runs a body whose changes of state are to be shown with an animation; see ``withTransaction(_:_:)``.
@MainActor
public func withAnimation<Result>(
    _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
    var transaction = CurrentTransaction.value
    transaction.animation = animation
    return try withTransaction(transaction, body)
}
