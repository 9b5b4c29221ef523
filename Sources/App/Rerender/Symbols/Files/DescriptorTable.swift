// SPDX-License-Identifier: MIT
// Work with descriptors, done where the host does not see them.

import CShared

/// The table of descriptors that belongs to this library alone.
///
/// Whatever opens, reads, writes or closes a descriptor of ours runs in ``run(_:)``: on a host's thread the number could come to
/// mean a file of the host's at any moment.
package enum DescriptorTable {
    /// Runs `body` on the thread that has the table, while this one waits.
    ///
    /// - Returns: What it returned; nil, without running it, in a forked child and where the kernel gives no table of our own
    ///   (before Linux 5.9, or where a sandbox refuses `close_range`).
    package static func run<Value>(_ body: () -> Value) -> Value? {
        var value: Value?
        withoutActuallyEscaping({ value = body() }) { work in
            var work: () -> Void = work
            // Proof: the other thread has done with the closure, and with what it captures, when the call returns.
            unsafe withUnsafeMutablePointer(to: &work) { work in
                _ = unsafe cdescriptors_run({ unsafe $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, work)
            }
        }
        return value
    }

    /// Has what the calling thread runs not wait for what the host's threads run, nor they for it. For threads of ours.
    package static func serveApart() { cdescriptors_work_apart() }
}
