// SPDX-License-Identifier: MIT
// Whether a view needs attention: whether the verdict may name it.

/// What is wrong with a view; rows with nothing wrong are dim.
struct TopHealth: Hashable, Sendable {
    /// So much of it is not needed that it is worth a finding.
    let isWasteful: Bool
    let isInCycle: Bool
    let hasHung: Bool

    init(_ row: RankedView, isHanging: Bool = false) {
        isWasteful = row.isWasteful
        isInCycle = CycleText.has(row.view.key, row.store)
        hasHung = isHanging || row.view.hangs.count > 0
    }

    var isFine: Bool { !isWasteful && !isInCycle && !hasHung }
}
