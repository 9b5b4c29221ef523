// SPDX-License-Identifier: MIT
// Ends of intervals: what can be wrong with one, which intervals have ended, and names of those that began in other processes.

import CShared
internal import Synchronization

/// The mistakes an end can make, most telling first.
enum EndCheck: Equatable {
    case fine
    case endedTwice
    case otherSignposter
    case otherName(began: String, ended: String)
    case exclusiveAcrossProcesses

    /// What is known of an interval when it ends.
    struct Facts {
        var isFirstEnd: Bool
        var isSameSignposter: Bool
        var beginName: String
        var endName: String
        var isExclusive: Bool
        var isFromOtherProcess: Bool
    }

    init(_ facts: Facts) {
        self =
            if !facts.isFirstEnd {
                .endedTwice
            } else if !facts.isSameSignposter {
                .otherSignposter
            } else if facts.beginName != facts.endName {
                .otherName(began: facts.beginName, ended: facts.endName)
            } else if facts.isExclusive && facts.isFromOtherProcess {
                .exclusiveAcrossProcesses
            } else {
                .fine
            }
    }

    /// The text for the developer, nil if all is well.
    var complaint: String? {
        switch self {
        case .fine: nil
        case .endedTwice: "signpost interval ended twice"
        case .otherSignposter: "signpost interval ended by another signposter than the one that began it"
        case .otherName(let began, let ended): "signpost interval \"\(began)\" ended as \"\(ended)\""
        case .exclusiveAcrossProcesses: "signpost interval with the exclusive id ended in another process"
        }
    }

    /// The message of the closing event: the complaint before what the caller said.
    func message(_ message: String) -> String {
        guard let complaint else { return message }
        return message.isEmpty ? "error: \(complaint)" : "error: \(complaint); \(message)"
    }
}

/// Numbers intervals and remembers the ends of the latest ``CSIGNPOST_LEDGER_SIZE``.
///
/// Of one that began before those it is not known whether it has ended, and then it is believed to end for the first
/// time: a complaint is always right, and one may be missing.
enum EndLedger {
    /// The number of an interval that begins.
    static func open() -> UInt64 { csignpost_ledger_open() }

    /// False if it is known to have ended before.
    static func close(_ serial: UInt64) -> Bool { csignpost_ledger_close(serial) != 0 }
}

/// The name of an interval and of its signposter, as another process told them.
struct TravelledName: BitwiseCopyable, Equatable {
    private struct Names: Hashable {
        let name: String
        let signposter: String
    }

    private struct Known {
        var numbers: [Names: Int32] = [:]
        var names: [Names] = []
    }

    /// A program's intervals have a handful of names; this many come from someone who makes them up.
    static let limit = 4_096
    /// Neither is longer in any program's source; what is longer is not worth the memory.
    static let longestBytes = 1_024

    private static let known = Mutex(Known())
    private let number: Int32

    /// nil if there is no room for another: then the end of the interval is not checked.
    init?(name: String, signposter: String) {
        guard name.utf8.count <= Self.longestBytes, signposter.utf8.count <= Self.longestBytes else { return nil }
        let names = Names(name: name, signposter: signposter)
        let number = Self.known.withLock { known -> Int32? in
            if let number = known.numbers[names] { return number }
            guard known.names.count < Self.limit else { return nil }
            known.names.append(names)
            let number = Int32(known.names.count - 1)
            known.numbers[names] = number
            return number
        }
        guard let number else { return nil }
        self.number = number
    }

    var name: String { names.name }
    var signposter: String { names.signposter }

    private var names: Names { Self.known.withLock { $0.names[Int(number)] } }
}
