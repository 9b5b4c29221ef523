// SPDX-License-Identifier: MIT
// Reads the part of TOML that settings need.

/// A value of a setting.
enum TOMLValue: Hashable, Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([TOMLValue])
}

/// Reads keys with values: texts, whole numbers, truth values and lists of them, and comments. That is all of TOML 1.0 but tables,
/// dates, fractions, numbers with a base, texts of several lines, and keys with dots or in quotation marks; each of these is a fault. So is
/// NUL in a text, which no setting can use.
///
/// Its time and memory grow with the text alone: nothing nests deeper than a list in a key.
struct TOMLReader {
    /// A key with its value.
    struct Entry: Hashable, Sendable {
        let key: String
        let value: TOMLValue
        let line: Int
    }

    private var rest: Substring.UnicodeScalarView
    private var line = 1

    private init(_ text: String) {
        rest = text[...].unicodeScalars
        // Some editors put it before everything.
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
    }

    /// All entries, in their order; throws at the first that cannot be read, and at a second of one key.
    static func entries(of text: String) throws(SettingsFault) -> [Entry] {
        var reader = TOMLReader(text.replacing("\r\n", with: "\n"))
        var entries: [Entry] = []
        var keys: Set<String> = []
        while let entry = try reader.next() {
            guard keys.insert(entry.key).inserted else {
                throw SettingsFault("\(entry.key) is there twice", line: entry.line)
            }
            entries.append(entry)
        }
        return entries
    }

    private mutating func next() throws(SettingsFault) -> Entry? {
        try skipBlank(lines: true)
        guard !rest.isEmpty else { return nil }
        let begin = line, key = String(take { Self.isBare($0) })
        guard !key.isEmpty else { throw fault("a setting needs a name, such as sort = \"count\"") }
        try skipBlank()
        guard skip("=") else { throw fault("\(key) needs = and a value") }
        try skipBlank()
        let value = try value(of: key)
        try skipBlank()
        guard rest.isEmpty || rest.first == "\n" else { throw fault("there is more after the value of \(key)") }
        return Entry(key: key, value: value, line: begin)
    }

    private mutating func value(of key: String, inList: Bool = false) throws(SettingsFault) -> TOMLValue {
        if rest.first == "\"" || rest.first == "'" { return .text(try quoted()) }
        if !inList, skip("[") { return .list(try list(of: key)) }
        let word = String(take { Self.isBare($0) || $0 == "+" || $0 == "." || $0 == ":" })
        if let flag = Bool(word) { return .flag(flag) }
        guard let number = Self.number(word) else {
            throw fault("\(key) needs a text in quotation marks, a whole number, true, false, or a list in brackets")
        }
        return .number(number)
    }

    /// A whole number as TOML has it: no zero before other digits, and each underscore between two digits.
    private static func number(_ word: String) -> Int? {
        let digits = word.first == "+" || word.first == "-" ? word.dropFirst() : word[...]
        let isPlain = digits == "0" || (digits.first != "0" && digits.first?.isNumber == true)
        guard isPlain, digits.last != "_", !digits.contains("__") else { return nil }
        return Int(word.replacing("_", with: ""))
    }

    private mutating func list(of key: String) throws(SettingsFault) -> [TOMLValue] {
        var values: [TOMLValue] = []
        while true {
            try skipBlank(lines: true)
            if skip("]") { return values }
            values.append(try value(of: key, inList: true))
            try skipBlank(lines: true)
            if skip("]") { return values }
            guard skip(",") else { throw fault("the list of \(key) needs a comma or ]") }
        }
    }

    private mutating func quoted() throws(SettingsFault) -> String {
        let mark = rest.removeFirst()
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == mark { return String(text) }
            guard scalar != "\n" else { break }
            guard !Self.isControl(scalar) else { throw controlFault }
            if scalar == "\\", mark == "\"" { text.append(try escaped()) } else { text.append(scalar) }
        }
        throw fault("a text has no end: a line ends before \(mark)")
    }

    private mutating func escaped() throws(SettingsFault) -> Unicode.Scalar {
        switch rest.popFirst() {
        case "\"": return "\""
        case "\\": return "\\"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try scalar(digits: 4)
        case "U": return try scalar(digits: 8)
        default: throw fault("a \\ in a text is followed by \" \\ b f n r t u or U; a text in ' ' may have any")
        }
    }

    private mutating func scalar(digits: Int) throws(SettingsFault) -> Unicode.Scalar {
        let text = String(rest.prefix(digits))
        guard text.count == digits, let scalar = UInt32(text, radix: 16).flatMap(Unicode.Scalar.init) else {
            throw fault("\\u needs four hexadecimal digits of a character, \\U eight")
        }
        guard scalar != "\0" else { throw fault("a text cannot have the character NUL") }
        rest.removeFirst(digits)
        return scalar
    }

    /// What TOML allows in no text and no comment.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
    }

    private var controlFault: SettingsFault {
        fault("a text or a comment has a control character: write \\u and its number")
    }

    private static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
            || scalar == "-"
    }

    // MARK: Pieces

    private func fault(_ text: String) -> SettingsFault { SettingsFault(text, line: line) }

    private mutating func take(while isTaken: (Unicode.Scalar) -> Bool) -> Substring.UnicodeScalarView {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return taken
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    /// Skips spaces and a comment, and with `lines` everything up to the next sign of an entry.
    private mutating func skipBlank(lines: Bool = false) throws(SettingsFault) {
        while let next = rest.first {
            if next == "#" {
                guard !take(while: { $0 != "\n" }).contains(where: Self.isControl) else { throw controlFault }
            } else if next == " " || next == "\t" || (lines && next == "\n") {
                if next == "\n" { line += 1 }
                rest.removeFirst()
            } else {
                return
            }
        }
    }
}
