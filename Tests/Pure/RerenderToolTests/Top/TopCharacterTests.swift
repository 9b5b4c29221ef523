// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
import Testing
@testable import ToolSupport

@Suite("Characters on the screen of top")
struct TopCharacterTests {
    private func open(_ columns: Int, _ lines: Int, _ stores: [ProcessStats], look: TopLook = TopLook()) -> TopModel {
        var model = TopSamples.model(stores, columns: columns, lines: lines, look: look)
        _ = TopSamples.press(&model, stores, .enter)
        return model
    }

    @Test("in a locale without UTF-8 every character is ASCII, in the same columns")
    func ascii() {
        var view = Sample.view(
            "Größe 漢字 👩‍👩‍👧 a̐", count: 9, average: 4_120,
            reasons: [
                ReasonCount(
                    reason: "tick", count: 9, attribution: .exact,
                    writers: [WriterCount(writer: "Ticker.advance() Shop/Ticker.swift:40", count: 9)])
            ])
        view.hangs.count = 3
        let stores = [Sample.store(views: [view])]
        for (columns, lines) in [(40, 10), (60, 20), (300, 80)] {
            let plain = open(columns, lines, stores, look: TopLook(isUTF8: false, hasColours: false))
            let lines = plain.frame.lines
            #expect(lines.allSatisfy { $0.text.allSatisfy(\.isASCII) }, "\(lines.map(\.text))")
            let full = open(columns, lines.count, stores).frame.lines
            #expect(zip(lines, full).allSatisfy { DisplayWidth.of($0.text) == DisplayWidth.of($1.text) })
        }
        let text = TopSamples.text(open(120, 30, stores, look: TopLook(isUTF8: false)))
        #expect(text.contains("HANGx3") && text.contains("4.12us"))
        #expect(text.contains("tick < ") && text.contains("Ticker.swift:40"), "\(text)")
    }

    @Test("keys that would move the cursor, reorder text or clear the screen are shown escaped")
    func hostile() {
        let keys = ["\u{1B}[2J\u{1B}]52;c;eA==\u{7}", "a\nb\tc", "\u{202E}evil", "\u{9B}31m", ""]
        let views = keys.enumerated().map { number, key in
            Sample.view(
                ViewKey(rawValue: key), count: UInt64(number + 1),
                reasons: [
                    ReasonCount(
                        reason: "\u{1B}[31mred", count: 1, attribution: .exact,
                        writers: [WriterCount(writer: "\u{1B}cw\r\n", count: 1)])
                ], file: "\u{1B}[H")
        }
        var store = Sample.store("\u{1B}[5m", store: "\r", views: views)
        store.lost = 1
        var hang = Hang(id: 1, pid: 4711, process: "\u{1B}[5m", startedAt: TopSamples.time(0), turn: 1)
        hang.view = ViewKey(rawValue: keys[0])
        for number in keys.indices {
            var model = TopSamples.model([store], columns: 160, lines: 60, order: .count)
            TopSamples.answer(&model, model.ask(), [store], at: model.now, hangs: [hang])
            for _ in 0..<number { _ = TopSamples.press(&model, [store], .down) }
            _ = TopSamples.press(&model, [store], .enter)
            for line in model.frame.lines { #expect(Printable.text(line.text) == line.text) }
        }
    }

    @Test("wide and joined characters are never wider than a terminal takes them to be", arguments: [39, 40, 41, 80])
    func wide(columns: Int) {
        let keys: [ViewKey] = ["漢字漢字漢字漢字漢字漢字漢字漢字", "👨‍👩‍👧‍👦 family 👨‍👩‍👧‍👦", "🏳️‍🌈flag", "e\u{301}e\u{301}e\u{301}", "❤️❤️❤️❤️"]
        let stores = [Sample.store(views: keys.map { Sample.view($0, count: 5) })]
        for line in TopSamples.model(stores, columns: columns, lines: 12).frame.lines {
            // What a terminal does that adds up scalars.
            #expect(line.text.unicodeScalars.reduce(0) { $0 + DisplayWidth.of($1) } <= columns, "\(line.text)")
        }
    }
}
