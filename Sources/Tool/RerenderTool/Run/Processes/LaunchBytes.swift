// SPDX-License-Identifier: MIT
// Arguments and environment as bytes, which may be no text. Contains unsafe code.

// Glibc's `environ` is a variable that anybody could change; see where it is read.
@unsafe @preconcurrency import Glibc

/// What a command's environment has other than ours.
package struct LaunchChanges: Hashable, Sendable {
    /// A value behind the one that a variable has.
    package struct Addition: Hashable, Sendable {
        var name: String
        /// Between both; left out where the variable has none.
        var separator: String
        var value: String
    }

    /// Variables that are set.
    package var values: [String: String] = [:]
    package var additions: [Addition] = []
}

/// What the process was started with, byte for byte.
///
/// `CommandLine.arguments` and `ProcessInfo` repair invalid UTF-8, but a command needs its file names unchanged.
enum LaunchBytes {
    /// The words of a command as bytes of our command line, if it ends with them; otherwise as UTF-8.
    ///
    /// - Parameter words: As the parser found them. The words of a command are always the last ones.
    static func words(_ words: [String]) -> [[UInt8]] {
        let texts = words.map { Array($0.utf8) }
        let ours = arguments.suffix(words.count)
        let isSame = ours.count == words.count && zip(ours, texts).allSatisfy { repaired($0) == $1 }
        return isSame ? Array(ours) : texts
    }

    /// Our environment with some variables set to other values, as `NAME=value`.
    static func environment(with changes: LaunchChanges) -> [[UInt8]] {
        let ours = environment
        let values = changes.values.map { (name: prefix($0), value: Array($1.utf8)) }
        let additions = changes.additions.map { addition in
            let name = prefix(addition.name)
            let old = ours.first { $0.starts(with: name) }.map { Array($0.dropFirst(name.count)) } ?? []
            let separator = old.isEmpty ? [] : Array(addition.separator.utf8)
            return (name: name, value: old + separator + Array(addition.value.utf8))
        }
        let all = values + additions
        let kept = ours.filter { entry in !all.contains { entry.starts(with: $0.name) } }
        return kept + all.map { $0.name + $0.value }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The same with nothing but values.
    static func environment(with values: [String: String]) -> [[UInt8]] {
        environment(with: LaunchChanges(values: values))
    }

    private static func prefix(_ name: String) -> [UInt8] { Array(name.utf8) + [UInt8(ascii: "=")] }

    private static func repaired(_ bytes: [UInt8]) -> [UInt8] { Array(String(decoding: bytes, as: UTF8.self).utf8) }

    // MARK: The fence

    /// All arguments, the program first.
    private static var arguments: [[UInt8]] {
        // The kernel's list: `argc` strings that end with a zero, and that live and stay as they are as long as the process.
        (0..<Int(CommandLine.argc)).compactMap { index in
            unsafe CommandLine.unsafeArgv[index].map { unsafe bytes($0) }
        }
    }

    /// All entries of the environment, in their order.
    private static var environment: [[UInt8]] {
        // C's list is there from the start and ends with nil. Nothing in this program calls setenv() or putenv(), so nothing
        // changes it while it is read.
        var entry = unsafe environ
        var entries: [[UInt8]] = []
        while let text = unsafe entry.pointee {
            unsafe entries.append(bytes(text))
            unsafe entry += 1
        }
        return entries
    }

    /// A copy of a string that ends with a zero.
    private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
        // strlen() counts up to the zero that both lists promise.
        unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// Calls `body` with C's null-terminated list of these strings.
    static func withCStrings<R>(
        _ strings: [[UInt8]], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
    ) -> R {
        // Copied with a final zero, and freed after the only use; a copy that memory was lacking for ends the list early.
        var copies: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { string in
            unsafe (string + [0]).withUnsafeBytes { bytes in
                unsafe bytes.baseAddress.flatMap { unsafe strdup($0.assumingMemoryBound(to: CChar.self)) }
            }
        }
        unsafe copies.append(nil)
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe copies.withUnsafeMutableBufferPointer { buffer in
            // The list has at least the final nil, so there is a first element.
            unsafe body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}
