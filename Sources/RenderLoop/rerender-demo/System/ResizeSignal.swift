// SPDX-License-Identifier: MIT
// The signal that says that the terminal has another size.

#if RenderLoop
    import CoreFoundation
    import Foundation

    /// SIGWINCH, awaited on a thread of its own as ``EndSignals`` are.
    ///
    /// Proof of the unsafe parts: the set is a local variable, lent for each call.
    enum ResizeSignal {
        /// From here on the signal waits for ``follow(_:)``. To be called before any thread is made: one that does not
        /// block it would take it, and do nothing.
        static func block() {
            var awaited = EndSignals.set(of: [SIGWINCH])
            unsafe pthread_sigmask(SIG_BLOCK, &awaited, nil)
        }

        /// Calls back on the main run loop, while that runs, whenever the size has changed.
        static func follow(_ resized: @escaping @MainActor @Sendable () -> Void) {
            Thread.detachNewThread {
                var awaited = EndSignals.set(of: [SIGWINCH])
                var number: CInt = 0
                while true {
                    guard unsafe sigwait(&awaited, &number) == 0 else { continue }
                    RunLoop.main.perform { MainActor.assumeIsolated { resized() } }
                    CFRunLoopWakeUp(CFRunLoopGetMain())
                }
            }
        }
    }
#endif
