// SPDX-License-Identifier: MIT
// Finds the first names of a process before the first cause needs one.

import CRerender
import Synchronization

/// Reads the symbols of the program on a thread of its own when something observable is read for the first time.
///
/// Reading them takes from one to a hundred milliseconds, once; on the thread that draws, that would be seen.
enum NameWarmUp {
    private static let waiting = Mutex<ObservedReads?>(nil)
    private static let hasBegun = Atomic<Bool>(false)

    /// Starts the thread, the first time. One load afterwards.
    static func begin(_ reads: ObservedReads) {
        guard !hasBegun.load(ordering: .relaxed), !hasBegun.exchange(true, ordering: .relaxed) else { return }
        waiting.withLock { $0 = reads }
        // Without the thread the first cause does it.
        _ = unsafe crerender_start_thread("rerender-names", 0, { NameWarmUp.run() })
    }

    private static func run() {
        let reads = waiting.withLock { reads in
            defer { reads = nil }
            return reads
        }
        guard let reads else { return }
        for model in unsafe reads.models {
            for path in model.properties {
                _ = KeyPathName.property(of: path)
                if TrackedFields.questions != 0 { PropertySymbols.read(for: TypeMetadata(type(of: path).rootType)) }
            }
        }
    }
}
