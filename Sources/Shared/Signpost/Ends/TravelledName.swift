// SPDX-License-Identifier: MIT
// Names of intervals that began in other processes, kept once each, so that a state is plain bytes.

internal import Synchronization

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
