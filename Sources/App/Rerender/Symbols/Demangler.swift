// SPDX-License-Identifier: MIT
// The fence around the runtime's demangler.

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

/// Names of Swift symbols as a reader knows them.
enum Demangler {
    /// The full description of a symbol, such as `Shop.Ticker.advance() -> ()`; nil if it is no Swift symbol.
    static func demangle(_ mangled: String) -> String? {
        guard mangled.utf8.count <= StoreLimits.mangledBytes else { return nil }
        // Proof: the runtime returns memory of malloc's that is ours, or NULL.
        guard let text = unsafe swiftDemangle(mangled, mangled.utf8.count, nil, nil, 0) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// What backtraces call a function, such as `Ticker.advance()`; nil if it is no Swift symbol.
    static func shortName(_ mangled: String) -> String? {
        guard mangled.hasPrefix("$") || mangled.hasPrefix("_$"), mangled.utf8.count <= StoreLimits.mangledBytes,
            // Proof: as above.
            let text = unsafe swiftBacktraceDemangle(mangled, mangled.utf8.count, nil, nil)
        else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}
