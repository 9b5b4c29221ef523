// SPDX-License-Identifier: MIT
// The signal state and descriptors that this process inherited, and that its commands must inherit.

import Glibc
import RerenderDaemon
import RerenderShow

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
