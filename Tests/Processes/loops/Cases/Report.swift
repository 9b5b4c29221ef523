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

    /// What the monitor says.
    static var monitor: String {
        let export = try? JSONDecoder().decode(StatsExport.self, from: store.exportJSON())
        let kind = export?.processes.first?.mainLoop.rawValue ?? "?"
        return "kind=\(kind) turns=\(ProcessRuntime.shared.mainLoop.turns) turn=\(ProcessRuntime.shared.mainLoop.turn)"
    }

    /// Prints what a case counted and what the monitor says.
    static func print(_ counts: String) { say("\(counts) \(monitor)") }

    /// Prints `ready`, and the monitor's state at each line `state` from stdin.
    static func answerLater() {
        let reader = Thread {
            say("ready")
            while let line = readLine() {
                if line == "state" { say("\(monitor) ticks=\(ticks.load(ordering: .relaxed))") }
                if line == "evaluate" { store.evaluate("View") {} }
            }
        }
        reader.start()
    }
}
