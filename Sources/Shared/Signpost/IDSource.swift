// SPDX-License-Identifier: MIT
// Where unique ids come from: counting up inside a process, scattered from a random start across processes.

internal import Synchronization

/// The maker of ids, one per process.
enum IDSource {
    private static let counter = Atomic<UInt64>(0)
    private static let seed = UInt64.random(in: .min ... .max)

    /// Objects' ids have the top bit, counted ones do not, so they never meet (nor do they meet `exclusive`, whose
    /// bits 47 to 62 are not all zero).
    private static let objectMark: UInt64 = 1 << 63
    private static let addressBits: UInt64 = (1 << 47) - 1

    /// Unique in this process: 1, 2, 3 …
    static func next() -> SignpostID {
        SignpostID(counter.add(1, ordering: .relaxed).newValue)
    }

    /// Unique on this machine for all practical purposes: ids of all processes are spread over 64 bits, so that among
    /// n of them two meet with a probability of n²/2⁶⁵ (a millionth for six million ids).
    static func nextAcrossProcesses() -> SignpostID {
        while true {
            let id = scattered(counter.add(1, ordering: .relaxed).newValue, seed: seed)
            if id.isRecordable, id != .exclusive { return id }
        }
    }

    /// A bijection for a given seed: different counts give different ids.
    static func scattered(_ count: UInt64, seed: UInt64) -> SignpostID {
        var bits = seed &+ count &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return SignpostID(bits ^ (bits >> 31))
    }

    /// The same for the same object while it lives. The address is masked by a secret of the process, because traces
    /// travel and addresses help attackers.
    static func id(of object: AnyObject) -> SignpostID {
        let address = UInt64(UInt(bitPattern: ObjectIdentifier(object)))
        return SignpostID(((address ^ seed) & addressBits) | objectMark)
    }
}
