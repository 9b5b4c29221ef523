// SPDX-License-Identifier: MIT
// The watchdog's detector of hangs, with a page that says anything from one look to the next.

#if DEBUG || RERENDER_FUZZ
    import FuzzWire
    import RerenderModel
    @testable import RerenderDaemon
    import RerenderWire

    extension FuzzTarget {
        /// The bytes are looks: changes of the page before each, how much time went by, and what the thread did.
        static let watch = FuzzTarget("watch", longest: 1_024) { bytes in
            var input = FuzzBytes(bytes)
            var watch = WatchUnderTest(isUnread: input.byte() & 1 == 0)
            for _ in 0..<32 where !input.isEmpty { try watch.look(&input) }
        }
    }

    /// A detector, and the page that it looks at. The clock is the daemon's own.
    private struct WatchUnderTest {
        private var page = PageUnderTest()
        private var detector: HangDetector
        private var now: UInt64 = 20_000
        private var numbers: UInt64 = 0
        private var (ran, queued) = (UInt64(0), UInt64(0))

        init(isUnread: Bool) { detector = HangDetector(isUnread: isUnread) }

        mutating func look(_ input: inout FuzzBytes) throws {
            let form = input.byte()
            for _ in 0..<form & 3 { page.change(&input) }
            now += UInt64(input.byte()) << UInt64(form >> 2 & 31)
            guard let reading = page.head else { return }
            let needs = detector.needs(for: reading, now: now)
            var look = HangDetector.Observation(reading: reading, now: now, after: now + 1_000)
            let memory = page.read
            if needs.shares { look.shares = try? TurnShares(page: memory.span.bytes, of: reading) }
            if needs.longTurns {
                look.longTurns =
                    (try? LongTurn.list(in: memory.span.bytes, after: detector.seenLongTurns)) ?? []
            }
            if needs.thread { look.thread = thread(&input) }
            look.realTime = Int64(bitPattern: now)
            look.wasLate = form >> 7 != 0
            let last = numbers
            for event in detector.observe(
                look,
                newID: {
                    numbers += 1; return numbers
                })
            {
                try check(event, last: last)
            }
            try hold(detector.nextDue ?? .max > 0 || detector.isBusy, "it waits for nothing")
            if form & 0x40 != 0 { detector = HangDetector(resuming: detector.mark) }
        }

        private mutating func thread(_ input: inout FuzzBytes) -> ThreadObservation {
            let form = input.byte()
            ran += UInt64(form) << 16
            queued += UInt64(form & 15) << 16
            let states: [ThreadSample.RunState] = [.runnable, .waiting, .stopped, .ended]
            switch form & 7 {
            case 0..<4: return .sample(ThreadSample(state: states[Int(form & 3)], ran: ran, queued: queued))
            case 4: return .gone
            default: return .unknown
            }
        }

        /// A hang is not longer than what can have gone by, and its parts are not longer than it.
        private func check(_ event: DetectorEvent, last: UInt64) throws {
            switch event {
            case .opened(let seen), .updated(let seen), .closed(let seen, _): try check(seen)
            case .askStack(let hang, _): try hold(hang <= numbers, "hang \(hang) of \(numbers)")
            case .dropped(let id): try hold(id <= numbers, "hang \(id) of \(numbers)")
            case .watchTurn, .lookForLoops: break
            }
        }

        private func check(_ seen: SeenHang) throws {
            let (hang, views) = (seen.hang, seen.views)
            try hold(hang.id <= numbers, "hang \(hang.id) of \(numbers)")
            try hold(hang.durationNanoseconds <= now + 1_000, "it lasted longer than the machine has run: \(seen)")
            try hold(seen.startedAt <= now + 1_000, "it begins later than now: \(seen)")
            try hold(views.shares.count <= WireLimits.sharesPerHang, "\(views.shares.count) shares")
            let (sum, overflows) = views.shares.reduce((views.otherNanoseconds, false)) { sum, share in
                let (next, overflows) = sum.0.addingReportingOverflow(share.nanoseconds)
                return (next, sum.1 || overflows)
            }
            let longest = hang.longestNanoseconds
            try hold(!overflows && sum <= longest, "parts of \(sum) ns: \(seen)")
            let isInside = hang.starvedNanoseconds <= longest && hang.stoppedNanoseconds <= longest
            try hold(isInside, "without a processor: \(seen)")
        }
    }
#endif
