// SPDX-License-Identifier: MIT
// The border between names as linkers know them and names as people read them: finds mangled names of Rust and C++ in texts.

import Synchronization

/// Makes the mangled names in a text readable. ``Printable/text(_:)`` asks for that, and nothing else: everywhere before, names stay as they are.
package enum MangledNames {
    /// The text with a path in the place of each mangled name of Rust's or C++'s that can be read. Linear in the text's length, with a
    /// bound for what repeats itself in a name. The same again for what it returned.
    package static func readable(_ text: String) -> String {
        guard mayHave(text.utf8) else { return text }
        let bytes = Array(text.utf8)
        var (shown, copied) = ("", 0)
        for range in symbols(in: bytes) {
            guard let name = readable(bytes[range]) else { continue }
            shown += String(decoding: bytes[copied..<range.lowerBound], as: UTF8.self) + name
            copied = range.upperBound
        }
        return copied == 0 ? text : shown + String(decoding: bytes[copied...], as: UTF8.self)
    }

    /// Longer names are left as they are: a text of an app has at most 512 bytes.
    private static let longest = 1_024

    /// Most texts have none, and are left alone.
    private static func mayHave(_ text: some Sequence<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in text {
            if last == UInt8(ascii: "_"), byte == UInt8(ascii: "Z") || byte == UInt8(ascii: "R") { return true }
            last = byte
        }
        return false
    }

    /// Where mangled names may be: behind what belongs to no name, up to what belongs to none.
    private static func symbols(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var at = 0
        while at < bytes.count {
            guard isOfName(bytes[at]) else {
                at += 1
                continue
            }
            let end = bytes[at...].firstIndex { !isOfName($0) } ?? bytes.count
            if end - at > 3, end - at <= longest, mayHave(bytes[at...(at + 1)]) { found.append(at..<end) }
            at = end
        }
        return found
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    private static func readable(_ symbol: ArraySlice<UInt8>) -> String? {
        let symbol = Array(symbol)
        if let name = RustName(symbol) {
            return checked(name.path, behind: String(decoding: symbol[name.length...], as: UTF8.self))
        }
        let (base, rest) = CxxName.parted(symbol)
        guard base.starts(with: "_Z".utf8) else { return nil }
        let answer = answers.withLock { $0[String(decoding: base, as: UTF8.self)] } ?? nil
        return (answer ?? CxxName.nested(base)).flatMap { checked($0, behind: rest) }
    }

    /// What a compiler put behind a name stays there, but for the number of a part of the program. Nil for a path that
    /// holds what looks like a mangled name.
    private static func checked(_ path: String, behind rest: String) -> String? {
        guard rest.isEmpty || rest.hasPrefix("."), symbols(in: Array(path.utf8)).isEmpty else { return nil }
        return path + (rest.hasPrefix(".llvm.") ? "" : rest)
    }

    // MARK: What another program reads

    /// What `c++filt` answered; nil for what it could not read.
    private static let answers = Mutex<[String: String?]>([:])
    /// A program has some thousand functions that lead to anything.
    private static let mostAnswers = 4_096
    /// Names that are asked for at a time.
    private static let mostQuestions = 256

    /// The names in these texts that only another program can read, and that were not answered yet: those of C++ with templates, lambdas and
    /// so on. At most 256.
    package static func unread(in texts: [String]) -> [String] {
        var found: Set<String> = []
        for text in texts where mayHave(text.utf8) {
            let bytes = Array(text.utf8)
            for range in symbols(in: bytes) where found.count < mostQuestions {
                let symbol = Array(bytes[range])
                let base = CxxName.parted(symbol).name
                guard base.starts(with: "_Z".utf8), RustName(symbol) == nil, CxxName.nested(base) == nil else {
                    continue
                }
                found.insert(String(decoding: base, as: UTF8.self))
            }
        }
        return answers.withLock { known in found.filter { known[$0] == nil } }.sorted()
    }

    /// Takes answers, as `c++filt` prints them.
    ///
    /// - Parameters:
    ///   - names: What was asked for.
    ///   - lines: A line for each of them; any other number is no answer, and they are not asked for again.
    package static func learn(_ names: [String], _ lines: [Substring]) {
        let read: [String?] = names.indices.map { index in
            guard lines.count == names.count, lines[index] != names[index] else { return nil }
            return CxxName.path(of: String(lines[index]))
        }
        answers.withLock { known in
            for (name, path) in zip(names, read) where known.count < mostAnswers { known[name] = .some(path) }
        }
    }
}

/// Names of C++.
enum CxxName {
    /// The name, and what the compiler put behind it, such as `.isra.0`.
    static func parted(_ symbol: [UInt8]) -> (name: ArraySlice<UInt8>, rest: String) {
        let end = symbol.firstIndex(of: UInt8(ascii: ".")) ?? symbol.count
        return (symbol[..<end], String(decoding: symbol[end...], as: UTF8.self))
    }

    /// The path of a function without templates: `app::Window::tick` of `_ZN3app6Window4tickEi`. Nil for anything else.
    static func nested(_ symbol: ArraySlice<UInt8>) -> String? {
        let bytes = Array(symbol)
        var at = 2
        func takes(_ letters: String) -> Bool {
            guard at < bytes.count, letters.utf8.contains(bytes[at]) else { return false }
            at += 1
            return true
        }
        guard takes("N") else {
            _ = takes("L")
            return part(bytes, &at).flatMap { at < bytes.count ? $0 : nil }
        }
        while takes("rVKRO") {}
        var parts: [String] = []
        if at + 1 < bytes.count, bytes[at...].starts(with: "St".utf8) {
            parts = ["std"]
            at += 2
        }
        while at < bytes.count, !takes("E") {
            if let last = parts.last, let special = special(bytes, &at, of: last) {
                parts.append(special)
                continue
            }
            _ = takes("L")
            guard let name = part(bytes, &at) else { return nil }
            parts.append(name == "_GLOBAL__N_1" ? "(anonymous namespace)" : name)
        }
        // Behind it are the types of the arguments.
        return parts.count > 1 && at < bytes.count ? parts.joined(separator: "::") : nil
    }

    private static func part(_ bytes: [UInt8], _ at: inout Int) -> String? {
        guard let count = DecimalDigits.read(bytes, &at), count > 0, count <= bytes.count - at else { return nil }
        defer { at += count }
        return String(decoding: bytes[at..<(at + count)], as: UTF8.self)
    }

    /// A constructor or destructor.
    private static func special(_ bytes: [UInt8], _ at: inout Int, of type: String) -> String? {
        guard at + 1 < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "5")).contains(bytes[at + 1]) else { return nil }
        switch bytes[at] {
        case UInt8(ascii: "C"):
            at += 2
            return type
        case UInt8(ascii: "D"):
            at += 2
            return "~" + type
        default: return nil
        }
    }

    /// The path in a whole declaration: `app::setup::{lambda}` of `app::setup(int)::{lambda(int)#1}::operator()(int) const`.
    static func path(of declaration: String) -> String? {
        var (path, depth) = ("", 0)
        var rest = declaration[...]
        while let first = rest.first {
            if depth == 0, let kept = kept.first(where: rest.hasPrefix) {
                path += kept
                rest = rest.dropFirst(kept.count)
                continue
            }
            switch first {
            case "<", "(", "[": depth += 1
            case ">", ")", "]": depth -= 1
            // The number of a lambda.
            case "#": rest = rest.dropFirst().drop { $0.isNumber }
            // What is in front of it is the type of its value, and what is behind it is said of the function.
            case " " where depth == 0 && !path.hasSuffix("operator"):
                if rest.hasPrefix(" const") { rest = "" } else { path = "" }
            default: if depth == 0 { path.append(first) }
            }
            guard depth >= 0 else { return nil }
            if first != "#" { rest = rest.dropFirst() }
        }
        // What calls it, and the function that a pointer to it is.
        path = path.replacing("{lambda}::operator()", with: "{lambda}").replacing("{lambda}::_FUN", with: "{lambda}")
        return depth == 0 && !path.isEmpty && path.utf8.count <= 256 ? path : nil
    }

    /// What has brackets, and is a part of a path.
    private static let kept = [
        "(anonymous namespace)", "operator()", "operator[]", "operator<=>", "operator<<=", "operator>>=", "operator<<",
        "operator>>", "operator<=", "operator>=", "operator->*", "operator->", "operator<", "operator>",
    ]
}

// Reads the names that older compilers of Rust mangle.

/// The legacy form: names with their lengths, as C++ has them, and a hash.
enum LegacyRustName {
    /// `h` and sixteen digits.
    private static let hashBytes = 17

    static func read(_ symbol: [UInt8]) -> (path: String, length: Int)? {
        var at = 3
        var parts: [String] = []
        while at < symbol.count, symbol[at] != UInt8(ascii: "E") {
            guard let count = DecimalDigits.read(symbol, &at), count > 0, count <= symbol.count - at else { return nil }
            parts.append(String(decoding: symbol[at..<(at + count)], as: UTF8.self))
            at += count
        }
        guard at < symbol.count, let hash = parts.popLast(), isHash(hash), !parts.isEmpty else { return nil }
        var path = ""
        for part in parts {
            guard let name = unescaped(part) else { return nil }
            path += (path.isEmpty ? "" : "::") + name
        }
        return (path.replacing("{{", with: "{").replacing("}}", with: "}"), at + 1)
    }

    private static func isHash(_ text: String) -> Bool {
        text.utf8.count == hashBytes && text.utf8.first == UInt8(ascii: "h")
            && text.utf8.dropFirst().allSatisfy { DecimalDigits.hexValue($0) != nil }
    }

    private static let escapes: [Substring: String] = [
        "SP": "@", "BP": "*", "RF": "&", "LT": "<", "GT": ">", "LP": "(", "RP": ")", "C": ",",
    ]

    /// `<alloc::boxed::Box<T>>` of `_$LT$alloc..boxed..Box$LT$T$GT$$GT$`.
    private static func unescaped(_ part: String) -> String? {
        var rest = part[...]
        if rest.hasPrefix("_$") { rest = rest.dropFirst() }
        var name = ""
        while let first = rest.first {
            if rest.hasPrefix("..") {
                name += "::"
                rest = rest.dropFirst(2)
            } else if first == "$" {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "$"), let character = character(rest[..<end]) else { return nil }
                name += character
                rest = rest[rest.index(after: end)...]
            } else {
                name.append(first)
                rest = rest.dropFirst()
            }
        }
        return name
    }

    private static func character(_ code: Substring) -> String? {
        if let known = escapes[code] { return known }
        guard code.hasPrefix("u"), code.utf8.count <= 7, let number = UInt32(code.dropFirst(), radix: 16) else {
            return nil
        }
        return Unicode.Scalar(number).map { String(Character($0)) }
    }
}
