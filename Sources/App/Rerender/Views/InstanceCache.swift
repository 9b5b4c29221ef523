// SPDX-License-Identifier: MIT
// Keeps the records of a view's most recently used instances, and offers one to the next plain evaluation without the view's lock.

import Synchronization

/// Records of the instances of one view; guarded by the view's lock.
@safe
struct InstanceCache {
    private struct Place {
        let instance: UInt64
        let record: InstanceRecord
        var older: Int
        var newer: Int
    }

    /// The record of the instance without a number.
    private(set) var unnumbered: InstanceRecord? {
        didSet { unsafe heldUnnumbered = unnumbered.map { unsafe Unmanaged.passUnretained($0) } }
    }
    /// The same, to be handed out without a reference. Proof: it is that of what is kept here.
    private var heldUnnumbered: Unmanaged<InstanceRecord>?
    /// That of the most recently used one with a number, in the same way.
    private var heldNewest: Unmanaged<InstanceRecord>?
    private var newestInstance: UInt64 = 0
    /// How many were dropped to make room.
    var forgotten: UInt64 = 0
    private var places: [Place] = []
    private var free: [Int] = []
    private var index: [UInt64: Int] = [:]
    /// -1 where the list ends.
    private var newest = -1
    private var oldest = -1
    private let limit: Int

    init(limit: Int = StoreLimits.previousValuesPerView) {
        self.limit = limit
    }

    /// The record of an instance, if that is the most recently used one, or has no number. It lives while it is kept here.
    @inline(__always)
    func latest(_ instance: UInt64?) -> Unmanaged<InstanceRecord>? {
        guard let instance else { return unsafe heldUnnumbered }
        return unsafe newestInstance == instance ? heldNewest : nil
    }

    /// Finds a record, which thereby is the most recently used.
    mutating func record(of instance: UInt64?) -> InstanceRecord? {
        guard let instance else { return unnumbered }
        if newest >= 0, places[newest].instance == instance { return places[newest].record }
        guard let place = index[instance] else { return nil }
        unlink(place)
        linkAsNewest(place)
        return places[place].record
    }

    /// The same for an instance whose number is not 0, found without hashing where the hint is what it was last.
    @inline(__always)
    mutating func record(of instance: UInt64, hint: inout UInt32) -> InstanceRecord? {
        var place = Int(hint)
        if place >= places.count || places[place].instance != instance {
            guard let found = index[instance] else { return nil }
            place = found
            hint = UInt32(truncatingIfNeeded: found)
        }
        if newest != place {
            unlink(place)
            linkAsNewest(place)
        }
        return places[place].record
    }

    /// Adds a record. Returns the one that had to leave; let go of it when the lock is released.
    mutating func insert(_ record: InstanceRecord, for instance: UInt64?) -> InstanceRecord? {
        guard let instance else {
            defer { unnumbered = record }
            unnumbered?.leaveToPlain()
            return unnumbered
        }
        var evicted: InstanceRecord?
        if index.count >= limit, oldest >= 0 {
            forgotten += 1
            evicted = remove(places[oldest].instance)
        }
        let place = Place(instance: instance, record: record, older: -1, newer: -1)
        let at: Int
        if let last = free.popLast() {
            places[last] = place
            at = last
        } else {
            places.append(place)
            at = places.count - 1
        }
        index[instance] = at
        linkAsNewest(at)
        return evicted
    }

    /// Takes a record out; let go of it when the lock is released.
    mutating func remove(_ instance: UInt64?) -> InstanceRecord? {
        guard let instance else {
            defer { unnumbered = nil }
            unnumbered?.leaveToPlain()
            return unnumbered
        }
        guard let place = index.removeValue(forKey: instance) else { return nil }
        unlink(place)
        free.append(place)
        let record = places[place].record
        record.leaveToPlain()
        // The place must not keep what it held.
        places[place] = Place(instance: 0, record: InstanceRecord.vacant, older: -1, newer: -1)
        return record
    }

    var all: [InstanceRecord] {
        (unnumbered.map { [$0] } ?? []) + index.values.map { places[$0].record }
    }

    private mutating func linkAsNewest(_ place: Int) {
        places[place].older = newest
        places[place].newer = -1
        if newest >= 0 { places[newest].newer = place } else { oldest = place }
        newest = place
        noteNewest()
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (places[place].older, places[place].newer)
        if older >= 0 { places[older].newer = newer } else { oldest = newer }
        if newer >= 0 { places[newer].older = older } else { newest = older }
        noteNewest()
    }

    private mutating func noteNewest() {
        unsafe heldNewest = newest < 0 ? nil : Unmanaged.passUnretained(places[newest].record)
        newestInstance = newest < 0 ? 0 : places[newest].instance
    }
}

/// The memory of the instance that is most likely evaluated next, for a plain evaluation to take.
///
/// A view offers it where such an evaluation of the instance has ended. Who looks at what says who has it, or lets go of it, takes it
/// back before, under the view's lock: ``ViewState/withdrawOffer()``.
///
/// Proof of the unsafe parts: the word is the address of a record that the view keeps while it is there. It is touched only by who
/// has taken the word away, who has the record to itself then. What the evaluation before wrote comes before the word was stored.
@safe
final class PlainOffer: Sendable {
    /// 0 for none.
    private let address = Atomic<UInt>(0)
    /// The instance's number, 0 where it has none; so that others do not take what they cannot use.
    private let number = Atomic<UInt64>(0)

    /// Takes what is offered, if it seems to be of that instance; nil if not.
    @inline(__always)
    func take(_ instance: UInt64?) -> Unmanaged<InstanceRecord>? {
        let address = address.load(ordering: .relaxed)
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address),
            number.load(ordering: .relaxed) == instance ?? 0,
            self.address.compareExchange(
                expected: address, desired: 0, successOrdering: .acquiring, failureOrdering: .relaxed
            ).exchanged
        else { return nil }
        return unsafe Unmanaged.fromOpaque(pointer)
    }

    /// Offers a record that is at rest; under the view's lock, which keeps it.
    @inline(__always)
    func make(_ record: InstanceRecord) {
        number.store(record.instance ?? 0, ordering: .relaxed)
        let address = UInt(bitPattern: unsafe Unmanaged.passUnretained(record).toOpaque())
        self.address.store(address, ordering: .releasing)
    }

    /// Whether it was taken; under the view's lock.
    var isTaken: Bool { address.load(ordering: .relaxed) == 0 }

    /// Ends the offer; false if it was taken. Under the view's lock.
    func withdraw() -> Bool { address.exchange(0, ordering: .acquiring) != 0 }
}

extension ViewState {
    /// Ends the offer. Where an evaluation has taken the record, the record says so from now on.
    mutating func withdrawOffer() {
        guard let record = unsafe offered.take() else { return }
        unsafe record._withUnsafeGuaranteedRef { record in
            guard !offer.withdraw() else { return }
            record.isTakenPlain()
            lastInstance = record.instance
        }
    }

    /// Notes which instance was evaluated last, where that evaluation took what was offered.
    mutating func noteTaken() {
        guard let record = unsafe offered, offer.isTaken else { return }
        unsafe record._withUnsafeGuaranteedRef { lastInstance = $0.instance }
    }

    /// Takes the memory of an instance back from a plain evaluation, and offers it to the next one; whether the view has let go of
    /// it.
    @inline(__always)
    mutating func endPlain(_ record: InstanceRecord) -> Bool {
        guard unsafe Self.isSame(offered, record) else { return endPlainAnew(record) }
        // It was taken, and no thread has looked since.
        lastInstance = record.instance
        offer.make(record)
        return false
    }

    @inline(never)
    private mutating func endPlainAnew(_ record: InstanceRecord) -> Bool {
        withdrawOffer()
        record.isCheckedOut = false
        if record.endPlain() { return true }
        guard record.isReadyForPlain, unsafe Self.isSame(records.latest(record.instance), record) else { return false }
        unsafe offered = Unmanaged.passUnretained(record)
        offer.make(record)
        return false
    }

    @inline(__always)
    private static func isSame(_ held: Unmanaged<InstanceRecord>?, _ record: InstanceRecord) -> Bool {
        unsafe held?.toOpaque() == Unmanaged.passUnretained(record).toOpaque()
    }
}
