// SPDX-License-Identifier: MIT
// Finds the views in what bodies return: one that is there, and whose body is never asked for, was not seen.

import CInject
import Rerender
import Synchronization

/// Looks at the outputs of one view's body, as long as there may be a view in them that was not seen.
final class Outputs: Sendable {
    private let conformance: UInt
    private let protocolAddress: UInt
    /// The place of the body's type among the protocol's requirements; nil where the outputs cannot be looked at.
    private let bodyType: UInt32?
    private let store: RerenderStore
    /// The stamp of the type in whose outputs there is nothing to find.
    private let settled = Atomic<UInt>(0)

    init(of view: FoundView, in store: RerenderStore) {
        (conformance, protocolAddress) = (view.conformance, view.protocolAddress)
        bodyType = BodyResults.areInMemory(view) ? view.bodyType.map { UInt32($0) } : nil
        self.store = store
    }

    /// Whether an output of a type is to be looked at: not where nothing counts, as in a forked child.
    @inline(__always)
    func isWanted(_ type: UInt) -> Bool {
        bodyType != nil && settled.load(ordering: .relaxed) != stamp(of: type) && store.isEnabled
    }

    /// Looks at an output, unless another thread is looking at one: another output will come.
    ///
    /// Proof of the unsafe parts: the output is a body's result, which is there until its caller has it. Type and table are followed
    /// only once it is known that the table is one of the view's conformance.
    ///
    /// - Returns: False where they are something else, as where a body throws an error of a type of its own.
    func look(at output: UInt, type: UInt, table: UInt) -> Bool {
        guard let bodyType else { return true }
        let (conformance, protocolAddress) = (conformance, protocolAddress)
        return UnseenViews.shared.withLockIfAvailable { unseen in
            guard
                let body = unseen.body(
                    of: type, table,
                    {
                        guard
                            unsafe crerender_is_table_of(
                                UnsafeRawPointer(bitPattern: table), UnsafeRawPointer(bitPattern: conformance))
                        else { return nil }
                        return unsafe UInt(
                            bitPattern: crerender_associated_type(
                                UnsafeRawPointer(bitPattern: protocolAddress), bodyType,
                                UnsafeRawPointer(bitPattern: type),
                                UnsafeRawPointer(bitPattern: table)))
                    })
            else { return false }
            let stamp = stamp(of: type)
            if unsafe !unseen.look(at: output, type: body, of: protocolAddress, epoch: store.injectedEpoch) {
                settled.store(stamp, ordering: .relaxed)
            }
            return true
        } ?? true
    }

    /// A word that is another one for another type, once there are more views, and after a reset.
    @inline(__always)
    private func stamp(of type: UInt) -> UInt {
        // Metadata is aligned to words, and lies below 2⁴⁷. A million new views and resets in between would be needed for an error.
        (type >> 3) << 20 | (UnseenViews.additions.load(ordering: .relaxed) &+ UInt(store.injectedEpoch)) & 0xF_FFFF
    }
}

/// The views of this process whose bodies were not seen yet, so far as is known.
struct UnseenViews {
    static let shared = Mutex(UnseenViews())
    /// How many views were ever added. Raised under the lock.
    static let additions = Atomic<UInt>(0)

    private struct Entry {
        let view: InjectedView
        let protocolAddress: UInt
    }

    private struct Call: Hashable {
        let type, table: UInt
    }

    /// By their types' declarations. A type may be a view of several protocols.
    private var views: [UInt: [Entry]] = [:]
    /// The types of outputs, of calls whose tables were looked at.
    private var bodies: [Call: UInt] = [:]
    private var search = ValueSearch()
    /// Of which a value was found in this epoch.
    private var found: Set<UInt> = []
    private var epoch: UInt32 = 0
    /// Searches that found nothing new since something was, and at how many to find out what was seen meanwhile.
    private var (inVain, limit) = (0, firstLimit)
    private static let (firstLimit, lastLimit) = (16, 1024)
    private var allowance = SearchAllowance(since: InjectedView.now)
    private var isMissedTold = false

    mutating func add(_ view: InjectedView, of found: FoundView) {
        views[found.descriptor, default: []].append(Entry(view: view, protocolAddress: found.protocolAddress))
        search.add(found.descriptor)
        (inVain, limit) = (0, Self.firstLimit)
        Self.additions.add(1, ordering: .relaxed)
    }

    /// The metadata of a body's type, found out once for each type and table.
    mutating func body(of type: UInt, _ table: UInt, _ find: () -> UInt?) -> UInt? {
        let call = Call(type: type, table: table)
        if let known = bodies[call] { return known }
        let body = find()
        bodies[call] = body
        return body
    }

    /// Notes the views in an output; false if there can be none, now and later, that was not seen or noted.
    ///
    /// - Parameters:
    ///   - output: Where it is.
    ///   - type: The metadata of its type.
    ///   - protocolAddress: The protocol of the view whose output it is: only views of the same are meant.
    @unsafe
    mutating func look(at output: UInt, type: UInt, of protocolAddress: UInt, epoch: UInt32) -> Bool {
        guard let output = unsafe UnsafeRawPointer(bitPattern: output),
            let type = unsafe UnsafeRawPointer(bitPattern: type)
        else { return true }
        if epoch != self.epoch {
            self.epoch = epoch
            for declaration in found { search.add(declaration) }
            found = []
        }
        guard unsafe search.mayFind(in: type) else { return false }
        guard allowance.allows(search.values, at: InjectedView.now) else {
            tellOfMissed()
            return true
        }
        let declarations = unsafe search.declarations(in: output, type: type)
        var isNew = false
        for declaration in declarations {
            let meant = views[declaration, default: []].filter { $0.protocolAddress == protocolAddress }
            let noted = meant.filter { $0.view.noteInOutput() }
            guard !noted.isEmpty, noted.count == views[declaration]?.count else { continue }
            search.remove(declaration)
            found.insert(declaration)
            isNew = true
        }
        inVain += isNew ? 0 : 1
        if inVain >= limit { forgetSeen() }
        return true
    }

    /// Says once that some outputs were left out.
    private mutating func tellOfMissed() {
        if !isMissedTold { unsafe crerender_report("searched", "some") }
        isMissedTold = true
    }

    /// Has the search leave out what was seen since, and what was found.
    private mutating func forgetSeen() {
        (inVain, limit) = (0, min(2 * limit, Self.lastLimit))
        for declaration in search.wanted where views[declaration, default: []].allSatisfy(\.view.isSeen) {
            search.remove(declaration)
        }
        search.forget()
    }
}

/// How much may be searched: a host does not notice it.
///
/// A value took 80 to 180 ns in a release build: objects the most. The first million may be looked at in a row, and then as many in
/// each second as take less than one percent of a core. What a second leaves over is not for later ones.
struct SearchAllowance {
    private static let (atOnce, perSecond) = (1_000_000.0, 50_000.0)
    /// How many more may be looked at; one search may take more.
    private var left = Self.atOnce
    private var time: UInt64
    private var values: UInt64 = 0

    /// - Parameter start: Nanoseconds of the clock, when the process began to search.
    init(since start: UInt64) { time = start }

    /// Whether another search may begin.
    ///
    /// - Parameters:
    ///   - values: How many values were looked at until now.
    ///   - now: Nanoseconds of the same clock.
    mutating func allows(_ values: UInt64, at now: UInt64) -> Bool {
        left -= Double(values - self.values)
        self.values = values
        if left < Self.perSecond { left = min(Self.perSecond, left + Double(now &- time) / 1e9 * Self.perSecond) }
        time = now
        return left > 0
    }
}
