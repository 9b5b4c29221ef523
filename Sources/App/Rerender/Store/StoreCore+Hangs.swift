// SPDX-License-Identifier: MIT
// A store's copy of the hangs that the daemon counts.

import RerenderModel
import RerenderWire
import Synchronization

extension StoreCore {
    /// Takes over what the daemon counted, if it is of the current epoch.
    func take(_ notice: HangNotice) {
        hangs.withLock { if notice.epoch == epoch { $0 = (epoch, notice.counts) } }
        guard let blamed = notice.blamed, blamed.index < allViews.count else { return }
        allViews[Int(blamed.index)].state.withLock { state in
            state.enter(epoch: epoch)
            if state.sums.epoch == notice.epoch { state.hangs = blamed.hangs }
        }
    }

    /// The hangs of the current epoch that the daemon told of.
    var currentHangs: StoreHangs { hangs.withLock { $0.epoch == epoch ? $0.counts : StoreHangs() } }
}
