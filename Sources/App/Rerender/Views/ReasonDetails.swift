// SPDX-License-Identifier: MIT
// Who wrote what caused a reason, and the ways to its first cause: counted by address, named when somebody asks.

import RerenderModel
import RerenderWire

/// Writers and chains of one reason of one view; bounded.
struct ReasonDetails: Sendable {
    private var writers: [(writer: Writer, count: UInt64)] = []
    private var otherWriters: UInt64 = 0
    private var chains: [(chain: String, count: UInt64)] = []
    private var otherChains: UInt64 = 0

    /// Counts writes. Allocates only for a writer not met before.
    mutating func count(_ writer: Writer, _ count: UInt64) {
        if let index = Self.index(below: writers.count, where: { writers[$0].writer == writer }) {
            writers[index].count += count
        } else if writers.count < StoreLimits.stacksPerReason {
            writers.append((writer, count))
        } else {
            otherWriters += count
        }
    }

    /// Counts an evaluation. Allocates only for a chain not met before.
    mutating func count(chain: String) {
        if let index = Self.index(below: chains.count, where: { chains[$0].chain == chain }) {
            chains[index].count += 1
        } else if chains.count < WireLimits.chainsPerReason {
            chains.append((chain, 1))
        } else {
            otherChains += 1
        }
    }

    /// By hand, because in a debug build every iterator of the standard library allocates.
    private static func index(below count: Int, where isIt: (Int) -> Bool) -> Int? {
        var index = 0
        while index < count {
            if isIt(index) { return index }
            index += 1
        }
        return nil
    }

    /// The writers and chains by name; takes milliseconds for a writer not named before: never on a thread of the app
    /// that did not ask.
    func named() -> NamedReasonDetails {
        var named = NamedReasonDetails(otherWriters: otherWriters, chains: chains, otherChains: otherChains)
        for (writer, count) in writers { named.add(writer.name, count) }
        return named
    }
}

extension Writer {
    /// What a reader knows the writer as.
    var name: String {
        if isAnnounced { return text ?? WriterStacks.unknown }
        return stack == .other ? Reason.other : WriterStacks.name(of: stack, accessorsOf: text)
    }
}

/// Writers and chains as they travel: the first of each by name, in the order in which they were met.
struct NamedReasonDetails {
    private(set) var writers: [(name: String, count: UInt64)] = []
    private(set) var otherWriters: UInt64
    let chains: [(chain: String, count: UInt64)]
    let otherChains: UInt64

    fileprivate init(otherWriters: UInt64, chains: [(chain: String, count: UInt64)], otherChains: UInt64) {
        self.otherWriters = otherWriters
        self.chains = chains
        self.otherChains = otherChains
    }

    /// Several stacks may have one writer.
    fileprivate mutating func add(_ name: String, _ count: UInt64) {
        if let index = writers.firstIndex(where: { $0.name == name }) {
            writers[index].count += count
        } else if name != Reason.other, writers.count < WireLimits.writersPerReason {
            writers.append((name, count))
        } else {
            otherWriters += count
        }
    }

    /// The texts of the slots that have one.
    var texts: [(slot: UInt8, text: String)] {
        zip(DetailSlot.writers, writers).map { ($0, $1.name) } + zip(DetailSlot.chains, chains).map { ($0, $1.chain) }
    }

    /// The counts of the slots that are not zero, by slot.
    var counts: [(slot: UInt8, count: UInt64)] {
        let all =
            zip(DetailSlot.writers, writers).map { ($0, $1.count) } + [(DetailSlot.otherWriters, otherWriters)]
            + zip(DetailSlot.chains, chains).map { ($0, $1.count) } + [(DetailSlot.otherChains, otherChains)]
        return all.filter { $0.1 > 0 }
    }

    /// The writers as the export shows them: most frequent first, all others last.
    var writerCounts: [WriterCount] {
        let named = writers.map { WriterCount(writer: $0.name, count: $0.count) }.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.writer < $1.writer
        }
        return otherWriters > 0 ? named + [WriterCount(writer: Reason.other, count: otherWriters)] : named
    }

    /// The chains as the export shows them.
    var chainCounts: [ChainCount] {
        let named = chains.map { ChainCount(chain: $0.chain, count: $0.count) }.sorted {
            $0.count != $1.count ? $0.count > $1.count : $0.chain < $1.chain
        }
        return otherChains > 0 ? named + [ChainCount(chain: Reason.other, count: otherChains)] : named
    }
}
