// SPDX-License-Identifier: MIT
// A store's copy of the hangs that the daemon counts.

import RerenderModel
import RerenderWire
import Synchronization

extension StoreCore {
    /// Takes over what the daemon counted, if it is of the current epoch.
    func take(_ notice: HangNotice) {
        let hadHangs = hangs.withLock { known in
            guard notice.epoch == epoch else { return false }
            defer { known = (epoch, notice.counts) }
            return known.counts.hangs.count > 0
        }
        // Another daemon counts from zero, and names no view.
        if hadHangs, notice.counts.hangs.count == 0 { forgetHangsOfViews() }
        guard let blamed = notice.blamed, blamed.index < allViews.count else { return }
        allViews[Int(blamed.index)].state.withLock { state in
            state.enter(epoch: epoch)
            if state.sums.epoch == notice.epoch { state.hangs = blamed.hangs }
        }
    }

    private func forgetHangsOfViews() {
        for view in allViews { view.state.withLock { $0.hangs = HangTotals() } }
    }

    /// The hangs of the current epoch that the daemon told of.
    var currentHangs: StoreHangs { hangs.withLock { $0.epoch == epoch ? $0.counts : StoreHangs() } }
}
