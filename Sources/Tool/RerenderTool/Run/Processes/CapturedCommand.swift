// SPDX-License-Identifier: MIT
// Runs a short command and reads its output; runs this program once more for work that may crash it.

import Glibc
import NIOPosix
import RerenderShow

/// How a command ended, and its output.
package struct CapturedOutput: Hashable, Sendable {
    package var ending: ProcessEnding
    package var output = ""
    package var errors = ""

    package var succeeded: Bool { ending == .exited(0) }
}

/// Runs small programs of the system.
package enum CapturedCommand {
    /// How long a program may take.
    package static let limit = Duration.seconds(5)
    /// The most that is read of its output, and of its errors.
    static let longest = 1 << 20

    /// The program's standard output; nil where it cannot be run, does not end in time, or ends with another status
    /// than 0.
    package static func output(of arguments: [String]) async -> String? {
        guard let result = try? await run(arguments), result.succeeded else { return nil }
        return result.output
    }

    /// Runs a program to its end, or kills it when the time is over.
    ///
    /// Throws where it cannot be started. Ctrl-C at the terminal does not reach it.
    ///
    /// - Parameters:
    ///   - values: Variables of its environment that are others than ours.
    ///   - endsWithCaller: Whether it gets a SIGTERM if the caller's task is cancelled. Its result is waited for all the same.
    package static func run(
        _ arguments: [String], limit: Duration = limit, values: [String: String] = [:], endsWithCaller: Bool = false
    ) async throws(SpawnError) -> CapturedOutput {
        let (output, errors) = (try pipe(), try pipe())
        defer { for end in [output.read, errors.read] { _ = close(end) } }
        let child: ChildProcess
        do {
            child = try ChildProcess.start(
                arguments.map { Array($0.utf8) }, environment: LaunchBytes.environment(with: values),
                output: .captured(output.write, errors: errors.write))
        } catch {
            for end in [output.write, errors.write] { _ = close(end) }
            throw error
        }
        for end in [output.write, errors.write] { _ = close(end) }
        let alarm = Task {
            try await Task.sleep(for: limit)
            child.send(SIGKILL)
        }
        defer { alarm.cancel() }
        // One thread for each pipe: a program that fills one while we read the other would wait for ever.
        let pool = NIOThreadPool(numberOfThreads: 2)
        pool.start()
        defer { pool.shutdownGracefully { _ in } }
        // Not cancelled with the caller: the program's result is still needed.
        let work = Task {
            async let said = try? pool.runIfActive { collect(output.read) }
            async let complained = try? pool.runIfActive { collect(errors.read) }
            let texts = await (said ?? "", complained ?? "")
            let ending = (try? await pool.runIfActive { child.wait() }) ?? .killed(by: SIGKILL)
            return CapturedOutput(ending: ending, output: texts.0, errors: texts.1)
        }
        return await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            if endsWithCaller { child.send(SIGTERM) }
        }
    }

    private static func pipe() throws(SpawnError) -> (read: CInt, write: CInt) {
        guard let ends = ClosingPipe.open() else { throw SpawnError(number: errno) }
        return ends
    }

    /// Reads to the end, and keeps no more than ``longest``.
    private static func collect(_ descriptor: CInt) -> String {
        var text: [UInt8] = []
        while let piece = try? InputFile.next(descriptor, fault: { ToolFailure(ExitStatus.system, SystemText.of($0)) })
        {
            text += piece.prefix(longest - text.count)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// This program as a child of itself.
package enum OwnProgram {
    /// What `posix_spawn` finds this program by, also where its file was replaced.
    package static let path = "/proc/self/exe"
    /// Names the parent of a child that has its arguments, so that no other process takes itself for one.
    private static let variable = "RERENDERCTL_PARENT"

    /// Whether this process is a child that has the arguments of its parent.
    package static var isChild: Bool { environmentVariable(variable) == String(getppid()) }

    /// Signals by which a process ends that is at fault itself.
    private static let faults = [
        SIGABRT: "SIGABRT", SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGILL: "SIGILL", SIGFPE: "SIGFPE",
        SIGTRAP: "SIGTRAP",
    ]

    /// The name of the signal if a process ended by a fault of its own; nil if it ended in any other way.
    package static func fault(_ ending: ProcessEnding) -> String? {
        if case .killed(let signal) = ending { faults[signal] } else { nil }
    }

    /// Runs this program with the same arguments, input and output, and returns how it ended. Passes signals on to it.
    ///
    /// Call it before anything of the input is read, and once: it catches signals.
    package static func repeated() async throws -> ProcessEnding {
        let signals = try SignalPipe.open(CommandSupervisor.signals)
        let arguments = LaunchBytes.words(Array(CommandLine.arguments.dropFirst()))
        return try await CommandSupervisor(cleanUp: nil).run(
            bytes: [Array(path.utf8)] + arguments,
            environment: LaunchBytes.environment(with: [variable: String(getpid())]), signals: signals)
    }
}
