// SPDX-License-Identifier: MIT
// Counts the writers and the chains of causes behind a reason. Writers are counted by address and named on request.

import RerenderModel
import RerenderWire

/// Writers and chains of one reason of one view; bounded.
struct ReasonDetails: Sendable {
    private var writers = CountedList<Writer>()
    private var chains = CountedList<String>()

    /// Counts writes.
    mutating func count(_ writer: Writer, _ count: UInt64) {
        writers.add(writer, count, limit: StoreLimits.stacksPerReason)
    }

    /// Where a writer is counted; nil for one that is among the others.
    func place(of writer: Writer) -> Int? { writers.index(of: writer) }

    /// Counts a write of the writer at a place.
    @inline(__always)
    mutating func count(at place: Int) { writers.add(at: place) }

    /// Counts an evaluation.
    mutating func count(chain: String) { chains.add(chain, limit: WireLimits.chainsPerReason) }

    /// The writers and chains by name. Takes milliseconds for a writer not named before: never on a thread of the app
    /// that did not ask.
    func named() -> NamedReasonDetails {
        var named = CountedList<String>()
        // Several stacks may have one writer.
        for (writer, count) in writers.counts {
            let name = writer.name
            if name == Reason.other {
                named.addOthers(count)
            } else {
                named.add(name, count, limit: WireLimits.writersPerReason)
            }
        }
        named.addOthers(writers.others)
        return NamedReasonDetails(writers: named, chains: chains)
    }
}

/// Writers and chains as they travel: the first of each by name, in the order in which they were met.
struct NamedReasonDetails {
    let writers: CountedList<String>
    let chains: CountedList<String>

    /// The texts of the slots that have one.
    var texts: [(slot: UInt8, text: String)] { slots.map { ($0, $1.element) } }

    /// The counts of the slots that are not zero, by slot.
    var counts: [(slot: UInt8, count: UInt64)] {
        let others = [(DetailSlot.otherWriters, writers.others), (DetailSlot.otherChains, chains.others)]
        let all = slots.map { ($0, $1.count) } + others
        return all.filter { $0.1 > 0 }.sorted { $0.0 < $1.0 }
    }

    private var slots: [(slot: UInt8, (element: String, count: UInt64))] {
        Array(zip(DetailSlot.writers, writers.counts)) + Array(zip(DetailSlot.chains, chains.counts))
    }

    /// The writers as the export shows them.
    var writerCounts: [WriterCount] { writers.sorted { WriterCount(writer: $0, count: $1) } }

    /// The chains as the export shows them.
    var chainCounts: [ChainCount] { chains.sorted { ChainCount(chain: $0, count: $1) } }
}
