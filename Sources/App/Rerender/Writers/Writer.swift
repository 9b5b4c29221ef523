// SPDX-License-Identifier: MIT
// The writer of one write, kept until its name is asked for; stacks are named once each.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

struct Writer: Hashable, Sendable {
    /// How the writing function is found.
    enum Function: Hashable, Sendable {
        /// The bridge says it.
        case told(String)
        /// By the stack, which begins in an accessor of this type: its accessors are no writers. Nil passes over all accessors.
        case accessors(of: String?)
        /// By the stack, which begins in a framework.
        case outside(Framework)
        /// The stack has one address, which is in it.
        case caller
    }

    var function: Function
    var origin: WriteOrigin

    /// Stands for all that there was no room for: any of them may be one that is named.
    static let unknown = Writer(function: .accessors(of: nil), origin: WriteOrigin(stack: .other, handler: nil))

    /// Stacks first: they are numbers, and mostly tell.
    static func == (lhs: Writer, rhs: Writer) -> Bool {
        lhs.origin.stack == rhs.origin.stack && lhs.function == rhs.function && lhs.origin.handler == rhs.origin.handler
    }

    /// What a reader knows the writer as: `Ticker.advance() Shop/Ticker.swift:40, in Toolbar: click on Save`, or less where less
    /// is known. Takes milliseconds for a stack not named before: never on the thread that writes.
    var name: String {
        let function = functionName
        guard let handler = origin.handler else { return function }
        guard !WriterStacks.isUnknown(function) else { return handler.text }
        let ending = ", in " + handler.text
        return LongText.bounded(function, to: WireLimits.stringBytes - ending.utf8.count) + ending
    }

    private var functionName: String {
        switch function {
        case .told(let text): text
        case .accessors(let rootType): WriterStacks.name(of: origin.stack, .observed(rootType))
        case .outside(let framework): WriterStacks.name(of: origin.stack, .announced(framework))
        case .caller: WriterStacks.name(of: origin.stack, .caller)
        }
    }
}

/// The modules whose functions announce causes and are no writers.
struct Framework: Hashable, Sendable {
    /// The module of the call that announced. Where no other module is found, it is the app's.
    var caller: String
    /// Those that the bridge named.
    var modules: Set<String>
    /// Whether it called an observer of ours: code without a name, and thunks, inside of its innermost function are not the app's.
    var callsObservers = false

    /// Whether its functions are passed over.
    func has(_ module: String) -> Bool { module == caller || modules.contains(module) }

    /// The module of a call: what stands before the slash in `#fileID`.
    static func module(of fileID: StaticString) -> String {
        let text = "\(fileID)"
        return String(text.prefix { $0 != "/" })
    }
}

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

    /// What a stack is called that says nothing about its writer; one of whose function the file has no name is `unknown in FILE`.
    package static let unknown = "unknown"

    /// Whether a name says nothing about a writer but, at most, in which file its code is.
    static func isUnknown(_ name: String) -> Bool { name == unknown || name.hasPrefix(unknownIn) }

    private static let unknownIn = unknown + " in "

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
        if stack == .other { return unknown }
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

    /// The first function outside of a framework. Without one, the module that announced is taken for the app's, unless the
    /// bridge named it: then its function that announced is the writer.
    private static func find(_ stack: StackID, outside framework: Framework, in cache: inout Cache) -> String {
        var inCaller: String?
        var isInside = !framework.callsObservers
        search: for address in stack.addresses {
            let frames = frames(before: address, in: &cache)
            // Code without a name may be the app's.
            if frames.isEmpty, isInside { break }
            for frame in frames {
                isInside = isInside || WriterName.module(of: frame) == framework.caller
                // Where the app's comes first, the framework's was inlined there.
                switch WriterName.role(of: frame, outside: framework) {
                case .plumbing: if isInside, WriterName.mayHideWriter(frame, outside: framework) { break search }
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
        guard let address = stack.addresses.first else { return unknown }
        let frames = frames(before: address, in: &cache)
        guard let own = frames.last else {
            return LoadedFile(containing: address &- 1).map { unknownIn + $0.name } ?? unknown
        }
        guard let innermost = frames.first(where: { !BindingName.isBinding($0) }) else {
            // What calls it is the writer, from the next time on.
            crerender_pass_over(address)
            return LoadedFile(containing: address &- 1).map { unknownIn + $0.name } ?? unknown
        }
        // A function that a source calls, and no place behind a call.
        let isStart = ProcessSymbols.isStart(address &- 1)
        return text(of: (isStart ? inVala(own, at: address &- 1, in: &cache) : nil) ?? innermost, at: address)
    }

    /// A function that begins at an address, as the author of a program in Vala knows it; nil for other languages.
    private static func inVala(_ own: SymbolicFrame, at address: UInt, in cache: inout Cache) -> SymbolicFrame? {
        // Without a path it is not known to be one, and symbols are not gone over for it.
        let called = own.path != nil && own.mangled.hasPrefix("_") ? ProcessSymbols.wrapped(at: address) : nil
        return cache.symbolicator.inVala(own, at: address, called: called)
    }

    /// The function that begins at an address, and where it is: `on_clicked()` and `cases.c:41`, or `in cases`. Nil where nothing is known
    /// of it. Takes milliseconds for a new one, and a lock.
    static func function(at address: UInt) -> (name: String, place: String?)? {
        cache.withLock { cache in
            // The last is the function itself: what was inlined at its beginning comes before it.
            guard let own = frames(before: address &+ 1, in: &cache).last else { return nil }
            let frame = inVala(own, at: address, in: &cache) ?? own
            let text = text(of: frame, at: address &+ 1)
            let name = WriterName.function(frame)
            guard text.hasPrefix(name + " ") else { return (text, nil) }
            return (name, String(text.dropFirst(name.count + 1)))
        }
    }

    /// The function that one of this library is called in the place of, where a program has the address of that: `gtk_widget_queue_draw()`. Nil of
    /// all others. Some nanoseconds. Proof: the name stays where it is, and has an end.
    static func replaced(by address: UInt) -> String? {
        unsafe crerender_stands_in_for(address).map { unsafe String(cString: $0) + "()" }
    }

    /// Whether an instruction is in a function of this library's; nil where no function is known there. Takes as long as ``function(at:)``.
    static func isOwn(_ address: UInt) -> Bool? {
        cache.withLock { cache in frames(before: address &+ 1, in: &cache).last.map(WriterName.isOwn) }
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
