// SPDX-License-Identifier: MIT
// What attaches at random moments do to a program, by its own counts, beside those of the same program without them.

import Foundation
import Synchronization
import TestSupport

/// One program is attached to again and again, and each twentieth time one that ends meanwhile. Another one is left alone. The two of them
/// get the same clicks and signals all the time.
struct AttachHarm {
    /// `rerenderctl`, with the libraries where it finds them.
    let tool: String
    /// `counted`, of Benchmarks/CBench/Programs/gtk-programs.
    let program: String
    let seed: UInt64

    /// Each of them: a program that ends meanwhile.
    private static let endingStep = 20
    /// After so many attaches, all that is made once is there.
    private static func settled(_ attaches: Int) -> Int { min(100, max(1, attaches / 10)) }

    private static let mostKibibytesPerAttach = 1.0

    func run(attaches: Int, _ report: inout Report) async throws {
        guard AttachMachine.isPossible else { throw ChildProcess.Failure(AttachMachine.needs) }
        report.note("seed \(seed)")
        let (first, second) = (try await XServer(), try await XServer())
        let attached = try await CountedProgram(program, on: first)
        let control = try await CountedProgram(program, on: second)
        let end = AttachEnd()
        let results = try await withThrowingTaskGroup(of: Void.self) { group in
            for program in [attached, control] {
                group.addTask { try await program.click(until: end) }
                group.addTask { try await program.signal(until: end) }
            }
            let results = try await attach(to: attached, beside: control, attaches)
            end.set()
            try await group.waitForAll()
            return results
        }
        try await attached.settle()
        try await control.settle()
        let (with, without) = (try await attached.end(), try await control.end())
        tell(results, attaches: attaches, with, without, [attached, control], &report)
    }

    // MARK: Attaching

    /// What came of all attaches.
    private struct Results {
        var refusals: [String] = []
        /// For how many milliseconds at most the main thread was stopped, as each attach said.
        var stops: [Int] = []
        /// Of programs that ended meanwhile.
        var ended: [AttachCounts] = []
        /// After the first attaches, and after the last.
        var sizes: [(with: AttachSize, without: AttachSize)] = []
    }

    private func attach(
        to program: CountedProgram, beside control: CountedProgram, _ attaches: Int
    ) async throws -> Results {
        let directory = try TemporaryDirectory()
        var generator = SeededGenerator(seed: seed)
        var results = Results()
        for number in 1...attaches {
            if number.isMultiple(of: Self.endingStep) {
                let counts = try await attachToEnding(after: Int.random(in: 0..<600, using: &generator), directory.path)
                results.ended.append(counts)
            } else {
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<100, using: &generator)))
                let time = Int.random(in: 1...5, using: &generator)
                let output = try await attach(program.pid, for: "0.\(time)s", directory.path)
                if let stopped = AttachMachine.stopped(in: output.standardError) {
                    results.stops.append(stopped)
                } else if output.exit == .status(0) {
                    throw ChildProcess.Failure("no time of the stop is told: \(output.standardError)")
                }
                if output.exit != .status(0) { results.refusals.append("attach \(number): \(output.standardError)") }
                // Such a run says nothing of harm.
                guard results.refusals.count <= 20 + attaches / 100 else {
                    throw ChildProcess.Failure("too many are refused: \(results.refusals)")
                }
            }
            if number == Self.settled(attaches) || number == attaches {
                results.sizes.append((try await program.size(), try await control.size()))
            }
        }
        return results
    }

    /// Attaches to a program whose input ends some milliseconds later, and returns what it counted.
    private func attachToEnding(after milliseconds: Int, _ directory: String) async throws -> AttachCounts {
        let ending = try await CountedProgram(program, on: nil)
        async let output = attach(ending.pid, for: "0.5s", directory)
        try await Task.sleep(for: .milliseconds(milliseconds))
        let counts = try await ending.end()
        let told = try await output
        guard case .status = told.exit else {
            throw ChildProcess.Failure("attach ended by a signal (\(told.exit)): \(told.standardError)")
        }
        return counts
    }

    private func attach(_ pid: Int32, for time: String, _ directory: String) async throws -> ChildProcess.Output {
        let own = ["RERENDER_RUNTIME_DIR": directory, "XDG_STATE_HOME": directory]
        return try await ChildProcess.run(
            [tool, "attach", "\(pid)", "--for", time],
            environment: ProcessInfo.processInfo.environment.merging(own) { $1 })
    }

    // MARK: Figures

    private func tell(
        _ results: Results, attaches: Int, _ with: AttachCounts, _ without: AttachCounts, _ programs: [CountedProgram],
        _ report: inout Report
    ) {
        let sums = zip(programs, [with, without]).map { program, counts in
            "clicks \(counts["clicks"]) of \(program.sent.clicks), signals \(counts["signals"]) of \(program.sent.signals), "
                + "\(counts["expired"]) ends of a timer, \(counts["children"]) children, \(counts.harmText), "
                + "end \(counts.exit), late \(counts["late-ms"]) ms"
        }
        let isSame = zip(programs, [with, without]).allSatisfy { program, counts in
            counts.isUnhurt && counts["clicks"] == program.sent.clicks && counts["signals"] == program.sent.signals
        }
        let unhurt = results.ended.count { $0.isUnhurt }
        report.line(
            "\(attaches) attaches: \(sums[0]); without: \(sums[1]); unhurt of those that ended meanwhile: \(unhurt) of "
                + "\(results.ended.count); to reach: all of each, 0 of the others, status 7",
            isSame && unhurt == results.ended.count)
        report.line(
            "\(results.refusals.count) attaches were refused \(results.refusals.first ?? ""); to reach: 1 in 100",
            results.refusals.count * 100 <= attaches)
        report.line(
            "milliseconds that the main thread was stopped for: \(Spread(results.stops.map(Double.init)).text); "
                + "to reach: at most \(AttachMachine.mostMilliseconds)",
            results.stops.max().map { $0 <= AttachMachine.mostMilliseconds } ?? false)
        guard let first = results.sizes.first, let last = results.sizes.last else { return }
        let growth = (last.with.memory - first.with.memory) - (last.without.memory - first.without.memory)
        let later = attaches - Self.settled(attaches)
        report.line(
            "from attach \(Self.settled(attaches)) to the last: \(first.with.text) to \(last.with.text); without: "
                + "\(first.without.text) to \(last.without.text); to reach: at most \(Int(Self.mostKibibytesPerAttach)) KiB "
                + "an attach more than without, and nothing else",
            growth <= Double(later) * Self.mostKibibytesPerAttach && last.with.descriptors <= first.with.descriptors
                && last.with.threads <= first.with.threads)
    }
}

private final class AttachEnd: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}

/// What a program counted itself.
private struct AttachCounts: Sendable {
    private let numbers: [String: Int]
    let exit: ChildProcess.Exit

    private static let harms = ["lost-expiries", "interrupted", "refused", "early", "lost-children", "damaged"]

    init(_ line: String, _ exit: ChildProcess.Exit) {
        let words = line.split(separator: " ")
        numbers = Dictionary(
            stride(from: 0, to: words.count - 1, by: 2).map { (String(words[$0]), Int(words[$0 + 1]) ?? -1) }
        ) { first, _ in first }
        self.exit = exit
    }

    subscript(name: String) -> Int { numbers[name] ?? -1 }

    var isUnhurt: Bool { exit == .status(7) && Self.harms.allSatisfy { self[$0] == 0 } }
    var harmText: String { Self.harms.map { "\($0) \(self[$0])" }.joined(separator: ", ") }
}

/// What a process has.
private struct AttachSize: Sendable {
    /// Its own, in KiB.
    let memory: Double
    let descriptors: Int
    let threads: Int

    init(of pid: Int32) throws {
        func count(_ folder: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/\(folder)").count
        }
        memory = try kibibytes(of: pid, "RssAnon")
        (descriptors, threads) = (try count("fd"), try count("task"))
    }

    var text: String { "\(Int(memory)) KiB, \(descriptors) descriptors, \(threads) threads" }
}

/// A program that counts, and what it was given to count.
private final class CountedProgram: Sendable {
    private let child: ChildProcess
    private let server: XServer?
    private let number: Int32
    private let clicks = Atomic<Int>(0)
    private let signals = Atomic<Int>(0)

    var pid: Int32 { child.processID }
    var sent: (clicks: Int, signals: Int) {
        (clicks.load(ordering: .relaxed), signals.load(ordering: .relaxed))
    }

    /// Starts it, with a window where there is a server.
    init(_ program: String, on server: XServer?) async throws {
        self.server = server
        let environment = server?.whole() ?? ProcessInfo.processInfo.environment
        child = try ChildProcess(
            [program, server == nil ? "plain" : "window"], environment: environment, seconds: 86_400)
        let line = try await child.nextLine()
        guard line.hasPrefix("begun "), let told = Int32(line.dropFirst(6)) else {
            throw ChildProcess.Failure("the program that counts said: \(line)")
        }
        number = told
    }

    /// Clicks ten times a second.
    func click(until end: AttachEnd) async throws {
        guard let server else { return }
        try await server.pointer(["search", "--sync", "--onlyvisible", "--name", "counted"])
        try await server.pointer(["mousemove", "60", "60"])
        while !end.isSet && !Task.isCancelled {
            try await server.pointer(["click", "--repeat", "10", "--delay", "100", "1"])
            clicks.add(10, ordering: .relaxed)
        }
    }

    /// Sends a signal a hundred times a second, one that the kernel keeps each of.
    func signal(until end: AttachEnd) async throws {
        while !end.isSet {
            child.kill(number)
            signals.add(1, ordering: .relaxed)
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Waits until it has counted all that it was given.
    func settle() async throws {
        let sent = sent
        _ = try await eventually("all clicks and signals", seen: { try await child.ask("count") }) {
            let counts = AttachCounts(try await child.ask("count"), .status(0))
            return counts["clicks"] >= sent.clicks && counts["signals"] >= sent.signals ? () : nil
        }
    }

    /// What it has when what an attach began is over.
    func size() async throws -> AttachSize {
        try await Task.sleep(for: .seconds(2))
        return try AttachSize(of: pid)
    }

    /// Ends its input, and returns what it counted.
    func end() async throws -> AttachCounts {
        child.closeInput()
        let line = try await child.nextLine()
        return AttachCounts(line, await child.waitForExit())
    }
}
