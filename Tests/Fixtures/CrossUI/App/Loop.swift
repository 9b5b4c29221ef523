// SPDX-License-Identifier: MIT
// The program's main loop, where it is compiled with `HAS_LOOP`.

#if HAS_LOOP
    import CoreFoundation
    import Foundation
    import SwiftCrossUI

    /// Does what each line says in a turn of the loop, until there are no more: `ACTION NUMBER`, or `slow TEXT`, which takes half a second
    /// when it is laid out next.
    @MainActor
    func runLoop() {
        Thread.detachNewThread {
            while let line = readLine() { inLoop { perform(line) } }
            inLoop { CFRunLoopStop(CFRunLoopGetMain()) }
        }
        // Keeps the loop from returning for want of anything to wait for.
        let timer = Timer.scheduledTimer(withTimeInterval: 86_400, repeats: true) { _ in }
        CFRunLoopRun()
        timer.invalidate()
    }

    private func inLoop(_ work: @escaping @MainActor @Sendable () -> Void) {
        RunLoop.main.perform { MainActor.assumeIsolated(work) }
        CFRunLoopWakeUp(CFRunLoopGetMain())
    }

    @MainActor
    private func perform(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        if words[0] == "slow" {
            layoutTimes[words[1]] = .milliseconds(500)
        } else {
            act(words[0], Int(words[1]) ?? 0)
        }
    }
#endif
