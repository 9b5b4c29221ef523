// SPDX-License-Identifier: MIT
// All ends of a run, in worlds side by side.

import Foundation
import TestSupport

/// Makes a number of ends, as many worlds at a time as are asked for.
struct ChaosRun: Sendable {
    /// Ends in one world, beside that of the app that lives through them.
    private static let endsInWorld = 10

    let times: Int
    let seed: UInt64
    let sideBySide: Int
    /// Only this end of the run; nil for all.
    let only: Int?
    /// Whether apps count one evaluation that there never was.
    let isDefective: Bool
    /// A library that steps the wall clock, and why there is none.
    let shim: String?
    let fillsDisk: Bool
    let records: Bool

    private var disturbances: [ChaosDisturbance] {
        ChaosDisturbance.allCases.filter {
            switch $0 {
            case .none: false
            case .clockStepped: shim != nil
            case .diskFull: fillsDisk && ChaosWorld.canMount
            default: true
            }
        }
    }

    /// The ends of each world. One of twenty is of a part of LTTng, two in a world.
    private var worlds: [[ChaosPlan]] {
        var worlds: [[ChaosPlan]] = []
        var number = 0
        func plan(_ end: ChaosEnd? = nil) -> ChaosPlan {
            defer { number += 1 }
            return ChaosPlan(number: number, seed: seed, end: end, disturbances: disturbances)
        }
        while number < times {
            let isRecorded = records && worlds.count % 4 == 3 && times - number >= ChaosEnd.recorded.count
            if isRecorded {
                worlds.append(ChaosEnd.recorded.map { plan($0) })
            } else {
                let count = min(Self.endsInWorld, times - number - 1)
                worlds.append((0..<max(count, 0)).map { _ in plan() } + [plan(.bystander)])
            }
        }
        guard let only else { return worlds }
        return worlds.map { $0.filter { $0.number == only } }.filter { !$0.isEmpty }
    }

    func run(_ report: @escaping @Sendable (String) -> Void) async -> ChaosTable {
        var table = ChaosTable()
        await withTaskGroup(of: Result<[ChaosOutcome], any Error>.self) { group in
            var waiting = worlds[...]
            func begin() {
                guard let plans = waiting.popFirst() else { return }
                group.addTask {
                    do { return .success(try await world(plans, report)) } catch { return .failure(error) }
                }
            }
            for _ in 0..<sideBySide { begin() }
            for await result in group {
                switch result {
                case .success(let outcomes): table.add(outcomes)
                case .failure(let error): table.fail("\(error)")
                }
                report("\(table.outcomes.count) of \(times)")
                begin()
            }
        }
        return table
    }

    private var environment: [String: String] { isDefective ? ["CHAOS_DEFECT": "1"] : [:] }

    private func world(_ plans: [ChaosPlan], _ report: (String) -> Void) async throws -> [ChaosOutcome] {
        if let first = plans.first, ChaosEnd.recorded.contains(first.end) {
            return try await recordedWorld(plans, report)
        }
        let home = try TemporaryDirectory()
        let world = try ChaosWorld(
            in: home.path, mounts: ChaosWorld.canMount, .init(environment: environment, shim: shim))
        try await world.needDaemon()
        let (bystander, others) = (plans.last, plans.dropLast())
        let old = bystander?.end == .bystander ? try await world.makeApp(1) : nil
        var ended: [(app: ChaosApp, outcome: ChaosOutcome)] = []
        for plan in old == nil ? plans[...] : others {
            ended.append(try await ChaosTrial(plan: plan, world: world).run())
            try await world.needDaemon()
        }
        if let old, let bystander {
            try await old.end(.bystander)
            ended.append((old, try await world.outcome(bystander, of: old)))
        }
        return try await checkAgain(ended, world, report)
    }

    /// What was said once is said later, too, also by another daemon.
    private func checkAgain(
        _ ended: [(app: ChaosApp, outcome: ChaosOutcome)], _ world: ChaosWorld, _ report: (String) -> Void
    ) async throws -> [ChaosOutcome] {
        if !world.isStateMissing {
            world.killDaemon(SIGTERM)
            try await world.waitForDaemon()
            try await world.needDaemon()
        }
        let isKnown = !world.isStateMissing
        var outcomes: [ChaosOutcome] = []
        for (app, outcome) in ended {
            let again = isKnown ? try await world.outcome(outcome.plan, of: app) : outcome
            let worst = again.unaccounted > outcome.unaccounted ? again : outcome
            if worst.unaccounted + worst.said > 0 { report("\(worst)\n\(world.log(of: app.process.pid))") }
            outcomes.append(worst)
        }
        world.killDaemon(SIGKILL)
        try await world.waitForDaemon()
        return outcomes
    }

    /// While a session of a user of its own records.
    private func recordedWorld(_ plans: [ChaosPlan], _ report: (String) -> Void) async throws -> [ChaosOutcome] {
        try await LTTngDaemon.with(.ordinary) { lttng in
            var ended: [(app: ChaosApp, outcome: ChaosOutcome)] = []
            for name in ["rerenderd", "chaos-app"] {
                try await ChildProcess.copyProgram(ChildProcess.product(name), to: "\(lttng.home)/\(name)")
            }
            var start = ChaosWorld.Start(environment: environment)
            start.command = { name, arguments, variables in
                let all = lttng.environment.merging(variables) { $1 }.map { "\($0.key)=\($0.value)" }
                return try lttng.asUser(["env"] + all + ["\(lttng.home)/\(name)"] + arguments)
            }
            let world = try ChaosWorld(in: lttng.home, mounts: false, start)
            try await LTTngSession.with(lttng, LTTngRecording("com.rerender.*")) { _ in
                for plan in plans {
                    let trial = ChaosTrial(plan: plan, world: world) {
                        guard plan.end == .consumerKilled else { return try await lttng.crash() }
                        guard let consumer = lttng.consumer else { throw ChildProcess.Failure("no consumer daemon") }
                        kill(consumer, SIGKILL)
                    }
                    ended.append(try await trial.run())
                }
            }
            return try await checkAgain(ended, world, report)
        }
    }
}
