// SPDX-License-Identifier: MIT
// Delivers the values of a `@Published` property to its followers, in the same order in every run.

import OpenCombine

/// A subscription to a property, for as long as this object lives.
@MainActor
final class ScopeSubscription<Value: Sendable> {
    let hub: PublishedHub<Value>
    var action: @MainActor (Value) -> Void = { _ in }
    private var id: UInt64 = 0

    init(_ hub: PublishedHub<Value>) {
        self.hub = hub
        id = hub.followers.add { [weak self] in self?.action($0) }
    }

    isolated deinit { hub.followers.remove(id) }
}

/// The one subscription to a property of an object.
///
/// OpenCombine keeps subscribers in a set: two of them would be called in an order that differs from run to run.
@MainActor
final class PublishedHub<Value: Sendable> {
    /// Whose property it is.
    let owner: AnyObject
    private let key: PublishedHubs.Key
    fileprivate let followers = Listeners<Value>()
    private var subscription: AnyCancellable?

    private init(_ owner: AnyObject, _ publisher: Published<Value>.Publisher, _ key: PublishedHubs.Key) {
        self.owner = owner
        self.key = key
        // The first value is the present one. Sendable, or the closure would belong to the main actor and stop the program
        // where another thread sets a value.
        subscription = publisher.dropFirst().sink { @Sendable [weak self] value in
            onMainActor { self?.followers.call(value) }
        }
    }

    isolated deinit { PublishedHubs.known[key] = nil }

    /// The hub of a property; a new one if the property has no followers.
    static func hub<Root: AnyObject>(
        of owner: Root, _ path: KeyPath<Root, Published<Value>.Publisher>
    ) -> PublishedHub {
        let key = PublishedHubs.Key(owner: ObjectIdentifier(owner), path: path)
        if let known = PublishedHubs.known[key]?.hub as? PublishedHub { return known }
        let made = PublishedHub(owner, owner[keyPath: path], key)
        PublishedHubs.known[key] = PublishedHubs.Entry(hub: made)
        return made
    }
}

/// The hubs that are followed. An object lives as long as its hub, so that its address names it.
@MainActor
private enum PublishedHubs {
    fileprivate struct Key: Hashable {
        let owner: ObjectIdentifier
        let path: AnyKeyPath
    }

    fileprivate struct Entry {
        weak var hub: AnyObject?
    }

    static var known: [Key: Entry] = [:]
}
