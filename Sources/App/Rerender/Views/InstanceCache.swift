// SPDX-License-Identifier: MIT
// Keeps the records of a view's most recently used instances.

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
