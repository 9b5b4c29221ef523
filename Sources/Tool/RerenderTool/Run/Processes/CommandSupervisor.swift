// SPDX-License-Identifier: MIT
// Runs a command in the foreground: forwards signals to it, or gives it the terminal, until it ends.

import Glibc
import NIOPosix
import RerenderShow
import Synchronization

/// How long a command may run.
package struct CommandLimit: Sendable {
    let duration: Duration
    /// What is done when the time is over, before the command is ended.
    let atEnd: @Sendable () async -> Void
    /// How long the command may take to end by itself after SIGTERM.
    static let patience = Duration.seconds(5)

    package init(_ duration: Duration, atEnd: @escaping @Sendable () async -> Void) {
        (self.duration, self.atEnd) = (duration, atEnd)
    }

    /// Ends the process when the time is over.
    fileprivate func alarm(for child: ChildProcess) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: duration)
            await atEnd()
            child.send(SIGTERM)
            try await Task.sleep(for: Self.patience)
            child.send(SIGKILL)
        }
    }
}

/// Runs one command so that it feels as if we were not there.
///
/// The command is in our process group: the terminal sends Ctrl-C, Ctrl-Z and Ctrl-\ to both of us, and a shell stops
/// and continues both. So only what a process sends to us alone is passed on. (What is sent to the whole group by a
/// process reaches the command twice; nothing tells the two cases apart.)
package final class CommandSupervisor: Sendable {
    /// Signals that are passed on.
    package static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH]
    /// Those of them that end us once the command has ended.
    package static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private let running = Mutex<ChildProcess?>(nil)
    /// Signals that the command has had: each may come once more, since `timeout` sends its own to us and then to our group.
    private let had = Mutex<Set<CInt>>([])
    private let cleanUp: (@Sendable () -> Void)?

    /// - Parameter cleanUp: What to do when a signal ends us after the command's end; nil where none shall end us then.
    package init(cleanUp: (@Sendable () -> Void)?) {
        self.cleanUp = cleanUp
    }

    /// A signal that came before the command started and would have ended us; Ctrl-C did not reach the command, which was not
    /// there yet.
    package static func endingSignal(in pipe: CInt) -> CInt? {
        while InputFile.isReadable(pipe, until: .now), let signal = SignalPipe.next(pipe) {
            if ending.contains(signal.number) { return signal.number }
        }
        return nil
    }

    /// Starts the command and returns how it ended; throws status 126 or 127 where it cannot be started.
    ///
    /// - Parameters:
    ///   - pipe: Where ``signals`` come in. They are caught already: one that comes before the command has started waits there.
    ///   - limit: How long it may run; nil for as long as it wants.
    package func run(
        _ command: [String], environment: [[UInt8]], signals pipe: CInt, limit: CommandLimit? = nil
    ) async throws -> ProcessEnding {
        try await run(bytes: LaunchBytes.words(command), environment: environment, signals: pipe, limit: limit)
    }

    /// The same for a program and its arguments byte for byte.
    func run(
        bytes command: [[UInt8]], environment: [[UInt8]], signals pipe: CInt, limit: CommandLimit? = nil
    ) async throws -> ProcessEnding {
        LaunchState.current.closeOwnDescriptorsOnExec()
        let child = try start(command, environment)
        running.withLock { $0 = child }
        SignalPipe.forward(pipe) { self.take($0) }
        let alarm = limit?.alarm(for: child)
        let ending = try await BlockingThread.run { child.wait() }
        alarm?.cancel()
        // What is done at the end of the time uses the daemon, which the caller stops.
        _ = await alarm?.result
        if case .killed(let signal) = ending { _ = had.withLock { $0.insert(signal) } }
        running.withLock { $0 = nil }
        return ending
    }

    private func start(_ command: [[UInt8]], _ environment: [[UInt8]]) throws(ToolFailure) -> ChildProcess {
        do {
            return try ChildProcess.start(command, environment: environment)
        } catch {
            throw error.failure(of: Printable.text(String(decoding: command.first ?? [], as: UTF8.self)))
        }
    }

    private func take(_ signal: ReceivedSignal) {
        if let child = running.withLock({ $0 }) {
            guard signal.isFromProcess else { return }
            _ = had.withLock { $0.insert(signal.number) }
            child.send(signal.number)
        } else if signal.isFromProcess, had.withLock({ $0.remove(signal.number) }) != nil {
            return
        } else if Self.ending.contains(signal.number), let cleanUp {
            cleanUp()
            Disposition.die(by: signal.number)
        }
    }
}

/// Runs a command that uses the terminal, such as an editor.
package enum ForegroundCommand {
    /// Runs it in our process group with our input and output, and returns how it ended. Throws where it cannot be started.
    package static func run(_ arguments: [String]) async throws(SpawnError) -> ProcessEnding {
        LaunchState.current.closeOwnDescriptorsOnExec()
        let child = try ChildProcess.start(
            arguments.map { Array($0.utf8) }, environment: LaunchBytes.environment(with: [:]))
        return (try? await BlockingThread.run { child.wait() }) ?? .exited(0)
    }
}

// Runs a short command and reads its output; runs this program once more for work that may crash it.

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
