// SPDX-License-Identifier: MIT
// Which transactions the evaluations that wait have.

/// The transactions of changes that have been made and not yet evaluated.
@MainActor
final class PendingTransactions {
    /// By the serial numbers of nodes. A change without a transaction leaves that of another one.
    private var waiting: [UInt64: Transaction] = [:]
    /// The last of this evaluation phase, which its layouts have.
    private var latest = Transaction()

    /// An evaluation phase begins.
    func begin() { latest = Transaction() }

    /// Nothing is left to evaluate.
    func end() {
        if !waiting.isEmpty { waiting.removeAll() }
    }

    /// Something that a node has read is changed.
    func noteInvalidation(of serial: UInt64) {
        if !CurrentTransaction.isEmpty { waiting[serial] = CurrentTransaction.value }
    }

    /// Takes the transaction with which a node is evaluated.
    private func take(for serial: UInt64) -> Transaction {
        let transaction = waiting.removeValue(forKey: serial) ?? Transaction()
        if !transaction.isEmpty { latest = transaction }
        return transaction
    }

    /// Runs the evaluation of a node in its transaction.
    func forEvaluation(of serial: UInt64, _ body: () -> Void) {
        guard !waiting.isEmpty else { return body() }
        CurrentTransaction.run(take(for: serial), body)
    }

    /// Runs a layout in the transaction of what was evaluated before it.
    func forLayout(_ body: () -> Void) {
        guard !latest.isEmpty else { return body() }
        CurrentTransaction.run(latest, body)
    }
}
