// SPDX-License-Identifier: MIT
// Names the writers of stacks on request, once for each.

import CRerender
import RerenderWire
import Synchronization

/// Names of the stacks that ``StackID/capture()`` took.
package enum WriterStacks {
    private struct Question: Hashable {
        let stack: StackID
        let rule: Rule
    }

    /// Which functions of a stack are passed over.
    enum Rule: Hashable, Sendable {
        /// Observation called: accessors of the module-qualified type that owns the property, whose name it is; nil passes over all
        /// accessors.
        case observed(String?)
        /// A framework announced the cause: its functions, and all accessors.
        case announced(Framework)
        /// None: the first function is it, whatever language it is in.
        case caller
    }

    private struct Cache: ~Copyable {
        var symbolicator = Symbolicator(symbolName: ProcessSymbols.name(at:))
        var frames: [UInt: [SymbolicFrame]] = [:]
        var names: [Question: String] = [:]
    }

    private static let cache = Mutex(Cache())

    /// What a stack is called that says nothing about its writer.
    package static let unknown = "unknown"

    /// Who wrote an observed property: as ``name(of:_:)``.
    ///
    /// `rootType` is the module-qualified type that owns the property: its own accessors are passed over, another type's
    /// are writers; nil passes over all.
    package static func name(of stack: StackID, accessorsOf rootType: String?) -> String {
        name(of: stack, .observed(rootType))
    }

    /// Who wrote: `Ticker.advance() Shop/Ticker.swift:40`, or less where less is known.
    ///
    /// Takes milliseconds for a new stack, and a lock: never on the thread that writes.
    static func name(of stack: StackID, _ rule: Rule) -> String {
        if stack == .other { return Reason.other }
        return cache.withLock { cache in
            let question = Question(stack: stack, rule: rule)
            if let known = cache.names[question] { return known }
            let found =
                switch rule {
                case .observed(let rootType): find(stack, rootType, in: &cache)
                case .announced(let framework): find(stack, outside: framework, in: &cache)
                case .caller: first(of: stack, in: &cache)
                }
            let name = LongText.bounded(found, to: StoreLimits.writerBytes)
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
                    return text(of: frame, at: address)
                }
            }
        }
        return unknown
    }

    /// The first function outside of a framework. If there is none, the module that announced is taken for the app's, unless the
    /// bridge named it: then its function that announced is the writer.
    private static func find(_ stack: StackID, outside framework: Framework, in cache: inout Cache) -> String {
        var inCaller: String?
        search: for address in stack.addresses {
            let frames = frames(before: address, in: &cache)
            // Code without a name may be the app's.
            if frames.isEmpty { break }
            for frame in frames {
                switch WriterName.role(of: frame, outside: framework) {
                case .plumbing: if WriterName.mayHideWriter(frame, outside: framework) { break search }
                case .framework:
                    if inCaller == nil { inCaller = text(of: frame, at: address) }
                case .writer: return WriterName.isMisplaced(frame) ? unknown : text(of: frame, at: address)
                case .end: break search
                }
            }
        }
        return framework.modules.contains(framework.caller) ? unknown : inCaller ?? unknown
    }

    private static func first(of stack: StackID, in cache: inout Cache) -> String {
        guard let address = stack.addresses.first, let frame = frames(before: address, in: &cache).first else {
            return unknown
        }
        return text(of: frame, at: address)
    }

    private static func text(of frame: SymbolicFrame, at address: UInt) -> String {
        WriterName.text(frame, file: LoadedFile(containing: address &- 1)?.name ?? "program")
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
