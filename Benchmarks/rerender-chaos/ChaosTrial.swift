// SPDX-License-Identifier: MIT
// Does what a plan says, in a world.

import Foundation
import TestSupport

/// One end in a world.
struct ChaosTrial {
    let plan: ChaosPlan
    let world: ChaosWorld
    /// Ends what is none of the world's: a part of LTTng.
    var endOther: (() async throws -> Void)?
    /// Whether the app is recorded before anything happens.
    var isRecorded = false

    /// Runs it; the app has ended, and the daemon runs.
    func run() async throws -> (app: ChaosApp, outcome: ChaosOutcome) {
        try await world.needDaemon()
        let app = try await world.makeApp(plan.threads)
        if isRecorded { try await app.waitForRecording() }
        try await pause(0)
        try disturb(app)
        try await pause(1)
        try await end(app)
        try await app.process.waitForEnd()
        world.fillDisk(false)
        try await world.needDaemon()
        return (app, try await world.outcome(plan, of: app))
    }

    private func pause(_ step: Int) async throws { try await Task.sleep(for: .microseconds(plan.waits[step])) }

    private func disturb(_ app: ChaosApp) throws {
        switch plan.disturbance {
        case .none: break
        case .daemonStopped: world.stopDaemon()
        case .appStopped: app.process.send(SIGSTOP)
        case .descriptorsClosed: app.process.send("close")
        case .diskFull: world.fillDisk(true)
        case .clockStepped: try world.stepClock(by: plan.step)
        }
    }

    private func end(_ app: ChaosApp) async throws {
        switch plan.end {
        case .appKilled: try await last(app, .appKilled)
        case .appTerminated, .appAborts, .appExits, .appLeaves, .bystander: try await last(app, plan.end)
        case .appForks:
            app.process.send("fork")
            try await pause(2)
            try await last(app, plan.last)
        case .appBecomesItself:
            // A program that no daemon knows leaves nothing.
            try await world.waitForConnection(of: app)
            app.process.send("exec")
            try await world.waitForConnection(of: app, programs: 2)
            try await pause(2)
            try await last(app, plan.last)
        case .appBecomesAnother:
            try await world.waitForConnection(of: app)
            app.process.send("become /bin/sleep")
            try await pause(2)
            try await last(app, .appKilled)
        case .daemonKilled, .daemonTerminated:
            // An app that exits before any daemon has listened to it leaves no page, and nobody asked about it.
            if !plan.returnsFirst, [.appExits, .appLeaves].contains(plan.last) {
                try await world.waitForConnection(of: app)
            }
            world.killDaemon(plan.end == .daemonKilled ? SIGKILL : SIGTERM)
            if plan.returnsFirst {
                try await world.waitForDaemon()
                try await world.needDaemon()
            }
            try await pause(2)
            try await last(app, plan.last)
            if !plan.returnsFirst { try await world.waitForDaemon() }
        case .bothKilled:
            if plan.daemonFirst { world.killDaemon(SIGKILL) }
            app.process.send(SIGKILL)
            if !plan.daemonFirst { world.killDaemon(SIGKILL) }
            try await world.waitForDaemon()
        case .recordedExit: try await last(app, .appExits)
        case .consumerKilled, .sessionDaemonKilled:
            try await endOther?()
            try await pause(2)
            try await last(app, plan.last)
        }
    }

    /// Ends the app. One that is stopped takes no order; one that is killed is killed while it is stopped.
    private func last(_ app: ChaosApp, _ end: ChaosEnd) async throws {
        if plan.disturbance == .appStopped, end != .appKilled { app.process.send(SIGCONT) }
        try await app.end(end)
    }
}
