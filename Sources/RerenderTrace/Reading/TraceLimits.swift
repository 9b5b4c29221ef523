// SPDX-License-Identifier: MIT
// Every bound of what is kept of a trace, each with its reason: memory must not grow with a trace's length.

/// Bounds of what a reader and a report keep.
package enum TraceLimits {
    /// Different texts; as many keys as four processes may have. Further ones are read as ``TraceTexts/overflow``.
    package static let texts = 262_144
    /// Bytes of all texts together.
    package static let textBytes = 64 << 20
    /// One text: what our library records is shorter (a key has at most 1,024 bytes); of others the beginning names it.
    package static let bytesPerText = 2_048
    /// Directories that are searched for traces, and how deep: a recording of per-process buffers has one for each process.
    package static let directories = 65_536
    package static let depth = 16
    /// Traces that are read together: each has its files open.
    package static let traces = 1_024
    /// Kinds of events: a system has some thousand; a trace that declares more has been made to hurt.
    package static let eventClasses = 65_536
    /// Events that are decoded before a consumer gets them: enough to hide the call, few enough for the cache.
    package static let batch = 512
}
