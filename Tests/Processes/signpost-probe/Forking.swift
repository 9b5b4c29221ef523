// SPDX-License-Identifier: MIT
// fork() without exec. Swift hides fork(), because few things are safe after it; that is what is tested here.

import Glibc
import Signpost
import Synchronization

@_silgen_name("fork") private func forkProcess() -> pid_t

enum Forking {
    /// Forks a child that emits and ends by `exit` (with all destructors) or `_exit`; tells how it ended.
    static func once(_ signposter: Signposter, childEnds: String) -> String {
        let pid = forkProcess()
        if pid == 0 {
            emit(signposter)
            // A new signposter in the child must not start anything either.
            emit(Signposter(subsystem: "test.child", category: "New"))
            let readiness = SignpostTracing.waitUntilReady(milliseconds: 10_000)
            guard readiness == .noLibrary, !signposter.isEnabled else { _exit(3) }
            if childEnds == "exit" { exit(0) }
            _exit(0)
        }
        return pid < 0 ? "no fork" : "child \(end(of: pid, seconds: 20))"
    }

    /// Forks again and again while other threads emit without a pause; each child ends by exit().
    static func storm(_ signposter: Signposter, forks: Int, threads: Int) -> String {
        let isOver = Shared()
        let helper = Thread { inThreads(threads) { _ in while !isOver.value { emit(signposter) } } }
        var results: [String: Int] = [:]
        for _ in 0..<forks {
            let pid = forkProcess()
            if pid == 0 { exit(0) }
            results[end(of: pid, seconds: 10), default: 0] += 1
        }
        isOver.set()
        helper.join()
        return results.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    private static func emit(_ signposter: Signposter) {
        signposter.withIntervalSignpost("forked", id: signposter.makeSignpostID()) {}
    }

    /// Waits for a child; one that hangs is killed and told apart.
    private static func end(of pid: pid_t, seconds: Int) -> String {
        var status: CInt = 0
        for _ in 0..<(seconds * 1000) {
            if waitpid(pid, &status, WNOHANG) == pid {
                return status & 0x7f == 0 ? "exited \((status >> 8) & 0xff)" : "killed by \(status & 0x7f)"
            }
            usleep(1000)
        }
        kill(pid, SIGKILL)
        waitpid(pid, &status, 0)
        return "hung"
    }
}

/// A flag that threads share.
private final class Shared: Sendable {
    private let flag = Atomic<Bool>(false)
    var value: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// One thread that runs `body`.
private final class Thread {
    private var thread = pthread_t()

    init(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(Box(body)).toOpaque())
    }

    func join() { pthread_join(thread, nil) }
}
