// SPDX-License-Identifier: MIT
// Threads that evaluate views until they are told to stop.

import Glibc
import Rerender
import Synchronization

final class EvaluatingThreads: Sendable {
    /// Evaluations in a row; between two rows the others get the processor.
    private static let row = 20

    private let store: RerenderStore
    private let counter: OwnCounter
    private let threads: Int
    private let isOver = Atomic<Bool>(false)
    private let running = Atomic<Int>(0)

    init(_ store: RerenderStore, _ counter: OwnCounter, threads: Int) {
        self.store = store
        self.counter = counter
        self.threads = threads
    }

    func start() {
        for number in 0..<threads {
            running.add(1, ordering: .sequentiallyConsistent)
            detach { [self] in
                evaluate(number)
                running.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
    }

    func stop() {
        isOver.store(true, ordering: .sequentiallyConsistent)
        while running.load(ordering: .sequentiallyConsistent) > 0 { usleep(100) }
    }

    private func evaluate(_ thread: Int) {
        let labels = (0..<5).map { "view \(thread).\($0)" }
        while !isOver.load(ordering: .relaxed) {
            for number in 0..<Self.row {
                counter.begin(thread)
                store.evaluate(labels[number % labels.count]) {}
                counter.end(thread)
            }
            usleep(1_000)
        }
    }

    /// Forks while the other threads evaluate; nothing of the child's is to be counted.
    func fork() -> String {
        let child = forkProcess()
        guard child != 0 else {
            for _ in 0..<100 { store.evaluate("in the child") {} }
            _exit(EXIT_SUCCESS)
        }
        var status: CInt = 0
        return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? "forked" : "ended with \(status)"
    }

    private func detach(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Body(body))
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        if status != 0 { box.release() } else { pthread_detach(thread) }
    }

    private final class Body: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
