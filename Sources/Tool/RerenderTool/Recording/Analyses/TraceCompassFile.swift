// SPDX-License-Identifier: MIT
// The analyses for Trace Compass.

import CScreen

/// One XML file with all analyses: views, threads, turns and hangs, latencies, double and wasted evaluations, call
/// stacks.
package enum TraceCompassFile {
    /// The file.
    ///
    /// Proof: its bytes are as many as it says, and are never written or freed.
    package static var bytes: [UInt8] {
        let file = unsafe canalyses_trace_compass()
        return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
