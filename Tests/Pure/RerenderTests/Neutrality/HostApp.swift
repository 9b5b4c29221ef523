// SPDX-License-Identifier: MIT
// A small framework with a log of all that happens in it; its bodies run with our probe around them, or bare.

import Foundation
import Observation
import Rerender
import Synchronization

/// What happened, in order. From any thread.
final class EventLog: Sendable {
    private let entries = Mutex<[String]>([])

    func note(_ event: String) { entries.withLock { $0.append(event) } }

    /// Observation calls several observers of one write in the order of a set, another in each run, bare or not: those
    /// that follow one another are sorted.
    var events: [String] {
        var events: [String] = []
        var invalidations: [String] = []
        for event in entries.withLock({ $0 }) {
            if event.hasPrefix("invalidated") {
                invalidations.append(event)
            } else {
                events += invalidations.sorted() + [event]
                invalidations = []
            }
        }
        return events + invalidations.sorted()
    }
}

/// A mounted view: what it is called, how to make its value, and its body.
final class MountedView {
    let key: String
    let instance: UInt64
    fileprivate let evaluate: (HostApp) throws -> String

    /// - Parameters:
    ///   - view: Makes the view's value anew for each evaluation, as a framework does.
    ///   - body: Returns what it would show.
    init<View>(
        _ key: String, instance: UInt64 = 0, _ view: @escaping () -> View, body: @escaping (View) throws -> String
    ) {
        self.key = key
        self.instance = instance
        evaluate = { host in
            let view = view()
            guard let store = host.store else { return try body(view) }
            return try store.evaluate(
                key, of: view, instance: InstanceID(rawValue: instance), comparing: host.isComparing ? .equatable : nil
            ) { try body(view) }
        }
    }
}

/// Evaluates views and evaluates them again when what they read has changed; all on one thread.
final class HostApp {
    let log = EventLog()
    /// nil: bodies run bare.
    fileprivate let store: RerenderStore?
    fileprivate let isComparing: Bool
    private var views: [String: MountedView] = [:]
    /// Filled by writers on any thread.
    private final class Queue: Sendable {
        let keys = Mutex<[String]>([])
    }
    private let queue = Queue()

    init(probed: Bool, isComparing: Bool = false) {
        store = probed ? RerenderStore(name: "neutral") : nil
        self.isComparing = isComparing
    }

    /// How often the store says that it saw a view evaluated.
    func counted(_ key: String) -> UInt64 { store?.stats.first { $0.key.rawValue == key }?.count ?? 0 }

    /// What the framework itself tells a store.
    func tell(_ body: (RerenderStore) -> Void) { if let store { body(store) } }

    func mount(_ view: MountedView) {
        views[Self.id(view)] = view
        render(view)
    }

    func unmount(_ view: MountedView, tellsStore: Bool = true) {
        views[Self.id(view)] = nil
        if tellsStore { store?.ended(view.key, instance: InstanceID(rawValue: view.instance)) }
        log.note("unmounted \(Self.id(view))")
    }

    /// Evaluates what was invalidated, each view once, until nothing is.
    func update() {
        log.note("update")
        while true {
            let keys = queue.keys.withLock { keys in
                defer { keys = [] }
                return keys.sorted()
            }
            if keys.isEmpty { return }
            var met: Set<String> = []
            for key in keys where met.insert(key).inserted {
                if let view = views[key] { render(view) }
            }
        }
    }

    /// Evaluates one view under a tracking of the app's own.
    @discardableResult func render(_ view: MountedView) -> String {
        let id = Self.id(view)
        log.note("body \(id)")
        let output = withObservationTracking {
            do { return try view.evaluate(self) } catch { return "error \(error)" }
        } onChange: { [log, queue] in
            log.note("invalidated \(id)")
            queue.keys.withLock { $0.append(id) }
        }
        log.note("output \(id): \(output)")
        return output
    }

    /// Evaluates without any tracking of the app's own.
    func evaluateOnce<View, Output>(_ key: String, of view: View, _ body: () -> Output) -> Output {
        guard let store else { return body() }
        return store.evaluate(key, of: view, body)
    }

    private static func id(_ view: MountedView) -> String { "\(view.key)#\(view.instance)" }
}

/// An object whose end is an event.
class Mortal {
    private let name: String
    private let log: EventLog

    init(_ name: String, _ log: EventLog) {
        self.name = name
        self.log = log
    }

    deinit { log.note("\(name) ended") }
}
