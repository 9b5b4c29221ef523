// SPDX-License-Identifier: MIT
// What the process says of itself and of the monitor.

import Foundation
import Rerender
import RerenderModel
import Synchronization

/// The store of the process; made when a case asks for it.
let store = RerenderStore(name: "main")

enum Report {
    /// How often the loop of a case has ticked.
    static let ticks = Atomic<Int>(0)

    /// What stands in the loop of a case beside what the case put there, as of its last tick: of GLib, whether the poll function is another one;
    /// of CoreFoundation, how often its main loop's description names an observer.
    static let hooks = Atomic<Int>(0)

    /// What the monitor says.
    static var monitor: String {
        let export = try? JSONDecoder().decode(StatsExport.self, from: store.exportJSON())
        let kind = export?.processes.first?.mainLoop.rawValue ?? "?"
        return "kind=\(kind) turns=\(ProcessRuntime.shared.mainLoop.turns) turn=\(ProcessRuntime.shared.mainLoop.turn)"
    }

    /// How many timers of timer_create(2) are set, which the library makes, and this program does not. Their numbers begin with 0.
    private static var timers: Int {
        typealias Call = @convention(c) (Int, Int, UnsafeMutablePointer<itimerspec>) -> Int
        #if arch(x86_64)
            let gettime = 224
        #else
            let gettime = 108
        #endif
        let call = unsafeBitCast(dlsym(nil, "syscall"), to: Call.self)
        return (0..<16).count { number in
            var left = itimerspec()
            return call(gettime, number, &left) == 0 && (left.it_value.tv_sec != 0 || left.it_value.tv_nsec != 0)
        }
    }

    private static var hooked: String { "hooks=\(hooks.load(ordering: .relaxed))" }

    /// Prints what a case counted and what the monitor says.
    static func print(_ counts: String) { say("\(counts) \(monitor)") }

    /// Prints `ready`, and the monitor's state at each line `state` from stdin.
    static func answerLater() {
        let reader = Thread {
            say("ready")
            while let line = readLine() {
                if line == "state" {
                    say("\(monitor) ticks=\(ticks.load(ordering: .relaxed)) timers=\(timers) \(hooked)")
                }
                if line == "evaluate" { store.evaluate("View") {} }
            }
        }
        reader.start()
    }
}
