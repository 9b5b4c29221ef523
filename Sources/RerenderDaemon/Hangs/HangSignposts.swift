// SPDX-License-Identifier: MIT
// Hangs in the trace: `com.rerender.Hang`, on the same clock as the evaluations.

import RerenderModel

/// Emits the begin and end of hangs. Confined to the event loop; loading the tracer is not done there.
final class HangSignposts {
    /// Makes the tracer ready, on a thread of its own.
    func load() {}

    func began(_ hang: Hang) {}

    func ended(_ hang: Hang) {}
}
