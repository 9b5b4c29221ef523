// SPDX-License-Identifier: MIT
// Names the writers of stacks on request, once for each.

import CRerender
import RerenderSymbols
import RerenderWire
import Synchronization

/// Names of the stacks that ``StackID/capture()`` took.
package enum WriterStacks {
    private struct Question: Hashable {
        let stack: StackID
        let rootType: String?
    }

    private struct Cache: ~Copyable {
        var symbolicator = Symbolicator(symbolName: ProcessSymbols.name(at:))
        var frames: [UInt: [SymbolicFrame]] = [:]
        var names: [Question: String] = [:]
    }

    private static let cache = Mutex(Cache())

    /// What a stack is called that says nothing about its writer.
    package static let unknown = "unknown"
    /// Who wrote: `Ticker.advance() Shop/Ticker.swift:40`, or less where less is known.
    ///
    /// `rootType` is the module-qualified type that owns the property: its own accessors are passed over, another type's
    /// are writers; nil passes over all. Takes milliseconds for a new stack, and a lock: never on the thread that writes.
    package static func name(of stack: StackID, accessorsOf rootType: String?) -> String {
        if stack == .other { return Reason.other }
        return cache.withLock { cache in
            let question = Question(stack: stack, rootType: rootType)
            if let known = cache.names[question] { return known }
            let name = LongText.bounded(find(stack, rootType, in: &cache), to: StoreLimits.writerBytes)
            if cache.names.count < StoreLimits.writerNames { cache.names[question] = name }
            return name
        }
    }

    private static func find(_ stack: StackID, _ rootType: String?, in cache: inout Cache) -> String {
        for address in callers(stack, in: &cache) {
            let frames = frames(before: address, in: &cache)
            // Code without a name may be the accessor as well as its caller.
            if frames.isEmpty { return unknown }
            for frame in frames {
                let role = WriterName.role(of: frame, accessorsOf: rootType)
                if role == .end || role == .plumbing && WriterName.mayHideWriter(frame) { return unknown }
                if role == .writer {
                    if WriterName.isMisplaced(frame) { return unknown }
                    return WriterName.text(frame, file: LoadedFile(containing: address &- 1)?.name ?? "program")
                }
            }
        }
        return unknown
    }

    /// The addresses from Observation on: what is below is the closure that Observation calls.
    private static func callers(_ stack: StackID, in cache: inout Cache) -> ArraySlice<UInt> {
        let addresses = stack.addresses
        if StackID.beginAtObservation { return addresses[...] }
        var first = 0
        while first < addresses.count {
            if frames(before: addresses[first], in: &cache).contains(where: WriterName.isObservation) { break }
            first += 1
        }
        return addresses[first...]
    }

    private static func frames(before address: UInt, in cache: inout Cache) -> [SymbolicFrame] {
        if let known = cache.frames[address] { return known }
        let frames = cache.symbolicator.frames(before: address)
        if cache.frames.count < StoreLimits.writerNames { cache.frames[address] = frames }
        return frames
    }
}
