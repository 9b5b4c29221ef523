// SPDX-License-Identifier: MIT
// Which instances of a view are alive.

/// A bounded set of instance numbers: open addressing, linear probing, no tombstones.
struct InstanceTable: Sendable {
    enum Insertion {
        case inserted, present, full
    }

    private(set) var count = 0
    /// Zero marks a free place; the instance 0 itself is kept aside.
    private var places: [UInt64] = []
    private var holdsZero = false

    /// Adds an instance. Allocates when the table is half full.
    mutating func insert(_ instance: UInt64) -> Insertion {
        if instance == 0 {
            defer { holdsZero = true }
            if !holdsZero { count += 1 }
            return holdsZero ? .present : .inserted
        }
        if !places.isEmpty, places[place(of: instance)] == instance { return .present }
        guard count < StoreLimits.instancesPerView else { return .full }
        if (count + 1) * 2 > places.count { grow() }
        places[place(of: instance)] = instance
        count += 1
        return .inserted
    }

    /// Removes an instance; false if it was not there.
    mutating func remove(_ instance: UInt64) -> Bool {
        if instance == 0 {
            defer { holdsZero = false }
            if holdsZero { count -= 1 }
            return holdsZero
        }
        guard !places.isEmpty else { return false }
        let hole = place(of: instance)
        guard places[hole] == instance else { return false }
        close(hole)
        count -= 1
        return true
    }

    /// The place that holds the instance, or the free one where it would go.
    private func place(of instance: UInt64) -> Int {
        var at = home(of: instance)
        while places[at] != 0, places[at] != instance { at = (at + 1) & (places.count - 1) }
        return at
    }

    private func home(of instance: UInt64) -> Int {
        Int(truncatingIfNeeded: mixed(instance)) & (places.count - 1)
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: 0, count: max(8, old.count * 2))
        for instance in old where instance != 0 { places[place(of: instance)] = instance }
    }

    /// Frees a place and moves up what was pushed past it, so that a probe never stops short.
    private mutating func close(_ start: Int) {
        var hole = start
        var at = start
        while true {
            at = (at + 1) & (places.count - 1)
            guard places[at] != 0 else { break }
            let distance = (at - home(of: places[at])) & (places.count - 1)
            if distance >= (at - hole) & (places.count - 1) {
                places[hole] = places[at]
                hole = at
            }
        }
        places[hole] = 0
    }
}

/// Spreads all bits of a word over all bits of the result (the finaliser of MurmurHash3, by Austin Appleby).
@inline(__always)
func mixed(_ word: UInt64) -> UInt64 {
    var mix = word
    mix = (mix ^ (mix >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    mix = (mix ^ (mix >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return mix ^ (mix >> 33)
}
