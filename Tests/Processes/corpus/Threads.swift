// SPDX-License-Identifier: MIT
// Views evaluated on one thread while others write their models and tell the store things: a race of ours is one that
// Thread Sanitizer sees. The app itself has none: each model is guarded, in the app's own way.

import Glibc
import Observation
import Rerender
import Synchronization

/// Observable by hand: its value is guarded by itself.
private final class Meter: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let storage = Atomic(0)

    var level: Int {
        get {
            registrar.access(self, keyPath: \.level)
            return storage.load(ordering: .relaxed)
        }
        set { registrar.withMutation(of: self, keyPath: \.level) { storage.store(newValue, ordering: .relaxed) } }
    }
}

@Observable private final class Part {
    var number = 0
}

/// Guarded from outside, by ``Hall/lock``.
@Observable private final class Shelf {
    var count = 0
    var title = "a title that is too long to be kept in the string itself"
    var numbers: [Int] = []
    var part = Part()
}

private struct Panel {
    let meter: Meter
    let meters: [Meter]
    let shelf: Shelf
    var title: String
}

/// What the threads share. Proof of the unchecked part: `shelf` is only touched under `lock`.
private final class Hall: @unchecked Sendable {
    let store = RerenderStore(name: "hall")
    /// Never reset, so that its counts can be checked.
    let counted = RerenderStore(name: "counted")
    let meters = (0..<4).map { _ in Meter() }
    let shelf = Shelf()
    let isOver = Atomic(false)
    let writes = Atomic(0)
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(mutex, nil) }
    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    func panel(_ round: Int) -> Panel {
        Panel(meter: meters[round % 4], meters: meters, shelf: shelf, title: "\(round / 2)")
    }

    /// One evaluation of every kind.
    func evaluate(_ round: Int) {
        let instance = InstanceID(rawValue: UInt64(round % 50))
        _ = store.evaluate("Meters", of: panel(round), instance: instance, comparing: .equatable) {
            panel(round).meters.reduce(0) { $0 + $1.level }
        }
        // An app that guards its models from outside guards the whole evaluation.
        locked {
            store.evaluate("Shelf", of: panel(round)) {
                _ = (shelf.count, shelf.title, shelf.numbers.count, shelf.part.number)
                store.evaluate("Part", of: shelf.part, instance: instance, parent: "Meters") { _ = shelf.part.number }
            }
        }
        counted.evaluate("Meters", of: panel(round)) { _ = meters[0].level }
    }

    func write(_ round: Int, _ writer: Int) {
        meters[writer].level += 1
        meters[(writer + 1) % 4].level = round
        locked {
            shelf.count += 1
            if round % 3 == 0 { shelf.title += "." }
            if round % 100 == 0 { shelf.title = "a title that is too long to be kept in the string itself" }
            shelf.numbers = Array(0..<(round % 20))
            if round % 5 == 0 { shelf.part = Part() }
            shelf.part.number += 1
        }
        writes.add(3, ordering: .relaxed)
    }

    /// All that a bridge or a reader may call, on any thread.
    func tell(_ round: Int, _ writer: Int) {
        let instance = InstanceID(rawValue: UInt64(round % 50))
        switch (round + writer) % 9 {
        case 0: store.invalidate("Meters", instance: instance, cause: "state \(writer)", writer: "tell()")
        case 1: store.committed("Meters", changed: round % 2 == 0, instance: instance)
        case 2: store.ended("Meters", instance: instance)
        case 3: store.ended("Shelf")
        case 4: store.reading("Meters", instance: instance) { _ = meters[writer].level }
        case 5: if round % 20 == 0 { store.reset() }
        case 6: _ = store.stats
        case 7: if round % 10 == 0 { _ = store.exportJSON() }
        default: store.evaluate("Row \(round % 30)", of: round) { _ = meters[writer].level }
        }
    }
}

/// Evaluates `rounds` times and more while four threads write and tell; whether nothing was lost on the way.
func checkThreads(rounds: Int) -> Bool {
    let hall = Hall()
    let threads = (0..<4).map { writer in
        startThread {
            var round = 0
            while !hall.isOver.load(ordering: .relaxed) {
                hall.write(round, writer)
                hall.tell(round, writer)
                round += 1
            }
        }
    }
    for round in 0..<rounds { hall.evaluate(round) }
    hall.isOver.store(true, ordering: .relaxed)
    for thread in threads { pthread_join(thread, nil) }

    let before = hall.counted.stats.first
    hall.meters[0].level += 1
    hall.counted.evaluate("Meters", of: hall.panel(rounds - 1)) { _ = hall.meters[0].level }
    let after = hall.counted.stats.first
    let reason = rounds % 4 == 1 ? "meter.level" : "meters[].level"
    print(
        "\(rounds) rounds, \(hall.writes.load(ordering: .relaxed)) writes by others, then: \(after?.lastReason ?? "")")
    guard let before, let after else { return false }
    return before.count == rounds && after.count == rounds + 1 && after.lastReason == reason
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    pthread_create(
        &thread, nil,
        { argument in
            if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }, argument)
    return thread
}
