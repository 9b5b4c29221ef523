// SPDX-License-Identifier: MIT
// Names by address: of this process's functions, and of files that are not what they seem.

import CRerender
import Foundation
import TestSupport
import Testing

@testable import Rerender

@inline(never)
private func findsItself() -> UInt {
    // The name of a closure's C thunk holds that of the function around it.
    let pointer: @convention(c) () -> Void = {}
    return UInt(bitPattern: unsafeBitCast(pointer, to: UnsafeRawPointer.self))
}

@Suite struct SymbolTableTests {
    @Test func `a function of this process is known by its address, at its first byte and inside`() throws {
        let address = findsItself()
        let mangled = try #require(ProcessSymbols.name(at: address))
        #expect(Demangler.demangle(mangled)?.contains("findsItself") == true)
        #expect(ProcessSymbols.name(at: address + 1) == mangled)
    }

    @Test func `a C function of another file is known`() throws {
        // Without pointers: headers of newer C libraries say which of them may be null, and so have another type.
        let function: @convention(c) () -> pid_t = getpid
        let address = UInt(bitPattern: unsafeBitCast(function, to: UnsafeRawPointer.self))
        let file = try #require(LoadedFile(containing: address))
        #expect(file.name.hasPrefix("libc"))
        #expect(ProcessSymbols.name(at: address)?.hasSuffix("getpid") == true)
    }

    @Test func `memory that is no file's has no name`() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        defer { memory.deallocate() }
        #expect(ProcessSymbols.name(at: UInt(bitPattern: memory)) == nil)
        #expect(ProcessSymbols.name(at: 0) == nil)
        #expect(ProcessSymbols.name(at: .max) == nil)
    }

    @Test func `each function of a table is found from its first byte to its last, and nothing between`() throws {
        let elf = SyntheticELF(functions: [("b", 0x2000, 16), ("a", 0x1000, 32), ("none", 0x3000, 0)])
        let table = try #require(elf.table(elf.bytes))
        #expect(table.function(at: 0x1000)?.name == "a")
        #expect(table.function(at: 0x101F)?.name == "a")
        #expect(table.function(at: 0x1020)?.name == nil)
        #expect(table.function(at: 0x1FFF)?.name == nil)
        #expect(table.function(at: 0x2000)?.name == "b")
        #expect(table.function(at: 0x2010)?.name == nil)
        #expect(table.function(at: 0xFFF)?.name == nil)
        #expect(table.function(at: 0x3000)?.name == "none")
        #expect(table.function(at: .max)?.name == nil)
    }

    @Test func `a file cut at any byte gives no table`() {
        let elf = SyntheticELF(functions: [("a", 0x1000, 32), ("b", 0x2000, 16)])
        for length in 0..<elf.bytes.count {
            #expect(elf.hasTable(Array(elf.bytes[..<length])) == false, "\(length) bytes")
        }
    }

    @Test func `any byte may hold any value`() {
        let elf = SyntheticELF(functions: [("a", 0x1000, 32), ("b", 0x2000, 16)])
        for position in elf.bytes.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = elf.bytes
                bytes[position] = value
                guard let table = elf.table(bytes) else { continue }
                for address: UInt64 in [0, 0x1000, 0x1010, 0x2000, 0x2010, 1 << 39, .max] {
                    _ = table.function(at: address)?.name
                }
            }
        }
    }

    @Test func `types and getters are found by their symbols, and any byte may hold any value`() throws {
        let elf = SyntheticELF(functions: [
            ("$s1a1bCMn", 0x1000, 32), ("$s1a1bC1cSivpACTK", 0x2000, 16), ("$s1a1bC1dSivgTq", 0x3000, 8),
            ("$s1a1eC1cSivpACTK", 0x4000, 16), ("$s1a1bC1cSivg", 0x5000, 16), ("$s1a1bC1cSivs", 0x6000, 16),
        ])
        let symbols = try #require(elf.declarations(elf.bytes))
        #expect(symbols.type(at: 0x1000) == "$s1a1bC")
        #expect(symbols.type(at: 0x2000) == nil)
        #expect(symbols.type(at: 0) == nil)
        #expect(
            Set(symbols.getters(startingWith: "$s1a1bC")) == ["$s1a1bC1cSivpACTK", "$s1a1bC1dSivgTq", "$s1a1bC1cSivg"])
        for position in elf.bytes.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = elf.bytes
                bytes[position] = value
                guard let symbols = elf.declarations(bytes) else { continue }
                _ = symbols.type(at: 0x1000)
                _ = symbols.getters(startingWith: "$s1a1bC")
            }
        }
        for length in 0..<elf.bytes.count { _ = elf.declarations(Array(elf.bytes[..<length])) }
    }

    @Test func `what a wrapper of Vala's compiler calls is found by its name, and a version is no part of a name`()
        throws
    {
        let elf = SyntheticELF(functions: [
            ("_win_on_clicked_gtk_button_clicked", 0x1000, 16), ("win_on", 0x2000, 16), ("win_on_clicked", 0x3000, 16),
            ("___lambda4__gsource_func", 0x4000, 16), ("__lambda4_.isra.0", 0x5000, 16),
            ("pthread_mutex_lock@@GLIBC_2.2.5", 0x6000, 16),
        ])
        let table = try #require(elf.table(elf.bytes))
        #expect(table.wrapped(by: "_win_on_clicked_gtk_button_clicked")?.start == 0x3000)
        #expect(table.wrapped(by: "___lambda4__gsource_func")?.start == 0x5000)
        for name in ["win_on_clicked", "_win_on_clicked", "_win_on_clicked_", "_", "", "_other_gsource_func"] {
            #expect(table.wrapped(by: name)?.name != "win_on_clicked", "\(name)")
        }
        #expect(table.function(at: 0x6000)?.name == "pthread_mutex_lock")
    }

    @Test func `a wrapper is passed over in a stack where what it calls is in a file of Vala's`() {
        let inner = "win_on_clicked() window.vala:41"
        #expect(ValaWrapper.isWrapper(frame: "_win_on_clicked_gtk_button_clicked() window.c:12", of: inner))
        #expect(ValaWrapper.isWrapper(frame: "_win_on_clicked_gtk_button_clicked() in shop", of: inner))
        #expect(ValaWrapper.isWrapper(frame: "___lambda4__gsource_func() a.c:1", of: "__lambda4_() a.vala:7"))
        for (frame, inner) in [
            ("_win_on_clicked_gtk_button_clicked() window.c:12", "win_on_clicked() window.c:41"),
            ("_win_on_clicked_gtk_button_clicked() window.c:12", "win_on_clicked() in shop"),
            ("_win_on_clicked_gtk_button_clicked() window.c:12", "win_on_click() window.vala:41"),
            ("win_show() window.vala:50", inner), ("_win_on_clicked() window.c:1", inner), ("unknown in shop", inner),
            ("_win_on_clicked_gtk_button_clicked() window.c:12", "unknown"),
        ] {
            #expect(!ValaWrapper.isWrapper(frame: frame, of: inner), "\(frame) of \(inner)")
        }
    }

    @Test func `a file that is replaced after it was loaded has no names`() throws {
        let file = try #require(LoadedFile(containing: findsItself()))
        #expect(file.map() != nil)
        let other = try #require(MappedFile(path: "/bin/sh"))
        let own = try #require(MappedFile(path: file.path))
        #expect(own.fingerprint(of: 4_096) != other.fingerprint(of: 4_096))
        #expect(other.fingerprint(of: other.count + 1) == nil)
    }

    @Test func `what is no file has no bytes`() {
        #expect(MappedFile(path: "/") == nil)
        #expect(MappedFile(path: "/dev/zero") == nil)
        #expect(MappedFile(path: "/proc/self/maps") == nil)
        #expect(MappedFile(path: "/nowhere") == nil)
    }

    @Test func `only Swift symbols are demangled`() {
        #expect(Demangler.demangle("$s4Shop6TickerC7advanceyyF") == "Shop.Ticker.advance() -> ()")
        #expect(Demangler.demangle("fputs") == nil)
        #expect(Demangler.demangle("") == nil)
        #expect(Demangler.demangle("$s" + String(repeating: "4Shop", count: 10_000)) == nil)
    }
}

/// The smallest ELF file with functions: header, symbols, strings, section headers.
private struct SyntheticELF {
    var bytes: [UInt8] = []

    init(functions: [(name: String, address: UInt64, size: UInt64)]) {
        var strings: [UInt8] = [0]
        var symbols: [UInt8] = []
        for function in functions {
            append(UInt32(strings.count), to: &symbols)
            symbols += [0x12, 0, 1, 0]
            append(function.address, to: &symbols)
            append(function.size, to: &symbols)
            strings += Array(function.name.utf8) + [0]
        }
        bytes = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + Array(repeating: 0, count: 57)
        let symbolsStart = bytes.count, stringsStart = symbolsStart + symbols.count
        bytes += symbols + strings
        let headers = bytes.count
        bytes.replaceSubrange(0x28..<0x30, with: word(UInt64(headers)))
        bytes[0x3A] = 64
        bytes[0x3C] = 3
        bytes += Array(repeating: 0, count: 64)
        bytes += header(kind: 2, start: symbolsStart, size: symbols.count, link: 2)
        bytes += header(kind: 3, start: stringsStart, size: strings.count, link: 0)
    }

    func table(_ bytes: [UInt8]) -> SymbolTable? { map(bytes).flatMap { SymbolTable($0) } }

    func declarations(_ bytes: [UInt8]) -> DeclarationSymbols? {
        map(bytes).flatMap { DeclarationSymbols($0, bias: 0) }
    }

    private func map(_ bytes: [UInt8]) -> MappedFile? {
        let path = NSTemporaryDirectory() + "rerender-elf-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        defer { unlink(path) }
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return nil }
        return MappedFile(path: path)
    }

    func hasTable(_ bytes: [UInt8]) -> Bool { table(bytes) != nil }

    private func header(kind: UInt32, start: Int, size: Int, link: UInt32) -> [UInt8] {
        var header: [UInt8] = []
        append(UInt32(0), to: &header)
        append(kind, to: &header)
        header += word(0) + word(0) + word(UInt64(start)) + word(UInt64(size))
        append(link, to: &header)
        append(UInt32(0), to: &header)
        return header + word(8) + word(24)
    }

    private func word(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    private func append<T: FixedWidthInteger>(_ value: T, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value) { bytes += Array($0) }
    }
}
