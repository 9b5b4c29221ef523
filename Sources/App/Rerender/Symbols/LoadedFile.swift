// SPDX-License-Identifier: MIT
// Finds the loaded file that an address belongs to.

import CRerender
import Glibc
import RerenderModel

/// A file that the loader mapped into this process.
package struct LoadedFile: Hashable, Sendable {
    /// Where it can be opened.
    package let path: String
    /// What is added to the file's own addresses.
    package let bias: UInt
    /// How many files had been unloaded: after a change, an address may be another file's.
    package let unloads: UInt64
    private let headSize: Int
    private let fingerprint: UInt64

    /// The file that the address belongs to; nil for memory that no file was loaded to. Microseconds.
    package init?(containing address: UInt) {
        var image = csymbols_image()
        let path = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            guard let start = buffer.baseAddress,
                unsafe csymbols_find_image(address, &image, start, buffer.count)
            else { return nil }
            return unsafe String(cString: start)
        }
        guard let path else { return nil }
        self.path = path
        bias = image.bias
        unloads = image.unloads
        headSize = image.head_size
        fingerprint = image.fingerprint
    }

    /// How many files have been unloaded so far. Microseconds.
    package static var unloads: UInt64 { csymbols_unloads() }

    /// The last part of the path.
    package var name: String {
        let program = path == "/proc/self/exe" ? Self.programName ?? "program" : nil
        return program ?? Self.lastPart(of: path) ?? path
    }

    /// Where it lies, by a path that says in which folder.
    var diskPath: String { path == "/proc/self/exe" ? Self.programPath : path }

    /// The file name of the running program.
    package static let programName: String? = lastPart(of: programPath)

    /// The path of the running program's file; empty where it cannot be told.
    private static let programPath: String = unsafe withUnsafeTemporaryAllocation(
        of: UInt8.self, capacity: Int(PATH_MAX)
    ) { buffer in
        let count = unsafe buffer.withMemoryRebound(to: CChar.self) { path in
            guard let start = path.baseAddress else { return 0 }
            return unsafe readlink("/proc/self/exe", start, path.count)
        }
        return Self.unmarked(unsafe String(decoding: buffer[0..<max(0, count)], as: UTF8.self))
    }

    /// The path of a file as the kernel tells it, without the mark of one that was deleted, or replaced by another one.
    static func unmarked(_ path: String) -> String {
        let mark = " (deleted)".utf8
        return path.utf8.suffix(mark.count).elementsEqual(mark) ? String(path.dropLast(mark.count)) : path
    }

    /// Told apart by bytes: a slash and an accent behind it are one `Character`.
    private static func lastPart(of path: String) -> String? {
        path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) }
    }

    /// Where the section with this name lies in this process, and where all do that were loaded; nil if there is none, or if
    /// the file was replaced. Some 100 µs.
    package func memory(ofSection name: String) -> (section: Range<UInt>, all: [Range<UInt>])? {
        guard let file = map(), let sections = FileSections(file), let found = sections.section(name)?.memory,
            !found.isEmpty
        else { return nil }
        func place(_ range: Range<UInt64>) -> Range<UInt>? {
            let (start, end) = (bias &+ UInt(range.lowerBound), bias &+ UInt(range.upperBound))
            return start < end ? start..<end : nil
        }
        return place(found).map { ($0, sections.all.compactMap { place($0.memory) }) }
    }

    /// The file's bytes; nil if it cannot be read, or if what is at the path is no longer the file that
    /// was loaded: a build replaces files under a running app, and another build's names would be lies.
    func map() -> MappedFile? {
        guard headSize > 0, let file = MappedFile(path: path), file.fingerprint(of: headSize) == fingerprint else {
            return nil
        }
        return file
    }
}

// Demangles symbols with the Swift runtime.

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

// A place in a script, by the address that stands for it.

/// A function of a script, and where in it something was seen.
package struct ScriptPlace: Hashable, Sendable {
    /// `Clock.update_label()`, or `<lambda>` as the language says it; empty where the language tells no names.
    package let function: String
    /// The path; its end, where it is longer than 255 bytes. Empty where only a name is known.
    package let path: String
    /// nil where it is not known.
    package let line: Int?

    /// Nil for an address that stands for none: that of code.
    package init?(_ address: UInt) {
        var place = crerender_script_place()
        // Proof: it is copied into the local value, whose texts have an end.
        guard unsafe crerender_script_place(address, &place) else { return nil }
        let name = String(upToZero: place.function)
        function = name.isEmpty || name.hasSuffix(">") ? name : name + "()"
        path = String(upToZero: place.file)
        line = place.line == 0 ? nil : Int(place.line)
    }

    /// `clock.py:24`.
    package var place: String { PathName.last(of: path) + (line.map { ":\($0)" } ?? "") }

    /// `update_label() clock.py:24`, or the place alone.
    package var text: String { function.isEmpty ? place : path.isEmpty ? function : "\(function) \(place)" }
}

extension String {
    /// The text in an array of C, up to its zero. Proof: the bytes are those of the value.
    init<Characters>(upToZero characters: Characters) {
        self = unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: Array(bytes.prefix { $0 != 0 }), as: UTF8.self)
        }
    }
}
