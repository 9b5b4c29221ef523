// SPDX-License-Identifier: MIT
// What the user has set for good.

package import RerenderModel

/// The settings of `config.toml`. What is nil is as it is without the file.
package struct UserSettings: Hashable, Sendable {
    /// When a turn of the main loop is a hang, and when a micro-hang; of stores that have the defaults.
    package var hangThresholdMilliseconds: UInt32?
    package var microHangThresholdMilliseconds: UInt32?
    /// Whether hangs record stacks.
    package var hangStacks: Bool?
    /// Whether the desktop shows a notification for each hang.
    package var notify: Bool?
    /// How tables of views are sorted.
    package var sort: StatsOrder?
    /// How many views a table has on a terminal.
    package var limit: Int?
    /// The columns of tables of views, by their titles in lower case.
    package var columns: [String]?
    /// The editor, as `$VISUAL` has it.
    package var editor: String?
    /// Whether runs are kept.
    package var history: Bool?
    /// Beginnings of names of libraries, and files and directories of scripts, whose functions are no writers.
    package var passOver: [String]?
    /// Whether servers may be asked for debug information.
    package var debuginfod: Bool?

    /// Settings without a file.
    package init() {}

    /// Reads the text of a file.
    ///
    /// Throws where it cannot be read (see `TOMLReader`), and where a setting is not known or has a value that it cannot have.
    package init(toml text: String) throws(SettingsFault) {
        for entry in try TOMLReader.entries(of: text) {
            guard let setting = Self.all[entry.key] else {
                let keys = Self.all.keys.sorted().joined(separator: ", ")
                throw SettingsFault("there is no setting \"\(entry.key)\". There are: \(keys)", line: entry.line)
            }
            guard setting.take(entry.value, &self) else {
                throw SettingsFault("\(entry.key) needs \(setting.need)", line: entry.line)
            }
        }
    }
}

/// Why settings cannot be used.
package struct SettingsFault: Error, Hashable, Sendable {
    package let text: String
    /// The line of the file, where one is to blame.
    package let line: Int?

    package init(_ text: String, line: Int? = nil) { (self.text, self.line) = (text, line) }
}

extension UserSettings {
    /// How a setting is read.
    private struct Setting: Sendable {
        /// What it needs, for people.
        let need: String
        /// Takes the value; false if it cannot be.
        let take: @Sendable (TOMLValue, inout UserSettings) -> Bool
    }

    private static let all: [String: Setting] = [
        "hangThreshold": threshold(\.hangThresholdMilliseconds),
        "microHangThreshold": threshold(\.microHangThresholdMilliseconds),
        "hangStacks": flag(\.hangStacks), "notify": flag(\.notify), "history": flag(\.history),
        "debuginfod": flag(\.debuginfod),
        "sort": Setting(need: choice(orders.map(\.rawValue))) { value, settings in
            settings.sort = orders.first { $0.rawValue == value.text }
            return settings.sort != nil
        },
        "editor": Setting(need: "a text") { value, settings in
            guard let text = value.text, !text.isEmpty else { return false }
            settings.editor = text
            return true
        },
        "limit": Setting(need: "a whole number from 1 to 99999") { value, settings in
            guard let number = value.number, (1..<100_000).contains(number) else { return false }
            settings.limit = number
            return true
        },
        "columns": Setting(need: "a list of columns, such as [\"count\", \"wasted\", \"why\"]") { value, settings in
            guard let list = value.list else { return false }
            let names = list.compactMap(\.text)
            guard names.count == list.count, !names.isEmpty, names.count <= 32 else { return false }
            settings.columns = names
            return true
        },
        "passOver": Setting(need: "a list of files and directories, such as [\"libfoo\"]") { value, settings in
            guard let list = value.list else { return false }
            let names = list.compactMap(\.text)
            // They travel as a list with colons. An app takes so many bytes of it.
            let fits = names.reduce(0) { $0 + $1.utf8.count + 1 } <= 1_000
            guard names.count == list.count, fits, names.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(58) }) else {
                return false
            }
            settings.passOver = names
            return true
        },
    ]

    /// A rate is that of now, which not every table has.
    private static let orders = StatsOrder.allCases.filter { $0 != .rate }

    private static func choice(_ names: [String]) -> String { "one of: \(names.joined(separator: ", "))" }

    private static func flag(_ path: any (WritableKeyPath<UserSettings, Bool?> & Sendable)) -> Setting {
        Setting(need: "true or false") { value, settings in
            settings[keyPath: path] = value.flag
            return value.flag != nil
        }
    }

    private static func threshold(_ path: any (WritableKeyPath<UserSettings, UInt32?> & Sendable)) -> Setting {
        let range = HangThreshold.allowedMilliseconds
        let need = "a time from \(range.lowerBound) to \(range.upperBound) milliseconds, such as 500 or \"500ms\""
        return Setting(need: need) { value, settings in
            let text = value.number.map { String($0) } ?? value.text
            settings[keyPath: path] = text.flatMap { HangThreshold.milliseconds($0) }
            return settings[keyPath: path] != nil
        }
    }
}

extension TOMLValue {
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
    fileprivate var number: Int? { if case .number(let number) = self { number } else { nil } }
    fileprivate var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    fileprivate var list: [TOMLValue]? { if case .list(let list) = self { list } else { nil } }
}

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
