// SPDX-License-Identifier: MIT
// Reads the names that Rust's compiler mangles, in the legacy form and in v0. They come from files of others: hostile input.

/// The path of a function in Rust: `clock::ui::draw`, or `<clock::Clock as clock::Tick>::tick`.
///
/// Hashes, and the type arguments of functions, are left out. A closure is `clock::main::{closure}`.
package struct RustName: Hashable, Sendable {
    package let path: String
    /// How many bytes of the symbol mean that; a compiler may add more, such as `.llvm.123`.
    package let length: Int

    /// Longer paths are not read.
    static let longest = 512

    /// Nil if the symbol does not begin as a name of Rust's does. Linear in its length, with a bound for what repeats itself.
    package init?(_ symbol: [UInt8]) {
        let read: (path: String, length: Int)? =
            if symbol.starts(with: "_ZN".utf8) {
                LegacyRustName.read(symbol)
            } else {
                symbol.starts(with: "_R".utf8) ? V0RustName.read(symbol) : nil
            }
        guard let read, !read.path.isEmpty, read.path.utf8.count <= Self.longest else { return nil }
        (path, length) = read
    }
}

/// The form v0: a grammar of paths and types, whose parts may stand for earlier ones.
private struct V0RustName {
    private struct Fault: Error {}

    /// What one name may take: parts in each other, and parts in all. Names refer to themselves, and so may be made to grow without end.
    private static let deepest = 40, mostParts = 2_000

    private let symbol: [UInt8]
    private var at = 2
    private var text = ""
    /// Above 0 nothing is written.
    private var silence = 0
    private var depth = 0, parts = 0

    private init(_ symbol: [UInt8]) { self.symbol = symbol }

    static func read(_ symbol: [UInt8]) -> (path: String, length: Int)? {
        var reader = V0RustName(symbol)
        do throws(Fault) {
            try reader.path()
            // What is behind it is the crate that made the code.
            if let next = reader.peek, isOfPath(next) {
                try reader.silently { reader throws(Fault) in try reader.path() }
            }
        } catch {
            return nil
        }
        return reader.text.contains("::") ? (reader.text, reader.at) : nil
    }

    // MARK: Bytes

    private var peek: UInt8? { at < symbol.count ? symbol[at] : nil }

    private mutating func next() throws(Fault) -> UInt8 {
        guard let byte = peek else { throw Fault() }
        at += 1
        return byte
    }

    /// Whether this is the next byte, which is taken then.
    private mutating func takes(_ byte: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: byte) else { return false }
        at += 1
        return true
    }

    private mutating func write(_ more: String) throws(Fault) {
        guard silence == 0 else { return }
        text += more
        guard text.utf8.count <= RustName.longest else { throw Fault() }
    }

    private mutating func silently(_ read: (inout Self) throws(Fault) -> Void) throws(Fault) {
        silence += 1
        defer { silence -= 1 }
        try read(&self)
    }

    /// Counts a part of the name.
    private mutating func nested(_ read: (inout Self) throws(Fault) -> Void) throws(Fault) {
        (depth, parts) = (depth + 1, parts + 1)
        defer { depth -= 1 }
        guard depth <= Self.deepest, parts <= Self.mostParts else { throw Fault() }
        try read(&self)
    }

    /// A number of digits and letters up to `_`; 0 is written as `_` alone.
    private mutating func number() throws(Fault) -> Int {
        if takes("_") { return 0 }
        var value = 0
        while true {
            let byte = try next()
            if byte == UInt8(ascii: "_") { break }
            guard let digit = DecimalDigits.base62Value(byte) else { throw Fault() }
            // Hashes have more digits than fit; of them nothing is kept.
            value = value &* 62 &+ digit
        }
        return value &+ 1
    }

    // MARK: Names

    /// A name with its number, which tells it from others of that name and is left out.
    private mutating func identifier() throws(Fault) -> String {
        if takes("s") { _ = try number() }
        return try plainIdentifier()
    }

    /// Without a number. What is not ASCII stays in Punycode.
    private mutating func plainIdentifier() throws(Fault) -> String {
        _ = takes("u")
        guard let count = DecimalDigits.read(symbol, &at) else { throw Fault() }
        _ = takes("_")
        guard count <= symbol.count - at else { throw Fault() }
        defer { at += count }
        return String(decoding: symbol[at..<(at + count)], as: UTF8.self)
    }

    /// Reads what stands at an earlier place.
    private mutating func earlier(_ read: (inout Self) throws(Fault) -> Void) throws(Fault) {
        let own = at - 1
        let place = try number() &+ 2
        guard place >= 2, place < own else { throw Fault() }
        let behind = at
        at = place
        try read(&self)
        at = behind
    }

    private static func isOfPath(_ byte: UInt8) -> Bool { "CMXYNIB".utf8.contains(byte) }

    private mutating func path() throws(Fault) {
        try nested { reader throws(Fault) in try reader.pathPart() }
    }

    private mutating func pathPart() throws(Fault) {
        switch Unicode.Scalar(try next()) {
        case "C": try write(try identifier())
        case "M":
            try implementation()
            try type()
        case "X":
            try implementation()
            try trait()
        case "Y": try trait()
        case "N":
            let kind = Unicode.Scalar(try next())
            try path()
            let name = try identifier()
            switch kind {
            case "C": try write("::{closure}")
            case "S": try write("::{shim}")
            case "a"..."z": try write("::" + name)
            default: try write("::{\(name)}")
            }
        case "I": try specialised()
        case "B": try earlier { reader throws(Fault) in try reader.path() }
        default: throw Fault()
        }
    }

    /// Where an implementation stands, which its type says better.
    private mutating func implementation() throws(Fault) {
        if takes("s") { _ = try number() }
        try silently { reader throws(Fault) in try reader.path() }
    }

    private mutating func trait() throws(Fault) {
        try write("<")
        try type()
        try write(" as ")
        try path()
        try write(">")
    }

    /// A path with arguments, which are left out. A trampoline of gtk-rs calls a closure that is one of them: that is shown in its place.
    private mutating func specialised() throws(Fault) {
        let before = text
        try path()
        let own = text
        let isTrampoline = silence == 0 && own.hasSuffix("trampoline")
        var called: String?
        while !takes("E") {
            if isTrampoline {
                text = before
                try argument()
                if text.hasSuffix("{closure}") { called = text }
            } else {
                try silently { reader throws(Fault) in try reader.argument() }
            }
        }
        if isTrampoline { text = called ?? own }
    }

    private mutating func argument() throws(Fault) {
        if takes("L") {
            _ = try number()
        } else if takes("K") {
            try constant()
        } else {
            try type()
        }
    }

    // MARK: Types

    private static let basicTypes: [UInt8: String] = Dictionary(
        zip(
            "abcdefhijlmnopstuvxyz".utf8,
            [
                "i8", "bool", "char", "f64", "str", "f32", "u8", "isize", "usize", "i32", "u32", "i128", "u128", "_",
                "i16",
                "u16", "()", "...", "i64", "u64", "!",
            ])
    ) { first, _ in first }

    private mutating func type() throws(Fault) {
        try nested { reader throws(Fault) in try reader.typePart() }
    }

    private mutating func typePart() throws(Fault) {
        guard let byte = peek else { throw Fault() }
        if let name = Self.basicTypes[byte] {
            at += 1
            return try write(name)
        }
        // `B` may stand for a type, which may be a path.
        if byte != UInt8(ascii: "B"), Self.isOfPath(byte) { return try path() }
        at += 1
        switch Unicode.Scalar(byte) {
        case "B": try earlier { reader throws(Fault) in try reader.type() }
        case "A", "S":
            try write("[")
            try type()
            if byte == UInt8(ascii: "A") { try constant() }
            try write("]")
        case "T": try tuple()
        case "R", "Q":
            if takes("L") { _ = try number() }
            try write(byte == UInt8(ascii: "Q") ? "&mut " : "&")
            try type()
        case "P", "O":
            try write(byte == UInt8(ascii: "O") ? "*mut " : "*const ")
            try type()
        case "F":
            try write("fn")
            try silently { reader throws(Fault) in try reader.function() }
        case "D": try object()
        default: throw Fault()
        }
    }

    private mutating func tuple() throws(Fault) {
        try write("(")
        var isFirst = true
        while !takes("E") {
            if !isFirst { try write(", ") }
            isFirst = false
            try type()
        }
        try write(")")
    }

    private mutating func function() throws(Fault) {
        if takes("G") { _ = try number() }
        _ = takes("U")
        if takes("K"), !takes("C") { _ = try plainIdentifier() }
        while !takes("E") { try type() }
        try type()
    }

    private mutating func object() throws(Fault) {
        try write("dyn ")
        if takes("G") { _ = try number() }
        var isFirst = true
        while !takes("E") {
            if !isFirst { try write(" + ") }
            isFirst = false
            try path()
            while takes("p") {
                _ = try plainIdentifier()
                try silently { reader throws(Fault) in try reader.type() }
            }
        }
        guard takes("L") else { throw Fault() }
        _ = try number()
    }

    /// A number, a truth value, a character or a text, which no path shows.
    private mutating func constant() throws(Fault) {
        try nested { reader throws(Fault) in
            if reader.takes("p") { return }
            if reader.takes("B") { return try reader.earlier { reader throws(Fault) in try reader.constant() } }
            let kind = try reader.next()
            guard Self.basicTypes[kind] != nil else { throw Fault() }
            _ = reader.takes("n")
            while !reader.takes("_") {
                let digit = try reader.next()
                guard DecimalDigits.hexValue(digit) != nil else { throw Fault() }
            }
        }
    }
}

/// Numbers in mangled names.
enum DecimalDigits {
    /// The decimal number at a place, which goes behind it; nil without a digit, and for a number that is longer than any name.
    static func read(_ bytes: [UInt8], _ at: inout Int) -> Int? {
        var value: Int?
        while at < bytes.count, let digit = decimalValue(bytes[at]) {
            let more = (value ?? 0) * 10 + digit
            guard more < 1 << 20 else { return nil }
            value = more
            at += 1
            // A name of no bytes, which may be followed by a name that begins with a digit.
            if more == 0 { break }
        }
        return value
    }

    private static func decimalValue(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }

    static func hexValue(_ byte: UInt8) -> Int? {
        if let digit = decimalValue(byte) { return digit }
        return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) ? Int(byte - UInt8(ascii: "a")) + 10 : nil
    }

    /// Digits, then small letters, then large ones.
    static func base62Value(_ byte: UInt8) -> Int? {
        if let digit = decimalValue(byte) { return digit }
        if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) { return Int(byte - UInt8(ascii: "a")) + 10 }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? Int(byte - UInt8(ascii: "A")) + 36 : nil
    }
}
