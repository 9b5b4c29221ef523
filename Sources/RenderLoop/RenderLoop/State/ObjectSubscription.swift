// SPDX-License-Identifier: MIT
// A view's subscription to an `ObservableObject`. Another thread announces a change before it stores the value.

import Dispatch
import OpenCombine
@_spi(Bridge) import Rerender
import Synchronization

/// Invalidates a node whenever an object is about to change; lives until the view or the object is another.
@MainActor
final class ObjectSubscription<Object: ObservableObject>: UnmountedStorage {
    let object: Object
    private let name: String
    private weak var node: Node?
    private var change: AnyCancellable?
    /// Kept, because an object may keep it weakly, and a subscription does not keep it.
    private let publisher: Object.ObjectWillChangePublisher
    private var properties: [AnyCancellable] = []
    private var namesAreKnown = false
    private var late: LateChange?
    /// Values that come with the subscription are no changes.
    private var isSubscribed = false

    private init(_ object: Object, _ context: DynamicPropertyContext) {
        self.object = object
        name = context.name
        node = context.node
        publisher = object.objectWillChange
        if let type = PublishedProperties.lostPublisher(of: object) {
            context.node.graph.warnOfLostPublisher(type, for: context.node)
        }
        // Sendable, or it would belong to the main actor and stop the program where another thread writes.
        change = publisher.sink { @Sendable [weak self] _ in
            if MainQueue.isCurrent {
                MainActor.assumeIsolated { self?.objectWillChange() }
            } else {
                onMainActor { self?.objectWillChangeElsewhere() }
            }
        }
        isSubscribed = true
    }

    /// The subscription that the property has; another one if it has none yet, or one to another object.
    static func taken(
        from context: inout DynamicPropertyContext, replacing object: Object? = nil, _ make: @MainActor () -> Object
    ) -> ObjectSubscription {
        if let known = context.stored as? ObjectSubscription<Object> {
            if object == nil || known.object === object { return known.following() }
            known.unmount()
        }
        let made = ObjectSubscription(object ?? make(), context)
        context.stored = made
        return made.following()
    }

    func unmount() {
        late = nil
        change = nil
        properties = []
    }

    private func objectWillChange() {
        guard let node, isSubscribed else { return }
        CurrentEvaluation.warnOfWrite()
        // A property tells its own name right after this, which then stands for both.
        node.invalidate(EvaluationReason(.object, name))
    }

    /// Another thread is about to change the object, or has done so meanwhile.
    private func objectWillChangeElsewhere() {
        guard let node, node.isMounted else { return }
        node.graph.warnOfPublishing(type(of: object), for: node)
        objectWillChange()
        let late =
            late
            ?? LateChange { [weak self] in
                guard let self else { return }
                self.node?.invalidate(EvaluationReason(.object, name))
            }
        self.late = late
        let (looks, areAll) = PublishedProperties.looks(at: object)
        late.follow(looks, areAll: areAll)
    }

    /// Subscribes to the single properties when their names are needed.
    private func following() -> ObjectSubscription {
        guard !namesAreKnown, let node, node.graph.isObserved || node.record != nil else { return self }
        namesAreKnown = true
        for (label, property) in PublishedProperties.named(of: object) {
            let name = "\(name).\(plainName(label))"
            properties.append(
                property.onChange { [weak self] in
                    onMainActor { self?.node?.invalidate(EvaluationReason(.object, name)) }
                })
        }
        return self
    }
}

#if RERENDER_TSAN
    // Thread Sanitizer does not see the locks of Synchronization's.
    private typealias Mutex<Value: ~Copyable> = SanitizedMutex<Value>
#endif

/// Looks again after news of a change that another thread makes.
///
/// An object tells before it changes. On the main actor that is early enough, as the evaluation comes later in the turn;
/// what another thread tells can be evaluated before that thread has stored the value. So the properties are looked at
/// again for a while, and a value that has come in between is news of its own.
@MainActor
final class LateChange {
    /// The first look comes after 1 ms, each further one after twice the time, and the last 4 s after the announcement.
    /// Between announcing and storing, a thread only calls the property's subscribers.
    private static let looks = 12

    private let tell: @MainActor () -> Void
    private var looksAtValues: [@MainActor () -> Bool] = []
    private var seesAll = false
    private var left = 0
    private var isWaiting = false

    /// Makes one that calls `tell` for every look at which something is another than before.
    init(_ tell: @escaping @MainActor () -> Void) { self.tell = tell }

    /// There was news; these are the values as they are now. Where they are not all, `tell` is called with the last look,
    /// too.
    func follow(_ looksAtValues: [@MainActor () -> Bool], areAll: Bool) {
        self.looksAtValues = looksAtValues
        seesAll = areAll
        left = Self.looks
        wait()
    }

    private func wait() {
        guard left > 0, !isWaiting else { return }
        isWaiting = true
        let milliseconds = 1 << (Self.looks - left)
        left -= 1
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            MainActor.assumeIsolated { self?.look() }
        }
    }

    private func look() {
        isWaiting = false
        // Each look counts, also after one that found a change.
        let isChanged = looksAtValues.reduce(false) { $1() || $0 }
        if isChanged || (left == 0 && !seesAll) { tell() }
        wait()
    }
}

/// The `@Published` properties of an object.
@MainActor
enum PublishedProperties {
    /// For each property a closure that tells whether its value is another than at the last look, and whether the object
    /// has no other properties. None for an object that keeps a publisher of its own: its properties may be without the
    /// lock that lets one thread read while another writes.
    static func looks<Object: ObservableObject>(at object: Object) -> (looks: [@MainActor () -> Bool], areAll: Bool) {
        guard Object.ObjectWillChangePublisher.self == ObservableObjectPublisher.self else { return ([], false) }
        let children = children(of: object)
        if children.contains(where: { $0.value is ObservableObjectPublisher }) { return ([], false) }
        let looks = children.compactMap { ($0.value as? any PublishedProperty)?.look() }
        return (looks, !looks.isEmpty && looks.count == children.count)
    }

    /// The object's type, if each access of `objectWillChange` gives it another publisher; nil for all others.
    ///
    /// OpenCombine keeps the publisher in the `@Published` properties. Combine keeps it also where there are none. An
    /// object that is nothing but constant numbers and texts has nothing to tell.
    static func lostPublisher<Object: ObservableObject>(of object: Object) -> Any.Type? {
        // One of another type may hand on what a publisher sends that is kept.
        typealias Publisher = Object.ObjectWillChangePublisher
        guard Publisher.self == ObservableObjectPublisher.self || Publisher.self is any Subject.Type else { return nil }
        let type = type(of: object)
        if let isKept = keepsPublisher[ObjectIdentifier(type)] { return isKept ? nil : type }
        let isKept =
            object.objectWillChange as AnyObject === object.objectWillChange as AnyObject
            || StoredProperty.areConstantValues(of: type)
        keepsPublisher[ObjectIdentifier(type)] = isKept
        return isKept ? nil : type
    }

    /// By the types of objects.
    private static var keepsPublisher: [ObjectIdentifier: Bool] = [:]

    /// The properties with their names.
    static func named(of object: some ObservableObject) -> [(label: String, property: any PublishedProperty)] {
        children(of: object).compactMap { child in
            guard let label = child.label, let property = child.value as? any PublishedProperty else { return nil }
            return (label, property)
        }
    }

    private static func children(of object: some ObservableObject) -> [Mirror.Child] {
        sequence(first: Mirror(reflecting: object), next: \.superclassMirror).flatMap(\.children)
    }
}

/// A `@Published` property, of whatever type.
protocol PublishedProperty {
    /// Calls before every change, on the thread that makes it.
    func onChange(_ body: @escaping @Sendable () -> Void) -> AnyCancellable
    /// Tells whether the value is another than at the last look.
    @MainActor func look() -> @MainActor () -> Bool
}

extension Published: PublishedProperty {
    func onChange(_ body: @escaping @Sendable () -> Void) -> AnyCancellable {
        // A copy shares its storage with the object's own. The first value is the present one.
        var copy = self
        return copy.projectedValue.dropFirst().sink { _ in body() }
    }

    @MainActor func look() -> @MainActor () -> Bool {
        var copy = self
        let publisher = copy.projectedValue
        func current() -> Value? {
            let latest = LatestValue<Value>()
            // The present value comes with the subscription, which then ends. Sendable, because a value that another thread
            // writes meanwhile comes there: then it is news whether or not it has arrived.
            _ = publisher.first().sink { @Sendable value in latest.set(value) }
            return latest.value
        }
        var known = current()
        return {
            let new = current()
            defer { known = new }
            return ValueComparison.firstDifference(known, new) != nil
        }
    }
}

/// A value that comes on any thread.
///
/// Proof of `Sendable`: the lock guards the value, which is copied in and out. What it refers to is the program's.
private final class LatestValue<Value>: @unchecked Sendable {
    private var stored: Value?
    private let lock = Mutex<Void>(())

    var value: Value? { lock.withLock { _ in Transfer(stored) }.value }

    func set(_ value: Value) {
        var value: Value? = value
        lock.withLock { _ in swap(&stored, &value) }
    }
}
