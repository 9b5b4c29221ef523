// SPDX-License-Identifier: MIT
// All ends of a run, in worlds side by side.

import Foundation
import Glibc
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
    /// What goes on beside each end; nil for anything, beside half of them.
    let beside: ChaosDisturbance?
    let records: Bool

    private var disturbances: [ChaosDisturbance] {
        ChaosDisturbance.allCases.filter {
            if let beside, $0 != beside { return false }
            return switch $0 {
            case .none: false
            case .clockStepped: shim != nil
            case .diskFull: fillsDisk && ChaosWorld.canMount
            default: true
            }
        }
    }

    /// The ends of each world. One of twelve is recorded by LTTng, three beside each other.
    private var worlds: [[ChaosPlan]] {
        var worlds: [[ChaosPlan]] = []
        var number = 0
        func plan(_ end: ChaosEnd? = nil) -> ChaosPlan {
            defer { number += 1 }
            return ChaosPlan(
                number: number, seed: seed, end: end, disturbances: disturbances, isAlwaysDisturbed: beside != nil)
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
    private var defects: UInt64 { isDefective ? 1 : 0 }

    private func world(_ plans: [ChaosPlan], _ report: (String) -> Void) async throws -> [ChaosOutcome] {
        if let first = plans.first, ChaosEnd.recorded.contains(first.end) {
            return try await recordedWorlds(plans, report)
        }
        let home = try TemporaryDirectory()
        let world = try ChaosWorld(
            in: home.path, mounts: ChaosWorld.canMount, .init(environment: environment, defects: defects, shim: shim))
        do {
            return try await ends(plans, in: world, report)
        } catch {
            report("\(error)\n\(world.log)")
            throw error
        }
    }

    private func ends(
        _ plans: [ChaosPlan], in world: ChaosWorld, _ report: (String) -> Void
    ) async throws -> [ChaosOutcome] {
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
        world.killDaemon(SIGTERM)
        try await world.waitForDaemon()
        try await world.needDaemon()
        var outcomes: [ChaosOutcome] = []
        for (app, outcome) in ended {
            var again = try await world.outcome(outcome.plan, of: app)
            again.recording = outcome.recording
            let worst = again.unaccounted > outcome.unaccounted ? again : outcome
            if worst.unaccounted + worst.said > 0 { report("\(worst)\n\(world.log(of: app.process.pid))") }
            outcomes.append(worst)
        }
        world.killDaemon(SIGKILL)
        try await world.waitForDaemon()
        return outcomes
    }

    /// Each while a session daemon and a session of its own record.
    private func recordedWorlds(_ plans: [ChaosPlan], _ report: (String) -> Void) async throws -> [ChaosOutcome] {
        var outcomes: [ChaosOutcome] = []
        for plan in plans {
            outcomes += try await LTTngDaemon.with(.ordinary) { try await recordedWorld(plan, $0, report) }
        }
        return outcomes
    }

    private func recordedWorld(
        _ plan: ChaosPlan, _ lttng: LTTngDaemon, _ report: (String) -> Void
    ) async throws -> [ChaosOutcome] {
        for name in ["rerenderd", "counting"] {
            try await ChildProcess.copyProgram(ChildProcess.product(name), to: "\(lttng.home)/\(name)")
        }
        // Before LTTng is loaded, nothing is recorded: the first evaluation waits for that.
        var start = ChaosWorld.Start(
            environment: environment.merging(["RERENDER_WAIT_FOR_TRACER": "60000"]) { $1 }, defects: defects)
        start.command = { name, arguments, variables in
            let all = lttng.environment.merging(variables) { $1 }.map { "\($0.key)=\($0.value)" }
            return try lttng.asUser(["env"] + all + ["\(lttng.home)/\(name)"] + arguments)
        }
        let world = try ChaosWorld(in: lttng.home, mounts: false, start)
        var trace = ""
        let (app, ended) = try await LTTngSession.with(lttng, LTTngRecording("com.rerender.BodyEval:*")) { session in
            trace = session.output
            let trial = ChaosTrial(
                plan: plan, world: world, endOther: { try await kill(plan.end, of: lttng) }, isRecorded: true)
            let result = try await trial.run()
            // It cannot end a session whose consumer daemon is gone.
            if plan.end == .consumerKilled { try await lttng.crash() }
            return result
        }
        // A host that closes LTTng's descriptors has no say in what it records.
        let isWhole = plan.end == .recordedExit && plan.disturbance != .descriptorsClosed
        var outcome = ended
        outcome.recording = try await recording(trace, of: app, isWhole: isWhole)
        return try await checkAgain([(app, outcome)], world, report)
    }

    private func kill(_ end: ChaosEnd, of lttng: LTTngDaemon) async throws {
        guard end == .consumerKilled else { return try await lttng.crash() }
        guard let consumer = lttng.consumer else { throw ChildProcess.Failure("no consumer daemon") }
        Glibc.kill(consumer, SIGKILL)
    }

    /// Reads a trace. LTTng may write the last of it a moment after it said that it is done.
    private func recording(_ trace: String, of app: ChaosApp, isWhole: Bool) async throws -> ChaosRecording {
        let own = try app.own()
        var latest = try await ChaosRecording(trace, of: app.process.pid, isWhole: isWhole)
        for _ in 0..<20 where latest.unaccounted(begun: own.begun, ended: own.ended) > 0 {
            try await Task.sleep(for: .milliseconds(100))
            latest = try await ChaosRecording(trace, of: app.process.pid, isWhole: isWhole)
        }
        return latest
    }
}
