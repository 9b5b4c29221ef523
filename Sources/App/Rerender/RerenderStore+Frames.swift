// SPDX-License-Identifier: MIT
// What a toolkit's part tells of frames, and whose frames over their interval are.

#if RERENDER_PROBES
    package import RerenderModel
    import RerenderWire

    extension RerenderStore {
        /// A frame begins on GTK's thread; returns a number for ``frameEnded(_:_:)``.
        package func frameBegan() -> UInt64 {
            let now = MonotonicClock.now
            guard let loop = core.loopRecord, core.mainLoop.runsOnThisThread(loop, at: now) else { return 0 }
            return loop.frameBegan(at: now)
        }

        /// A frame has ended: counts it, and where it is over its interval, counts it for the view with most of it.
        ///
        /// The rule is that of hangs: a fifth of it at least, in one phase. Bodies of other stores count, too. A handler does not.
        package func frameEnded(_ number: UInt64, _ frame: MeasuredFrame) {
            core.record(frame)
            guard frame.isOverInterval, let view = view(ofFrame: number, frame) else { return }
            let store = ProcessRuntime.shared.liveStores.first { $0.id == view.storeID }
            guard let store, view.index < store.allViews.count else { return }
            store.recordFrameOverInterval(of: store.allViews[Int(view.index)])
        }

        private func view(ofFrame number: UInt64, _ frame: MeasuredFrame) -> (storeID: UInt32, index: UInt32)? {
            let now = MonotonicClock.now
            guard number != 0, let loop = core.loopRecord, core.mainLoop.runsOnThisThread(loop, at: now),
                let largest = loop.largest(ofFrame: number, at: now), largest.nanoseconds >= frame.nanoseconds / 5,
                let named = LoopLayout.named(largest.word), named.phase != .handler
            else { return nil }
            return (named.storeID, named.index)
        }

        /// Says that something may be missing from the counts, in the place of what was said of the same cause. Any thread.
        ///
        /// - Parameters:
        ///   - cause: One of few: no more than four are told.
        ///   - sentence: What is missing and why, without a full stop; cut at 512 bytes.
        package func noteGap(_ cause: String, _ sentence: String) { core.noteGap(cause, sentence) }

        /// A frame was presented so long after it began.
        package func framePresented(nanoseconds: UInt64) { core.recordPresented(nanoseconds: nanoseconds) }
    }
#endif
