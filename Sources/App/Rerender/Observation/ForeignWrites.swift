// SPDX-License-Identifier: MIT
// Remembers properties that other threads write. Rerender does not read the memory of these.

/// Observed properties that were written by another thread than the one that evaluates the view.
///
/// The app may guard them by a lock that its body takes and we do not. The write is announced before it happens, so that
/// from the first one on nothing of ours reads such a property's memory.
package struct ForeignWrites: Sendable {
    package static let none = ForeignWrites()

    private var writes: [ObservedWrite] = []
    /// More than are told apart: then nothing is read.
    private var isAll = false

    /// Whether other threads have written nothing.
    var isEmpty: Bool { writes.isEmpty && !isAll }

    mutating func insert(_ write: ObservedWrite) {
        if isAll || writes.contains(where: { $0.isSame(as: write) }) { return }
        if writes.count < StoreLimits.foreignWrites { writes.append(write) } else { isAll = true }
    }

    /// Whether another thread writes the property of that model, or of one that cannot be told from it.
    func contains(_ path: AnyKeyPath, _ model: ModelID?) -> Bool {
        isAll || writes.contains { unsafe ($0.model == nil || $0.model == model) && $0.keyPath == path }
    }

    /// Whether another thread writes any property of that model.
    func containsAny(of model: ModelID) -> Bool {
        isAll || writes.contains { $0.model == nil || $0.model == model }
    }
}
