// SPDX-License-Identifier: MIT
// Evaluations whose cause is told by a number, as those of GTK's widgets are.

@_spi(Bridge) import Rerender

/// Views that are evaluated one after the other, each for a reason of its own.
///
/// Proof of the unsafe parts: an evaluation ends before another one begins in the memory, which is never freed.
struct Told {
    private let views: [InjectedView]
    private let memory = InjectedView.toldMemory()
    private let hints: UnsafeMutablePointer<UInt32>

    init(_ count: Int, in store: RerenderStore) {
        views = (0..<count).map { InjectedView("Told \(count) \($0)", in: store, file: "", line: 0, phase: .snapshot) }
        hints = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
        hints.initialize(repeating: 0, count: count)
    }

    func evaluate() {
        var index = 0
        while index < views.count {
            guard views[index].beginTold(in: memory, instance: 1, hint: hints + index) else { return }
            Allocations.work()
            _ = InjectedView.endTold(
                in: memory, cause: { ToldCause(reason: 1, isProved: false, isSameOutput: false, writer: 0x1000) },
                text: { _ in "a reason" })
            index += 1
        }
    }

    /// Waits until no input has come for so long that what goes on is work without input.
    static func waitForQuiet(_ store: RerenderStore) {
        store.tellsInput()
        let quietAt = monotonic() + 2_000_000_001
        while monotonic() < quietAt {}
    }
}
