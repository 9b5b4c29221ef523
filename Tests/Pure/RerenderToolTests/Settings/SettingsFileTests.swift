// SPDX-License-Identifier: MIT
import Foundation
import RerenderDaemon
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("the settings file")
struct SettingsFileTests {
    @Test("has a value for each setting")
    func full() throws {
        let settings = try UserSettings(
            toml: """
                hangThreshold = 500
                microHangThreshold = "2s"   # a time
                hangStacks = true
                notify = false
                sort = "wasted"
                limit = 20
                columns = ["count", "why"]
                editor = "code --wait"
                history = false
                passOver = ["libfoo", "vendor"]
                debuginfod = true
                """)
        var expected = UserSettings()
        (expected.hangThresholdMilliseconds, expected.microHangThresholdMilliseconds) = (500, 2_000)
        (expected.hangStacks, expected.notify, expected.history) = (true, false, false)
        (expected.sort, expected.limit, expected.columns) = (.wasted, 20, ["count", "why"])
        expected.editor = "code --wait"
        (expected.passOver, expected.debuginfod) = (["libfoo", "vendor"], true)
        #expect(settings == expected)
        #expect(try UserSettings(toml: "") == UserSettings())
    }

    @Test(
        "names the line of what is no TOML, and the setting that is unknown or has a wrong value",
        arguments: [
            ("sort = \"count\"\nlimit = = 3\n", "limit needs a text in quotation marks, a whole number", 2),
            ("\n\nsorted = 1", "there is no setting \"sorted\". There are: columns, debuginfod, editor, ", 3),
            ("[top]\nsort = 1", "a setting needs a name", 1), ("sort", "sort needs = and a value", 1),
            (
                "sort = \"size\"",
                "sort needs one of: cost, count, wasted, time, hangs, key, share, average, process, reason, place", 1
            ),
            ("sort = 1", "sort needs one of", 1), ("limit = 0", "limit needs a whole number from 1 to 99999", 1),
            ("limit = 1.5", "limit needs a text", 1), ("columns = \"count\"", "columns needs a list of columns", 1),
            ("columns = [1]", "columns needs", 1), ("columns = []", "columns needs", 1),
            ("columns = [\n\"a\"\n\"b\"]", "the list of columns needs a comma or ]", 3),
            ("columns = [[]]", "columns needs a text", 1), ("limit = 1\nlimit = 2", "limit is there twice", 2),
            ("limit = 1 2", "there is more after the value of limit", 1), ("editor = \"vi\n\"", "a text has no end", 1),
            ("editor = \"\\x\"", "a text with \\ has ' ' around it", 1),
            ("hangThreshold = 0", "hangThreshold needs a time from 1 to 3600000 milliseconds", 1),
            ("hangThreshold = \"2h\"", "hangThreshold needs", 1), ("hangThreshold = -3", "hangThreshold needs", 1),
            ("history = \"no\"", "history needs true or false", 1), ("editor = \"\"", "editor needs a text", 1),
            ("limit = 010", "limit needs a text in", 1), ("limit = 1__0", "limit needs a text in", 1),
            ("limit = _1", "limit needs a text in", 1), ("limit = 1_", "limit needs a text in", 1),
            ("limit = +_1", "limit needs a text in", 1), ("limit = 0x10", "limit needs a text in", 1),
            ("limit = 1_000", "limit needs a text in", 1), ("limit = +1", "limit needs a text in", 1),
            ("limit = -1", "limit needs a whole number from 1", 1), ("limit = -0", "limit needs a text in", 1),
            ("editor = \"a\u{0}b\"", "a text or a comment has a control character", 1),
            ("editor = 'a\u{1B}b'", "a text or a comment has a control character", 1),
            ("\n# \u{7F}", "a text or a comment has a control character", 2),
            ("passOver = \"libfoo\"", "passOver needs a list of files and directories", 1),
            ("passOver = [\"a:b\"]", "passOver needs", 1), ("passOver = [1]", "passOver needs", 1),
            ("passOver = [\"\"]", "passOver needs", 1),
        ] as [(String, String, Int)])
    func faults(text: String, expected: String, line: Int) throws {
        let fault = #expect(throws: SettingsFault.self) { try UserSettings(toml: text) }
        #expect(fault?.text.contains(expected) == true && fault?.line == line, "\(String(describing: fault))")
    }

    @Test("is TOML: comments, quotation marks, and lists of several lines")
    func toml() throws {
        let settings = try UserSettings(
            toml:
                "# all\r\nlimit=1000# more\n editor = 'C:\\x \"y\"' \ncolumns = [ # first\n \"a\",\n 'b', # last\n]"
        )
        var expected = UserSettings()
        (expected.limit, expected.editor, expected.columns) = (1_000, "C:\\x \"y\"", ["a", "b"])
        #expect(settings == expected)
    }

    @Test("may begin with a byte order mark")
    func accepted() throws {
        let settings = try UserSettings(toml: "\u{FEFF}limit = 100")
        #expect(settings.limit == 100)
    }

    @Test("that is not UTF-8 is a fault of its line", arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]])
    func encoding(bytes: [UInt8]) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/config.toml"
        try Data(Array("limit = 1\neditor = \"".utf8) + bytes + Array("\"\n".utf8)).write(
            to: URL(fileURLWithPath: path))
        let fault = #expect(throws: SettingsFault.self) { try SettingsFile(path: path).settings() }
        #expect(fault?.text == "the file is not UTF-8" && fault?.line == 2)
    }

    @Test("never crashes the reader, whatever it holds")
    func hostile() {
        var generator = SeededGenerator(seed: 5)
        let pieces = [
            "[", "]", "{", "}", "=", "\"", "'''", "\n", "a", ".", "1e9999", "\u{0}", "é", "#", ",", "0x", "[[", "inf",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }
            _ = try? UserSettings(toml: text.joined())
        }
        _ = try? UserSettings(toml: "a = " + String(repeating: "[", count: 60_000))
    }

    @Test("switches the keeping of runs off, which the environment overrules")
    func history() throws {
        let (off, none) = (try UserSettings(toml: "history = false"), UserSettings())
        for value in [nil, ""] as [String?] {
            #expect(RunHistory.offSwitch(value, off) == "history = false in the settings file")
            #expect(RunHistory.offSwitch(value, none) == nil)
        }
        #expect(RunHistory.offSwitch("1", off) == nil)
        #expect(RunHistory.offSwitch("0", off) == "RERENDER_HISTORY=0")
    }
}
