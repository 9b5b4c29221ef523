// SPDX-License-Identifier: MIT
// The writer of one write, kept until its name is asked for.

import RerenderModel
import RerenderWire

/// The writer of one write.
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

    /// What a reader knows the writer as: `Ticker.advance() Shop/Ticker.swift:40, in Toolbar: click on Save`, or less where less
    /// is known. Takes milliseconds for a stack not named before: never on the thread that writes.
    var name: String {
        let function = functionName
        guard let handler = origin.handler else { return function }
        guard function != WriterStacks.unknown, function != Reason.other else { return handler.text }
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

    /// Whether its functions are passed over.
    func has(_ module: String) -> Bool { module == caller || modules.contains(module) }

    /// The module of a call: what stands before the slash in `#fileID`.
    static func module(of fileID: StaticString) -> String {
        let text = "\(fileID)"
        return String(text.prefix { $0 != "/" })
    }
}
