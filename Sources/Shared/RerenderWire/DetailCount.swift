// SPDX-License-Identifier: MIT
// Who wrote and where it began: the counts below a reason's count.

/// The slots of one reason: some named writers, the other writers, some named chains, the other chains.
package enum DetailSlot: Sendable {
    /// Named writers, in the order in which they were met.
    package static let writers = 0..<UInt8(WireLimits.writersPerReason)
    /// All further writers.
    package static let otherWriters = writers.upperBound
    /// Named chains, in the order in which they were met.
    package static let chains = otherWriters + 1..<otherWriters + 1 + UInt8(WireLimits.chainsPerReason)
    /// All further chains.
    package static let otherChains = chains.upperBound
    /// Slots of one reason.
    package static let perReason = otherChains + 1
    /// Slots of one view: those of its numbered reasons and of `other`.
    package static let perView = (WireLimits.reasonsPerView + 1) * Int(perReason)

    /// Whether a text is declared for the slot.
    package static func isNamed(_ slot: UInt8) -> Bool { writers.contains(slot) || chains.contains(slot) }

    /// The slot that counts what has no slot of its own beside `slot`.
    package static func other(of slot: UInt8) -> UInt8 { slot <= otherWriters ? otherWriters : otherChains }
}

/// A count of one slot of one reason.
package struct DetailCount: Hashable, Sendable, BitwiseCopyable {
    /// The reason's number or ``ViewTotals/otherReason``.
    package var reason: UInt8
    /// See ``DetailSlot``.
    package var slot: UInt8
    package var count: UInt64

    package init(reason: UInt8, slot: UInt8, count: UInt64) {
        self.reason = reason
        self.slot = slot
        self.count = count
    }
}
