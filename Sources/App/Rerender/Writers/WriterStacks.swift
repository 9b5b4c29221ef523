// SPDX-License-Identifier: MIT
// The writers' names: found when someone asks, once for each place.

import CRerender
import Synchronization

/// Names of the stacks that ``StackID/capture()`` took.
package enum WriterStacks {
    private struct Question: Hashable {
        let stack: StackID
        let rootType: String?
    }

    private struct Book: ~Copyable {
        var symbolicator = Symbolicator()
        var frames: [UInt: [SymbolicFrame]] = [:]
        var names: [Question: String] = [:]
    }

    private static let book = Mutex(Book())

    /// What a stack is called that says nothing about its writer.
    package static let unknown = "unknown"
    /// What the stacks are called that there was no room for.
    package static let other = "other"

    /// How often a write came from a stack that there was no room for.
    package static var otherCount: UInt64 { crerender_other_stacks() }

    /// Who wrote: `Ticker.advance() Shop/Ticker.swift:40`, or less where less is known.
    ///
    /// `rootType` is the module-qualified type that owns the property: its own accessors are passed over, another type's
    /// are writers; nil passes over all. Takes milliseconds for a new stack, and a lock: never on the thread that writes.
    package static func name(of stack: StackID, accessorsOf rootType: String?) -> String {
        if stack == .other { return other }
        return book.withLock { book in
            let question = Question(stack: stack, rootType: rootType)
            if let known = book.names[question] { return known }
            let name = find(stack, rootType, in: &book).prefix(bytes: StoreLimits.writerBytes)
            if book.names.count < StoreLimits.writerNames { book.names[question] = name }
            return name
        }
    }

    private static func find(_ stack: StackID, _ rootType: String?, in book: inout Book) -> String {
        for address in callers(stack, in: &book) {
            let frames = frames(before: address, in: &book)
            // Code without a name may be the accessor as well as its caller.
            if frames.isEmpty { return unknown }
            for frame in frames {
                let role = WriterName.role(of: frame, accessorsOf: rootType)
                if role == .end || role == .plumbing && WriterName.mayHideWriter(frame) { return unknown }
                if role == .writer {
                    return WriterName.text(frame, file: LoadedFile(containing: address - 1)?.name ?? "program")
                }
            }
        }
        return unknown
    }

    /// The addresses from Observation on: what is below is the closure that Observation calls.
    private static func callers(_ stack: StackID, in book: inout Book) -> ArraySlice<UInt> {
        let addresses = stack.addresses
        if StackID.beginAtObservation { return addresses[...] }
        var first = 0
        while first < addresses.count {
            if frames(before: addresses[first], in: &book).contains(where: WriterName.isObservation) { break }
            first += 1
        }
        return addresses[first...]
    }

    private static func frames(before address: UInt, in book: inout Book) -> [SymbolicFrame] {
        if let known = book.frames[address] { return known }
        let frames = book.symbolicator.frames(before: address)
        if book.frames.count < StoreLimits.writerNames { book.frames[address] = frames }
        return frames
    }
}

extension String {
    /// As much as fits, whole characters.
    fileprivate func prefix(bytes limit: Int) -> String {
        var text = self
        while text.utf8.count > limit { text.removeLast() }
        return text
    }
}
