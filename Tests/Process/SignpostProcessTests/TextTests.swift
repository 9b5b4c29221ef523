// SPDX-License-Identifier: MIT
// Texts arrive as they were, whatever their bytes and length.

import TestSupport
import Testing
@testable import SignpostSupport

@Suite("Texts", .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"))
struct TextTests {
    /// Every path through packing: empty, shorter than a word, a word and around, the buffer's end and beyond.
    static let lengths = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 480, 481, 482, 483, 484, 485, 490, 8192,
    ]

    @Test("texts of any length, 8 KiB among them, arrive whole and the events after them too")
    func lengths() async throws {
        let subsystem = uniqueSubsystem()
        let texts = Self.lengths.map { length in
            String((0..<length).map { Character(Unicode.Scalar(UInt8(33 + $0 % 90))) })
        }
        let events = try await record(
            .ordinary, LTTngRecording("\(subsystem).*"), subsystem, "Lengths",
            commands: texts.enumerated().map { "event 0 \($0.offset + 1) \($0.element.hex)" })
        // An empty text is recorded as a space: Debian 12's babeltrace2 would show another event's text.
        #expect(events.compactMap { $0.text("message") } == texts.map { $0.isEmpty ? " " : $0 })
        #expect(events.allSatisfy { $0.text("scope") == "process" && $0.text("name") == "moment" })
    }

    @Test("control characters, quotes and UTF-8 arrive unchanged")
    func specialCharacters() async throws {
        let subsystem = uniqueSubsystem()
        let texts = ["a\"b\\c", "tab\tnewline\nbell\u{7}escape\u{1b}[31m", "Grüße 😀 日本", "{ a = 1 }, { b = \"2\" }"]
        let events = try await record(
            .ordinary, LTTngRecording("\(subsystem).*"), subsystem, "Special",
            commands: texts.enumerated().map { "event 0 \($0.offset + 1) \($0.element.hex)" })
        #expect(events.compactMap { $0.text("message") } == texts)
    }

    @Test("a text ends at a NUL inside it and the fields after it are intact", arguments: [0, 1, 7, 8, 20, 600])
    func embeddedNul(_ before: Int) async throws {
        let subsystem = uniqueSubsystem()
        let head = String(repeating: "h", count: before)
        let events = try await record(
            .ordinary, LTTngRecording("\(subsystem).*"), subsystem, "Nul",
            commands: ["event 0 1 \((head + "\0tail of the text").hex)", "event 0 2 \("after".hex)"])
        #expect(events.compactMap { $0.text("message") } == [head.isEmpty ? " " : head, "after"])
        #expect(events.compactMap { $0.text("scope") } == ["process", "process"])
        #expect(events.compactMap { $0.integer("signpost_id") } == [1, 2])
    }

    @Test("an empty text never shows another event's, however many events there are")
    func emptyTexts() async throws {
        let subsystem = uniqueSubsystem()
        let texts = (0..<200).map { $0 % 2 == 0 ? "" : "message \($0)" }
        let events = try await record(
            .ordinary, LTTngRecording("\(subsystem).*"), subsystem, "Empty",
            commands: texts.enumerated().map { "event 0 \($0.offset + 1) \($0.element.hex)" })
        #expect(events.compactMap { $0.text("message") } == texts.map { $0.isEmpty ? " " : $0 })
    }
}
