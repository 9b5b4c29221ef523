// SPDX-License-Identifier: MIT
// A plug-in with a copy of the library of its own; the tests link it into a shared object. It keeps its own count.

import Glibc
import Observation
import Rerender

@Observable
final class Meter {
    var value = 0

    func step() { value += 1 }
}

private struct MeterView {
    let meter: Meter
}

/// The plug-in's views. On the main thread.
private final class Panel: @unchecked Sendable {
    static let shared = Panel()

    let store = RerenderStore(name: "plug-in")
    let meter = Meter()
    var count = 0

    /// Evaluates the view once, for a write.
    func evaluate(_ work: () -> Void = {}) {
        meter.step()
        store.evaluate("Meter", of: MeterView(meter: meter)) {
            _ = meter.value
            work()
        }
        count += 1
    }
}

/// Evaluates `count` bodies; returns how many there were in all.
@_cdecl("plugin_evaluate")
public func evaluate(_ count: CInt) -> CInt {
    for _ in 0..<count { Panel.shared.evaluate() }
    return CInt(Panel.shared.count)
}

/// Evaluates a body that takes so long: it waits, so that a busy machine does not starve it.
@_cdecl("plugin_wait")
public func wait(_ milliseconds: CInt) {
    Panel.shared.evaluate { usleep(UInt32(milliseconds) * 1_000) }
}

/// The plug-in's own reasons, with the first writer of each: `REASON < WRITER`, separated by `; `.
@_cdecl("plugin_reasons")
public func reasons() -> UnsafeMutablePointer<CChar>? {
    let rows = Panel.shared.store.stats.flatMap(\.reasons).map { "\($0.reason) < \($0.writers.first?.writer ?? "-")" }
    return strdup(rows.sorted().joined(separator: "; "))
}
