// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
import Testing
@testable import ToolSupport

@Suite("Characters on the screen of top")
struct TopCharacterTests {
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
