// SPDX-License-Identifier: MIT
// What a store makes of hangs that the daemon tells of: it judges each by its own thresholds, and counts.

import RerenderModel
import RerenderWire
import Synchronization

/// Hangs of a store's epoch.
struct StoreHangs {
    private var epoch: UInt32 = 0
    private(set) var microHangs: UInt64 = 0
    private(set) var counts = HangCounts()

    /// Clears the counts if a new epoch has begun.
    mutating func enter(epoch: UInt32) {
        if epoch != self.epoch { self = StoreHangs(epoch: epoch) }
    }

    /// The counts of an epoch.
    mutating func entered(epoch: UInt32) -> StoreHangs {
        enter(epoch: epoch)
        return self
    }

    mutating func addMicroHang() {
        microHangs &+= 1
    }

    mutating func addHang(nanoseconds: UInt64) {
        counts.add(nanoseconds: nanoseconds)
    }
}

extension StoreHangs {
    private init(epoch: UInt32) {
        self.epoch = epoch
    }
}

/// What a turn of the main loop is for a store.
enum TurnLength: Equatable {
    case short, microHang, hang

    /// A hang is one also where its threshold is the shorter of the two.
    init(nanoseconds: UInt64, hangMilliseconds: UInt32, microHangMilliseconds: UInt32) {
        if nanoseconds >= UInt64(hangMilliseconds) * 1_000_000 {
            self = .hang
        } else {
            self = nanoseconds >= UInt64(microHangMilliseconds) * 1_000_000 ? .microHang : .short
        }
    }
}

extension StoreCore {
    /// Counts a hang that ended, in the epoch that is current then; true if it is one by this store's thresholds.
    ///
    /// A store that is switched off counts too, as the daemon lists the hang all the same. The blamed view counts it only if
    /// the blame is of this epoch: after a reset it would be a hang that no evaluation of the epoch can explain.
    func count(_ notice: HangNotice) -> Bool {
        let length = TurnLength(
            nanoseconds: notice.durationNanoseconds, hangMilliseconds: hangThreshold.load(ordering: .relaxed),
            microHangMilliseconds: microHangThreshold.load(ordering: .relaxed))
        guard length != .short else { return false }
        hangs.withLock { hangs in
            hangs.enter(epoch: epoch)
            if length == .hang {
                hangs.addHang(nanoseconds: notice.durationNanoseconds)
            } else {
                hangs.addMicroHang()
            }
        }
        if length == .hang { blame(notice) }
        markStateDirty()
        return length == .hang
    }

    private func blame(_ notice: HangNotice) {
        let views = allViews
        guard !notice.view.isEmpty, notice.viewStoreID == id, notice.viewIndex < views.count else { return }
        update(views[Int(notice.viewIndex)]) { state in
            guard state.epoch == notice.viewEpoch else { return }
            state.recordHang(nanoseconds: notice.durationNanoseconds)
        }
    }
}

/// The hangs that the app was told of lately: a daemon that comes back may tell of them again.
struct ToldHangs {
    private struct Name: Equatable {
        let turn: UInt64
        let nanoseconds: UInt64
    }

    private var names: [Name] = []

    /// False if it was told of before.
    mutating func insert(_ notice: HangNotice) -> Bool {
        let name = Name(turn: notice.turn, nanoseconds: notice.durationNanoseconds)
        guard !names.contains(name) else { return false }
        if names.count == StoreLimits.toldHangs { names.removeFirst() }
        names.append(name)
        return true
    }
}

extension Hang {
    /// The hang as the app's handlers get it: as the daemon tells of it, without stacks.
    init(_ notice: HangNotice, of process: ProcessIdentity) {
        self.init(
            id: notice.id, pid: process.pid, process: process.name, startedAt: notice.startedAt, turn: notice.turn)
        durationNanoseconds = notice.durationNanoseconds
        open = false
        view = notice.view.isEmpty ? nil : ViewKey(rawValue: notice.view)
        attribution = notice.attribution
        lastRendered = notice.lastRendered.isEmpty ? nil : ViewKey(rawValue: notice.lastRendered)
        verdict = notice.verdict
        waitingOn = notice.waitingOn.isEmpty ? nil : notice.waitingOn
        shares = notice.shares
        unattributedNanoseconds = notice.unattributedNanoseconds
        ended = .normally
    }
}
