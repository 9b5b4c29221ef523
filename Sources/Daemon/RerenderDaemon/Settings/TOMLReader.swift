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
/// dates, fractions, numbers with a base, a plus or underscores, texts of several lines, escapes in texts, and keys with dots or in
/// quotation marks; each of these is a fault.
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
        guard let number = Int(word), String(number) == word else {
            throw fault("\(key) needs a text in quotation marks, a whole number, true, false, or a list in brackets")
        }
        return .number(number)
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
            guard scalar != "\\" || mark == "'" else { throw fault("a text with \\ has ' ' around it, and not \" \"") }
            text.append(scalar)
        }
        throw fault("a text has no end: a line ends before \(mark)")
    }

    /// What TOML allows in no text and no comment.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
    }

    private var controlFault: SettingsFault {
        fault("a text or a comment has a control character")
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
