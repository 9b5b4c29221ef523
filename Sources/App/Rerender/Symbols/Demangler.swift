// SPDX-License-Identifier: MIT
// Demangles symbols with the Swift runtime.

import Glibc

// `dlsym` does not find it in a program with a static standard library, so it is declared.
@_silgen_name("swift_demangle")
private func swiftDemangle(
    _ mangled: UnsafePointer<CChar>, _ length: Int, _ output: UnsafeMutablePointer<CChar>?,
    _ outputSize: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

@_silgen_name("_swift_backtrace_demangle")
private func swiftBacktraceDemangle(
    _ mangled: UnsafePointer<CChar>, _ length: Int, _ output: UnsafeMutablePointer<CChar>?,
    _ outputSize: UnsafeMutablePointer<Int>?
) -> UnsafeMutablePointer<CChar>?

/// Turns mangled names of Swift symbols into readable ones.
package enum Demangler {
    /// The full description of a symbol, such as `Shop.Ticker.advance() -> ()`; nil if it is no Swift symbol.
    package static func demangle(_ mangled: String) -> String? {
        guard mangled.utf8.count <= SymbolLimits.mangledBytes else { return nil }
        // Proof: the runtime returns memory of malloc's that is ours, or NULL.
        guard let text = unsafe swiftDemangle(mangled, mangled.utf8.count, nil, nil, 0) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// What backtraces call a function, such as `Ticker.advance()`; nil if it is no Swift symbol.
    package static func shortName(_ mangled: String) -> String? {
        guard mangled.hasPrefix("$") || mangled.hasPrefix("_$"), mangled.utf8.count <= SymbolLimits.mangledBytes,
            // Proof: as above.
            let text = unsafe swiftBacktraceDemangle(mangled, mangled.utf8.count, nil, nil)
        else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
