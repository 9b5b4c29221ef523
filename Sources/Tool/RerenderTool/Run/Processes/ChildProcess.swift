// SPDX-License-Identifier: MIT
// Starts a process with posix_spawn in the state that this one inherited, signals it, and waits for it.

import Glibc
import RerenderDaemon
import RerenderShow
import Synchronization

package enum ProcessEnding: Hashable, Sendable {
    case exited(CInt)
    case killed(by: CInt)

    /// Ends this process in the same way.
    package func repeatIt() -> Never {
        switch self {
        case .exited(let status): exit(status)
        case .killed(let signal): Disposition.die(by: signal)
        }
    }
}

/// A started process.
///
/// The pid stays ours until ``wait()`` has returned: signals go out under the lock that the reaping takes, so none can
/// reach a stranger that was given the number afterwards.
final class ChildProcess: Sendable {
    let pid: pid_t
    private let isReaped = Mutex(false)

    private init(pid: pid_t) {
        self.pid = pid
    }

    enum Output: Sendable {
        /// What we have.
        case inherited
        /// These descriptors for output and errors, no input, and its own process group, so that Ctrl-C does not reach it.
        case captured(CInt, errors: CInt)
    }

    /// Starts a program, looked for in `$PATH`, with the state that we were started with.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments; not empty.
    ///   - environment: `NAME=value`, as bytes; see ``LaunchBytes``.
    /// - Throws: The system's error number, `ENOENT` where there is no such program.
    static func start(
        _ arguments: [[UInt8]], environment: [[UInt8]], output: Output = .inherited
    ) throws(SpawnError) -> ChildProcess {
        var attributes = posix_spawnattr_t()
        var actions = unsafe posix_spawn_file_actions_t()
        // Both are initialised before any other use and destroyed on every way out.
        unsafe posix_spawnattr_init(&attributes)
        unsafe posix_spawn_file_actions_init(&actions)
        defer {
            unsafe posix_spawnattr_destroy(&attributes)
            unsafe posix_spawn_file_actions_destroy(&actions)
        }
        let isCaptured = if case .captured = output { true } else { false }
        restoreState(&attributes, apart: isCaptured)
        if case .captured(let descriptor, let errors) = output { unsafe capture(&actions, descriptor, errors) }
        var pid: pid_t = 0
        let error = unsafe LaunchBytes.withCStrings(arguments) { argv in
            unsafe LaunchBytes.withCStrings(environment) { envp in
                // Both lists end with nil and live until the call has returned, when the child has its own copy.
                guard let program = unsafe argv[0] else { return EINVAL }
                return unsafe posix_spawnp(&pid, program, &actions, &attributes, argv, envp)
            }
        }
        guard error == 0 else { throw SpawnError(number: error) }
        return ChildProcess(pid: pid)
    }

    /// Sends a signal; nothing happens when the process has ended.
    func send(_ signal: CInt) {
        isReaped.withLock { isReaped in
            if !isReaped { _ = kill(pid, signal) }
        }
    }

    /// Waits until the process has ended. Blocks: call it on a thread of its own, once.
    func wait() -> ProcessEnding {
        var info = unsafe siginfo_t()
        // WNOWAIT leaves the process a zombie, so its number stays taken until the lock is held.
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        var status: CInt = 0
        isReaped.withLock { isReaped in
            _ = unsafe waitpid(pid, &status, 0)
            isReaped = true
        }
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(by: signal)
    }

    private static func restoreState(_ attributes: inout posix_spawnattr_t, apart: Bool) {
        var mask = LaunchState.current.signalMask
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        if !LaunchState.current.ignoresPipe { unsafe sigaddset(&defaults, SIGPIPE) }
        unsafe posix_spawnattr_setsigmask(&attributes, &mask)
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        let group = apart ? CInt(POSIX_SPAWN_SETPGROUP) : 0
        let flags = CInt(POSIX_SPAWN_SETSIGMASK) | CInt(POSIX_SPAWN_SETSIGDEF) | group
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    private static func capture(
        _ actions: inout posix_spawn_file_actions_t, _ descriptor: CInt, _ errors: CInt
    ) {
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    }
}

/// Why a program could not be started.
package struct SpawnError: Error, Hashable, Sendable {
    /// The system's error number.
    let number: CInt

    /// The exit status and text that shells use.
    func failure(of program: String) -> ToolFailure {
        number == ENOENT
            ? ToolFailure(ExitStatus.notFound, "\(program): command not found")
            : ToolFailure(ExitStatus.cannotRun, "\(program): cannot run: \(SystemText.of(number))")
    }
}

/// The state that a child inherits, as it was before this program changed it.
package struct LaunchState: Sendable {
    /// Signals that the main thread blocked. The threads that Swift's tasks run on block many more.
    let signalMask: sigset_t
    /// Whether our parent made us ignore a pipe without a reader; else it ends a process, as it should end the command.
    package let ignoresPipe: Bool
    /// The descriptors that our parent gave us: a shell's redirections, a make's job server.
    let descriptors: Set<CInt>

    /// The state at the start: read it first in `main`, on the main thread.
    package static let current = LaunchState()

    private init() {
        var mask = sigset_t()
        // A nil new mask only reads; `mask` is filled or stays empty.
        _ = unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
        signalMask = mask
        ignoresPipe = Disposition.isIgnored(SIGPIPE)
        descriptors = Set(Self.openDescriptors())
        Self.occupyClosed(among: descriptors)
    }

    /// Takes the numbers of input, output and errors where our parent closed them (`2>&-`), or the next file that we open
    /// would get what is meant for them.
    ///
    /// Opened the wrong way round, so that using them fails as it does on a closed one; a command finds them closed.
    private static func occupyClosed(among descriptors: Set<CInt>) {
        // The lowest number that is free is given out first, so each opens what it is meant for.
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where !descriptors.contains(number) {
            _ = unsafe open("/dev/null", (number == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC)
        }
    }

    /// Marks every descriptor that is ours so that no command inherits it.
    ///
    /// NIO opens sockets without that mark. A socket that is opened between this and the start of the command could
    /// slip through. None is: only this process talks to the daemon yet.
    func closeOwnDescriptorsOnExec() {
        for descriptor in Self.openDescriptors() where descriptor > 2 && !descriptors.contains(descriptor) {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    private static func openDescriptors() -> [CInt] {
        FileSystem.names(in: "/proc/self/fd", limit: .max).compactMap { CInt($0) }.filter { fcntl($0, F_GETFD) != -1 }
    }
}
