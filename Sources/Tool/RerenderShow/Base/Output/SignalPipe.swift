// SPDX-License-Identifier: MIT
// Passes signals through a pipe, and makes pipes that no child inherits. Only this file installs Swift signal handlers.

import Glibc
import NIOPosix
import Synchronization

/// A signal that came in.
package struct ReceivedSignal: Hashable, Sendable {
    package let number: CInt
    /// Whether a process sent it to us; the terminal and the kernel send to the whole foreground group instead.
    package let isFromProcess: Bool
}

/// Catches signals for the whole process.
///
/// The handler writes two bytes to a pipe and does nothing else: `write` and one atomic load are all that it calls, and
/// both are safe in a signal handler. `writeEnd` is touched before a handler is installed, so its lazy initialiser
/// never runs inside one. The pipe does not block; a burst beyond its 64 KiB is dropped, which only merges signals.
package enum SignalPipe {
    fileprivate static let writeEnd = Atomic<CInt>(-1)

    /// Starts to catch the signals, except those that our parent made us ignore (`nohup`).
    ///
    /// Returns the end of the pipe to read from.
    ///
    /// A later call takes over: the earlier pipe gets none any more. Throws where the system has no descriptor left.
    package static func open(_ signals: [CInt]) throws(ToolFailure) -> CInt {
        guard let ends = ClosingPipe.open() else {
            throw ToolFailure(ExitStatus.system, "cannot create a pipe for signals: \(SystemText.latest)")
        }
        _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
        writeEnd.store(ends.write, ordering: .releasing)
        for signal in signals where !Disposition.isIgnored(signal) { unsafe Disposition.handle(signal, with: note) }
        return ends.read
    }

    /// Has signals that are caught do again what they do to a process that does not catch them.
    ///
    /// Those that our parent made us ignore were not caught, and stay ignored. What waits in the pipe stays there.
    package static func release(_ signals: [CInt]) {
        for signal in signals where !Disposition.isIgnored(signal) { Disposition.restore(signal) }
    }

    /// Hands over each signal as it comes in, on a thread of its own, until the pipe is closed.
    package static func forward(_ readEnd: CInt, to take: @escaping @Sendable (ReceivedSignal) -> Void) {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        Task.detached {
            while let signal = try await pool.runIfActive({ next(readEnd) }) { take(signal) }
        }
    }

    /// Waits for the next signal; nil when the pipe is closed. Blocks: call it on a thread of its own.
    package static func next(_ readEnd: CInt) -> ReceivedSignal? {
        var bytes: [UInt8] = [0, 0]
        // read() writes at most the two bytes that the array has; the writer always writes both at once.
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(readEnd, $0.baseAddress, 2) }
            if count == 2 { return ReceivedSignal(number: CInt(bytes[0]), isFromProcess: bytes[1] == 1) }
            if count < 0, errno == EINTR { continue }
            return nil
        }
    }
}

/// What blocks runs here: Swift's own threads are few.
package enum BlockingThread {
    /// Runs work on a thread of its own, which ends with it.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        defer { pool.shutdownGracefully { _ in } }
        return try await pool.runIfActive(work)
    }
}

/// Runs in the signal's context: see ``SignalPipe`` for why each call is allowed there.
private func note(_ signal: CInt, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?) {
    let saved = errno
    let isFromProcess = unsafe (info?.pointee.si_code ?? 0) <= 0
    var bytes = (UInt8(truncatingIfNeeded: signal), UInt8(isFromProcess ? 1 : 0))
    // Two bytes on this stack, read before the call returns.
    _ = unsafe write(SignalPipe.writeEnd.load(ordering: .acquiring), &bytes, 2)
    errno = saved
}

/// What the process does on a signal.
package enum Disposition {
    typealias Handler = @convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

    /// Whether the signal is ignored now.
    package static func isIgnored(_ signal: CInt) -> Bool {
        var action = sigaction()
        // A nil new action only reads; the handler is compared as an address and never called.
        guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
        let now = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return now == ignoring
    }

    package static func ignore(_ signal: CInt) {
        _ = Glibc.signal(signal, SIG_IGN)
    }

    /// Makes it end the process, or whatever it does by default.
    fileprivate static func restore(_ signal: CInt) {
        _ = Glibc.signal(signal, SIG_DFL)
    }

    /// Calls `handler` on the signal, and goes on with system calls that it interrupts.
    ///
    /// Nothing interrupts the handler: of signals that are delivered together the kernel would run the last one's first.
    fileprivate static func handle(_ signal: CInt, with handler: @escaping Handler) {
        var action = sigaction()
        _ = unsafe sigfillset(&action.sa_mask)
        unsafe action.__sigaction_handler.sa_sigaction = handler
        action.sa_flags = SA_SIGINFO | SA_RESTART
        _ = unsafe sigaction(signal, &action, nil)
    }

    /// Ends the process by the signal's default action, so that its parent sees the same status.
    ///
    /// No core is written: it would be ours and say nothing of the process that failed.
    package static func die(by signal: CInt) -> Never {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // setrlimit only reads the value that it is given.
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = Glibc.signal(signal, SIG_DFL)
        unblock(signal)
        // raise() signals this thread, which has just let the signal in, so it returns only for a signal that does not
        // end the process.
        _ = raise(signal)
        exit(128 + signal)
    }

    /// Stops the process as Ctrl-Z does, and returns when it goes on.
    package static func stop() {
        var caught = sigaction()
        // The old action is filled by the first call and put back by the second.
        var usual = sigaction()
        unsafe usual.__sigaction_handler.sa_handler = SIG_DFL
        _ = unsafe sigaction(SIGTSTP, &usual, &caught)
        unblock(SIGTSTP)
        _ = raise(SIGTSTP)
        _ = unsafe sigaction(SIGTSTP, &caught, nil)
    }

    /// Lets a signal in to this thread: those that tasks run on block nearly all.
    private static func unblock(_ signal: CInt) {
        var mask = sigset_t()
        // All three only read or fill this one value.
        _ = unsafe sigemptyset(&mask)
        _ = unsafe sigaddset(&mask, signal)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    }
}

/// Makes pipes with close-on-exec. A child gets an end only if it is passed explicitly.
///
/// In one step: a program that another thread starts between `pipe` and `fcntl` would hold the end open, and the reader would
/// wait for it.
package enum ClosingPipe {
    /// Both ends; nil where the system has no descriptor left, with `errno` saying why.
    package static func open() -> (read: CInt, write: CInt)? {
        var ends: (CInt, CInt) = (-1, -1)
        // pipe2() fills the two numbers of the tuple, which are beside one another.
        let result = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
            unsafe bytes.baseAddress.map { unsafe pipe2($0, O_CLOEXEC) } ?? -1
        }
        return result == 0 ? (ends.0, ends.1) : nil
    }
}

// Glibc's module leaves it out, because its header shows it under _GNU_SOURCE only.
@_silgen_name("pipe2")
private func pipe2(_ ends: UnsafeMutableRawPointer, _ flags: CInt) -> CInt
