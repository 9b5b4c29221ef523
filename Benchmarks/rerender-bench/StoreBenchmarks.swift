// SPDX-License-Identifier: MIT
// What an app's first store takes of the thread that makes it.

import CBench
import Foundation
import Rerender

enum StoreBenchmarks {
    /// Processor time of that thread, in processes of their own.
    static func first() throws -> Row {
        let command = ["rerender-bench", Benchmark.storeFirst.rawValue, "--repeat", "1"]
        let times = try (0..<51).map { _ in
            let output = try Child.output(command).output
            guard let time = Double(output.filter { !$0.isNewline }) else { throw Fault("it says no time: \(output)") }
            return time
        }
        let spread = Spread(times)
        return Row(
            name: "store.first", unit: "ms", ours: spread.median, baseline: nil, ratio: nil,
            more: [("least", spread.min), ("most", spread.max)], target: "at most 1 ms")
    }

    /// Makes the first store of this process, and prints how many milliseconds of processor time that took.
    static func tellFirst() {
        let start = cbench_thread_time()
        let store = RerenderStore(name: "first")
        let end = cbench_thread_time()
        withExtendedLifetime(store) { print(Double(end - start) / 1e6) }
    }
}
