// SPDX-License-Identifier: MIT
// Which ends are known to be the second ones.

import CShared
import Foundation
import Testing

@testable import Signpost

@Suite("Ends of intervals", .serialized)
struct EndLedgerTests {
    @Test("an interval ends once, and again only by mistake, also among others that are open")
    func endsOnce() {
        let serials = (0..<100).map { _ in EndLedger.open() }
        #expect(serials.allSatisfy { EndLedger.close($0) })
        #expect(serials.allSatisfy { !EndLedger.close($0) })
    }

    @Test("an interval that began too long ago to be known is never accused")
    func oldOnesAreBelieved() {
        let ended = EndLedger.open()
        let open = EndLedger.open()
        #expect(EndLedger.close(ended))
        for _ in 0..<CSIGNPOST_LEDGER_SIZE {
            let serial = EndLedger.open()
            #expect(EndLedger.close(serial))
        }
        #expect(EndLedger.close(open))
        #expect(EndLedger.close(ended))
    }

    @Test("of two threads that end an interval at once, one is the first")
    func oneIsFirst() {
        for _ in 0..<200 {
            let serial = EndLedger.open()
            nonisolated(unsafe) var firsts = [false, false]
            firsts.withUnsafeMutableBufferPointer { firsts in
                nonisolated(unsafe) let firsts = firsts
                DispatchQueue.concurrentPerform(iterations: 2) { firsts[$0] = EndLedger.close(serial) }
            }
            #expect(firsts.filter { $0 }.count == 1)
        }
    }

    @Test("a state is plain bytes: it costs nothing to keep, to copy and to drop")
    func isPlain() {
        #expect(_isPOD(SignpostIntervalState.self))
    }
}
