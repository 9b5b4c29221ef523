// SPDX-License-Identifier: MIT
// The one way in which tests start a program, signal it and wait for its end.

import Foundation
import Glibc
import Synchronization

/// A program that has none of our descriptors but those that it is given, and none of our blocked and ignored signals.
///
/// Not by `Foundation.Process`: a child of another thread that is started at the same moment inherits what is open then. It holds pipes
/// open, and hides the ends of other children.
package final class StartedChild: Sendable {
    /// What a child has in the place of its input, its output or its errors.
    package enum Descriptor {
        /// A copy of one of ours, or of one before it in the list.
        case copy(of: Int32)
        /// A file that the child opens.
        case file(String, flags: Int32)
    }

    /// Which group of processes a child is in: signals of a terminal, and `kill 0` of a script, reach a whole group.
    package enum Group {
        case ours, own, newSession
    }

    package let pid: Int32
    /// Readable once it has ended.
    let end: Int32
    private let known = Mutex<ChildProcess.Exit?>(nil)

    /// Starts a program by its path.
    ///
    /// - Parameter descriptors: Its first ones. Those of the first three that are left out are ours.
    package init(
        _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
        _ descriptors: [Descriptor], in group: Group = .own
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            switch descriptor {
            case .copy(let copied): posix_spawn_file_actions_adddup2(&actions, copied, Int32(number))
            case .file(let path, let flags):
                posix_spawn_file_actions_addopen(&actions, Int32(number), path, flags, 0o644)
            }
        }
        guard addCloseFrom(&actions, 3) == 0 else { throw ChildProcess.Failure("a child would inherit descriptors") }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        signal(SIGPIPE, SIG_IGN)  // a child that died must not take the tests with it
        // Threads of the cooperative pool block signals, and children inherit that.
        var (blocked, byDefault) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        sigemptyset(&byDefault)
        sigaddset(&byDefault, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &byDefault)
        let apart =
            switch group {
            case .ours: CInt(0)
            case .own: CInt(POSIX_SPAWN_SETPGROUP)
            case .newSession: posixSpawnSetSession
            }
        posix_spawnattr_setflags(
            &attributes, Int16(CInt(POSIX_SPAWN_SETSIGMASK) | CInt(POSIX_SPAWN_SETSIGDEF) | apart))
        let words = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, command[0], &actions, &attributes, words, variables)
        guard status == 0 else { throw ChildProcess.Failure("\(command[0]): \(String(cString: strerror(status)))") }
        let opened = openProcess(child, 0)
        guard opened >= 0 else {
            let reason = String(cString: strerror(errno))
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
            throw ChildProcess.Failure("the end of \(command[0]) cannot be awaited: \(reason)")
        }
        (pid, end) = (child, opened)
    }

    deinit {
        send(SIGKILL)
        wait()
        close(end)
    }

    /// How it ended; nil while it runs. One that has ended is a zombie until this is asked for, or awaited.
    package var exit: ChildProcess.Exit? { reap(WNOHANG) }

    /// Signals it, unless it is known to have ended: its number may be another's then.
    package func send(_ signal: Int32) {
        known.withLock { known in
            if known == nil { _ = kill(pid, signal) }
        }
    }

    /// Blocks until it has ended, and returns how; nil where it has not within that time.
    @discardableResult
    package func wait(within seconds: Double? = nil) -> ChildProcess.Exit? {
        UnixStream.isReady([end], POLLIN, within: seconds) ? reap(0) : nil
    }

    private func reap(_ flags: Int32) -> ChildProcess.Exit? {
        known.withLock { known in
            var status: Int32 = 0
            if known == nil, waitpid(pid, &status, flags) == pid {
                // As WIFSIGNALED and WEXITSTATUS do, which Swift does not have.
                let signal = status & 0x7F
                known = signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
            }
            return known
        }
    }

    /// Runs a command without input to its end, and returns what it wrote to its output and errors. Blocks.
    package static func run(_ command: [String]) throws -> (exit: ChildProcess.Exit, text: String) {
        let pipe = try ChildPipe()
        let child = try StartedChild(
            command,
            [.file("/dev/null", flags: O_RDONLY), .copy(of: pipe.writing.fileDescriptor), .copy(of: 1)])
        try pipe.writing.close()
        var bytes: [UInt8] = []
        ChildPipe.read(pipe.reading.fileDescriptor) { bytes += $0 }
        guard let exit = child.wait() else { throw ChildProcess.Failure("the end of \(command[0]) is not known") }
        return (exit, String(decoding: bytes, as: UTF8.self))
    }

    /// Whether a command can be run and succeeds.
    package static func succeeds(_ command: [String]) -> Bool { (try? run(command))?.exit == .status(0) }
}

/// POSIX_SPAWN_SETSID of <spawn.h>, which Glibc's module leaves out, as it does the two functions.
private let posixSpawnSetSession: CInt = 0x80
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func addCloseFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: CInt) -> CInt
@_silgen_name("pidfd_open")
private func openProcess(_ pid: pid_t, _ flags: CUnsignedInt) -> CInt
