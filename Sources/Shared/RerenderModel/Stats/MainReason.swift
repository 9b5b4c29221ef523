// SPDX-License-Identifier: MIT
// Why a view was evaluated most often: one rule for all that show one reason of a view.

/// The reason of most evaluations of a view.
///
/// ``Reason/isMain(_:over:)`` chooses it for tables, the HUD, the page, budgets and the daemon's order, so that all of them show the same one.
/// `initial` counts as any other reason does.
package struct MainReason: Hashable, Sendable {
    /// The reason with its count, its writers and its chains.
    package let reason: ReasonCount
    /// All evaluations of the view.
    package let evaluations: UInt64
    /// Whether the view has no other reason.
    package let isOnly: Bool

    /// Makes the main reason of a view that has so many evaluations.
    package init(_ reason: ReasonCount, of evaluations: UInt64, isOnly: Bool) {
        (self.reason, self.evaluations, self.isOnly) = (reason, evaluations, isOnly)
    }

    /// Whether it is a guess: found by comparing values, and not observed.
    package var isGuess: Bool { reason.isGuess }

    /// The part of the evaluations that were for it: `62%`.
    package var share: String { Percent.text(reason.count, of: evaluations) }

    /// Who wrote most of what led to these evaluations, and to no other ones; nil where no writer has a name.
    package var writer: WriterCount? { reason.namedWriter }

    /// `~tick 62%`: the reason with a `~` before a guess, and its share where it is not the only one. Safe to print.
    package var text: String { isOnly ? reason.marked : "\(reason.marked) \(share)" }
}

extension Stats {
    /// Why the view was evaluated most often; nil where no reason is known. Linear in the number of ``reasons``, in whatever order they are.
    package var mainReason: MainReason? {
        reasons.min(by: ReasonCount.isMain).map { MainReason($0, of: count, isOnly: reasons.count == 1) }
    }
}
