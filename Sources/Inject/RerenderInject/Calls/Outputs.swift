// SPDX-License-Identifier: MIT
// Finds the views in what bodies return: one that is there, and whose body is never asked for, was not seen.

import CInject
import Rerender
import Synchronization

/// Looks at the outputs of one view's body, as long as there may be a view in them that was not seen.
final class Outputs: Sendable {
    private let protocolAddress: UInt
    /// The place of the body's type among the protocol's requirements; nil where the outputs cannot be looked at.
    private let bodyType: UInt32?
    private let store: RerenderStore
    /// The stamp of the type in whose outputs there is nothing to find.
    private let settled = Atomic<UInt>(0)

    init(of view: FoundView, in store: RerenderStore) {
        protocolAddress = view.protocolAddress
        bodyType = BodyResults.areInMemory(view) ? view.bodyType.map { UInt32($0) } : nil
        self.store = store
    }

    /// Whether an output of a type is to be looked at.
    @inline(__always)
    func isWanted(_ type: UInt) -> Bool {
        bodyType != nil && settled.load(ordering: .relaxed) != stamp(of: type)
    }

    /// Proof of the unsafe parts: these are a body's result, which is there until its caller has it, and the metadata and the
    /// table of the call.
    func look(at output: UInt, type: UInt, table: UInt) {
        guard let bodyType,
            let body = unsafe crerender_associated_type(
                UnsafeRawPointer(bitPattern: protocolAddress), bodyType, UnsafeRawPointer(bitPattern: type),
                UnsafeRawPointer(bitPattern: table))
        else { return }
        let bodyAddress = UInt(bitPattern: body)
        UnseenViews.shared.withLock { unseen in
            let stamp = stamp(of: type)
            if unsafe !unseen.look(at: output, type: bodyAddress, epoch: store.injectedEpoch) {
                settled.store(stamp, ordering: .relaxed)
            }
        }
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

    /// By their types' declarations.
    private var views: [UInt: InjectedView] = [:]
    private var search = ValueSearch()
    /// Of which a value was found in this epoch.
    private var found: Set<UInt> = []
    private var epoch: UInt32 = 0
    /// Searches that found nothing since something was found that had not been, and at how many to find out what was seen meanwhile.
    private var (inVain, limit) = (0, firstLimit)
    private static let (firstLimit, lastLimit) = (16, 1024)

    mutating func add(_ view: InjectedView, declaration: UInt) {
        views[declaration] = view
        search.add(declaration)
        (inVain, limit) = (0, Self.firstLimit)
        Self.additions.add(1, ordering: .relaxed)
    }

    /// Notes the views in an output; false if there can be none, now and later, that was not seen or noted.
    ///
    /// - Parameters:
    ///   - output: Where it is.
    ///   - type: The metadata of its type.
    @unsafe
    mutating func look(at output: UInt, type: UInt, epoch: UInt32) -> Bool {
        guard let output = unsafe UnsafeRawPointer(bitPattern: output),
            let type = unsafe UnsafeRawPointer(bitPattern: type)
        else { return true }
        if epoch != self.epoch {
            self.epoch = epoch
            for declaration in found { search.add(declaration) }
            found = []
        }
        guard unsafe search.mayFind(in: type) else { return false }
        let declarations = unsafe search.declarations(in: output, type: type)
        for declaration in declarations where views[declaration]?.noteInOutput() == true {
            search.remove(declaration)
            found.insert(declaration)
        }
        inVain += declarations.isEmpty ? 1 : 0
        if inVain >= limit { forgetSeen() }
        return true
    }

    /// Has the search leave out what was seen since, and what was found.
    private mutating func forgetSeen() {
        (inVain, limit) = (0, min(2 * limit, Self.lastLimit))
        for declaration in search.wanted where views[declaration]?.isSeen == true { search.remove(declaration) }
        search.forget()
    }
}
