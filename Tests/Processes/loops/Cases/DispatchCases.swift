// SPDX-License-Identifier: MIT
// A main queue without a loop that can be hooked, and no main queue at all.

import CRerender
import Dispatch
import Foundation
import Glibc
import Rerender
import Synchronization

enum DispatchCases {
    static func run(_ runCase: String) {
        switch runCase {
        case "moving": runMoving()
        default: run()
        }
    }

    private static func run() {
        _ = store
        Report.answerLater()
        dispatchMain()
    }

    /// Another loop first, for a moment, and then this one for good.
    static func run(after first: () -> Void) {
        first()
        say("first=\(ProcessRuntime.shared.mainLoop.kind)")
        run()
    }

    private static let servers = Mutex<Set<Int32>>([])
    private static let wrong = Atomic<Int>(0)
    private static let elsewhere = Atomic<Int>(0)
    /// Served by threads of the same pool as the main queue.
    private static let others = (0..<4).map { DispatchQueue(label: "other \($0)") }

    /// A main queue that threads serve in turns. Each body on it is to be seen as the loop's; none is that runs elsewhere on a
    /// thread that has served it.
    private static func runMoving() {
        _ = store
        say("ready")
        Thread.detachNewThread {
            while ProcessRuntime.shared.mainLoop.kind != .ping { usleep(1_000) }
            moveAround()
            evaluateElsewhere()
            say("servers=\(servers.withLock(\.count)) wrong=\(wrong.load(ordering: .relaxed))")
        }
        dispatchMain()
    }

    private static func moveAround() {
        let end = ContinuousClock.now + .seconds(20)
        repeat {
            let round = DispatchGroup()
            for queue in others { queue.async(group: round) { usleep(500) } }
            DispatchQueue.main.async(group: round) {
                let thread = crerender_this_thread()
                servers.withLock { _ = $0.insert(thread) }
                store.evaluate("OnMain") {
                    if ProcessRuntime.shared.mainLoop.thread != thread { wrong.add(1, ordering: .relaxed) }
                }
            }
            round.wait()
        } while servers.withLock(\.count) < 2 && ContinuousClock.now < end
    }

    /// On the thread that the page names, once that does something else.
    private static func evaluateElsewhere() {
        let end = ContinuousClock.now + .seconds(20)
        while elsewhere.load(ordering: .relaxed) == 0, ContinuousClock.now < end {
            let round = DispatchGroup()
            for queue in others {
                queue.async(group: round) {
                    if crerender_this_thread() == ProcessRuntime.shared.mainLoop.thread {
                        store.evaluate("Elsewhere") {}
                        elsewhere.add(1, ordering: .relaxed)
                    }
                    usleep(500)
                }
            }
            round.wait()
        }
        say("elsewhere=\(elsewhere.load(ordering: .relaxed))")
    }

    static func runNothing() {
        _ = store
        Report.answerLater()
        while true { pause() }
    }
}
