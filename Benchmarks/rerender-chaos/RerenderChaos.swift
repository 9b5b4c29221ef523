// SPDX-License-Identifier: MIT
// The command line of chaos; `Scripts/chaos` runs it.

import ArgumentParser
import Foundation
import TestSupport

@main
struct RerenderChaos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerender-chaos",
        abstract:
            "Ends apps and daemons at random moments, and compares what the daemon says with the apps' own counters.",
        discussion: """
            What an app counted and what is lost must be as much as it evaluated, by a counter of its own that outlives it. An
            evaluation that its end interrupts may be counted or not, at most one a thread. Where an app ended while no
            daemon held its page, the next daemon's log names it; where it ended before any daemon held it, none knows it. Such
            evaluations are in the column 'said to be missing'. What LTTng recorded is compared with the same counters.
            Ends with 1 if any others are missing, or were never made.
            """)

    @Option(help: "How many ends.")
    var times = 1_000

    @Option(help: "What decides them; another number for each run, unless it is given.")
    var seed: UInt64?

    @Option(help: "How many daemons with their apps run side by side.")
    var sideBySide = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)

    @Option(help: "Only the end of this number, as a failure names it.")
    var only: Int?

    @Flag(help: "No end beside a full disk.")
    var withoutFullDisk = false

    @Flag(help: "Each end beside a full disk, and not only some.")
    var besideFullDisk = false

    @Flag(help: "Have each app count one evaluation that there never was: this must fail.")
    var defect = false

    mutating func validate() throws {
        guard times > 0, sideBySide > 0 else { throw ValidationError("numbers begin with 1") }
        guard !(besideFullDisk && withoutFullDisk) else { throw ValidationError("with a full disk, or without") }
    }

    func run() async throws {
        let seed = seed ?? UInt64.random(in: 0..<1_000_000_000)
        print("\(times) ends with --seed \(seed)")
        let shim = await Self.shim()
        let missing = [
            shim == nil ? "no step of the clock: it needs cc" : nil,
            ChaosWorld.canMount ? nil : "no full disk: it needs root, to mount a small file system",
            LTTngDaemon.isInstalled ? nil : "no end of LTTng: it needs lttng-tools, babeltrace2 and setpriv",
        ].compactMap { $0 }
        let begin = ContinuousClock.now
        let table = await ChaosRun(
            times: times, seed: seed, sideBySide: sideBySide, only: only, isDefective: defect, shim: shim,
            fillsDisk: !withoutFullDisk, beside: besideFullDisk ? .diskFull : nil,
            records: LTTngDaemon.isInstalled && !besideFullDisk
        ).run { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
        for line in table.lines { print(line) }
        if let recordings = table.recordings { print(recordings) }
        for line in missing + table.failures { print(line) }
        for outcome in table.outcomes where outcome.unaccounted > 0 { print(outcome) }
        let seconds = (ContinuousClock.now - begin).components.seconds
        print("\(table.outcomes.count) ends in \(seconds) s: \(table.unaccounted) evaluations unaccounted for")
        guard table.isComplete, table.outcomes.count == (only == nil ? times : 1) else { throw ExitCode(1) }
    }

    /// The library that steps the wall clock, compiled; nil without a compiler.
    private static func shim() async -> String? {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "CBench/Programs/chaos-clock/clock.c").path
        guard let compiler = ChildProcess.path(of: "cc"), let directory = try? TestFile.makeDirectory() else {
            return nil
        }
        let output = try? await ChildProcess.run(
            [compiler, "-O2", "-shared", "-fPIC", source, "-o", directory + "/clock.so"])
        return output?.succeeded == true ? directory + "/clock.so" : nil
    }
}
