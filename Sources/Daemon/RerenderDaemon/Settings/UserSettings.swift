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
