// SPDX-License-Identifier: MIT
// `screens redraws`: a program on the real main run loop whose views are counted in a store, and which keeps its own count.
// It reads an order a line, and answers when the turn that the order leads to is over:
//
//     tap NAME     taps a button
//     tick N       writes to a model N times, each time in a block of the main queue after the turn of the one before
//     cycle N      has two views write what the other one reads, N times each
//     timer MS     writes to the model each time that a timer fires, and says "begun"
//     slow MS      has a body take so long
//     counts       answers how often each body ran: STORE/VIEW=COUNT, with semicolons between
//     commits      the same of commits that followed evaluations of each view
//     screen       answers what is shown, in base64
//
// It ends when its input does.

import Foundation

extension Program {
    static func run() {
        let program = Program()
        program.say("ready")
        Thread.detachNewThread {
            while let line = readLine() {
                DispatchQueue.main.sync { MainActor.assumeIsolated { program.take(line) } }
            }
            exit(0)
        }
        RunLoop.main.run()
    }
}
