// SPDX-License-Identifier: MIT
// The settings of the search for causes. Every evaluation and every hooked write reads them.

import Synchronization

/// Settings of one store that its evaluations and its hooks share, which may outlive the store.
final class CauseSettings: Sendable {
    let recordsWriters = Atomic<Bool>(true)
    /// The step that runs on the calling thread, if it has one.
    let currentLink: @Sendable () -> CauseLink?
    /// Modules whose functions announce causes and are no writers.
    let frameworkModules = Mutex<Set<String>>([])
    /// Whether reads are tracked; if not, models are compared. False where Observation cannot be listened to.
    let tracksReads = Atomic<Bool>(ObservedReads.isAvailable)
    private let generationNumber = Atomic<UInt32>(0)
    private let depthValue = Atomic<Int>(StoreLimits.reflectionDepth)
    /// The sampling rate as a fraction of 2³².
    private let rate = Atomic<UInt64>(1 << 32)
    private let sampled = Atomic<UInt64>(0)

    /// Whether every evaluation is compared, and reads are tracked.
    @inline(__always)
    var looksAtAll: Bool { tracksReads.load(ordering: .relaxed) && rate.load(ordering: .relaxed) >= 1 << 32 }

    init(currentLink: @escaping @Sendable () -> CauseLink? = { nil }) { self.currentLink = currentLink }

    /// How often counting began anew.
    var generation: UInt32 { generationNumber.load(ordering: .relaxed) }

    func beginGeneration() { generationNumber.wrappingAdd(1, ordering: .relaxed) }

    /// How deep nested values are compared; brought to 1...``StoreLimits/deepestReflection``.
    var depth: Int {
        get { depthValue.load(ordering: .relaxed) }
        set { depthValue.store(min(max(newValue, 1), StoreLimits.deepestReflection), ordering: .relaxed) }
    }

    /// Which part of the evaluations is compared; brought to 0...1, what is no number to 0.
    var sampling: Double {
        get { Double(rate.load(ordering: .relaxed)) / 4_294_967_296 }
        set {
            let part = newValue > 0 ? min(newValue, 1) : 0
            rate.store(UInt64(part * 4_294_967_296), ordering: .relaxed)
        }
    }

    /// Whether this evaluation keeps its properties for the next one to be compared with.
    ///
    /// Over many calls the part is exact: multiples of the golden ratio fill the unit interval evenly (Weyl's theorem).
    func samplesComparison() -> Bool {
        let rate = rate.load(ordering: .relaxed)
        if rate >= 1 << 32 { return true }
        if rate == 0 { return false }
        let point = sampled.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        return point >> 32 < rate
    }
}
