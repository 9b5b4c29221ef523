// SPDX-License-Identifier: MIT
import FoundationEssentials
import RerenderModel
import Testing

@Suite("Printable text")
struct PrintableTests {
    @Test(
        "holds nothing that a terminal would obey",
        arguments: [
            ("plain é 日本", "plain é 日本"), ("\u{1b}[2J", "\\u{1b}[2J"), ("a\nb", "a\\u{a}b"),
            ("\u{7f}\u{9b}", "\\u{7f}\\u{9b}"),
            ("x\u{202e}y", "x\\u{202e}y"), ("\u{2028}", "\\u{2028}"),
        ])
    func escapes(text: String, safe: String) {
        #expect(Printable.text(text) == safe)
        #expect(ViewKey(rawValue: text).displayName == safe)
    }
}

@Suite("Instance ids")
struct InstanceIDTests {
    @Test("are made of numbers, and of objects, the same each time")
    func sources() {
        final class Node {}
        let (number, node, other): (UInt64, Node, Node) = (7, Node(), Node())
        #expect(InstanceID(number) == 7)
        #expect(InstanceID(number).rawValue == number)
        #expect(InstanceID(node) == InstanceID(node))
        #expect(InstanceID(node) != InstanceID(other))
    }
}

@Suite("The runtime directory")
struct RuntimeDirectoryTests {
    @Test("is looked for in the documented order")
    func order() {
        let environment = ["RERENDER_RUNTIME_DIR": "/a", "XDG_RUNTIME_DIR": "/b"]
        let found = RuntimeDirectory.candidates(environment: { environment[$0] }, uid: 4_711)
        #expect(found.map(\.path) == ["/a", "/b/rerender", "/tmp/rerender-4711"])
        #expect(found.map(\.origin) == [.environment, .xdg, .temporary])
    }

    @Test("ignores relative and empty values")
    func relative() {
        let found = RuntimeDirectory.candidates(environment: { $0 == "XDG_RUNTIME_DIR" ? "" : "relative" }, uid: 4_711)
        #expect(found.map(\.path) == ["/tmp/rerender-4711"])
    }

    @Test("a session's directory of another user is not used; one that is missing is")
    func foreignSession() {
        let environment = ["XDG_RUNTIME_DIR": "/"]
        #expect(RuntimeDirectory.candidates(environment: { environment[$0] }, uid: 0).first?.origin == .xdg)
        let found = RuntimeDirectory.candidates(environment: { environment[$0] }, uid: 4_711)
        #expect(found.map(\.origin) == [.temporary])
    }

    @Test("is refused when it is a file, someone else's, or open to others")
    func faults() {
        #expect(RuntimeDirectory(path: "/etc/passwd").fault()?.contains("not a directory") == true)
        #expect(
            RuntimeDirectory(path: "/tmp").fault()?.contains("chmod 700") == true
                || RuntimeDirectory(path: "/tmp").fault() != nil)
        #expect(RuntimeDirectory(path: "/").fault(uid: 4_711)?.contains("belongs to user") == true)
        #expect(RuntimeDirectory(path: "/nowhere/at/all").fault() == nil)
    }
}

@Suite("Waste")
struct WasteTests {
    private var waste: Waste {
        var waste = Waste()
        waste.kinds = [.sameOutput: 3]
        waste.kindNanoseconds = [.sameOutput: 70, .parentOnly: 5]
        return waste
    }

    private func json(_ waste: Waste) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(waste), as: UTF8.self)
    }

    private func read(_ text: String) throws -> Waste {
        try JSONDecoder().decode(Waste.self, from: Data(text.utf8))
    }

    @Test("names every kind twice in JSON, and skips those it does not know")
    func kinds() throws {
        let text = try json(waste)
        for kind in WasteKind.allCases { #expect(text.components(separatedBy: "\"\(kind.rawValue)\":").count == 3) }
        #expect(text.contains(#""same output":70"#) && text.contains(#""same output":3"#))
        let unknown = text.replacing("\"same value\"", with: "\"of the future\"")
        #expect(unknown != text)
        #expect(try read(unknown) == waste)
    }

    @Test("of a writer that knows no times by kind is read without them")
    func older() throws {
        let text = try json(waste)
        let old = text.replacing(/"kindNanoseconds":\{[^}]*\},/, with: "")
        #expect(old != text)
        var expected = waste
        expected.kindNanoseconds = [:]
        #expect(try read(old) == expected)
    }
}

@Suite("The names of reasons")
struct ReasonTests {
    @Test("say which parent it was")
    func parent() {
        #expect(Reason.parent("Cart") == "parent: Cart")
    }
}

@Suite("A view's record")
struct StatsCodingTests {
    private func sample() -> Stats {
        var view = Stats(key: "Row", file: "Shop/Row.swift", line: 7)
        view.count = 3
        view.forgotten = 5
        view.reasons = [
            ReasonCount(
                reason: "parent: List", count: 3, attribution: .exact, writers: [WriterCount(writer: "f()", count: 1)],
                chains: [ChainCount(chain: "List ← ticker.tick", count: 3)])
        ]
        view.lastRenderedAt = Timestamp(nanosecondsSince1970: 1_000_000_000)
        return view
    }

    @Test(
        "of an older version, without passes, is read: then it is unknown how many there were, and each was an update")
    func older() throws {
        var view = sample()
        (view.passes, view.reasons[0].passes) = (2, 2)
        #expect(view.updates == 1 && view.reasons[0].updates == 1)
        let text = String(decoding: try JSONEncoder().encode(view), as: UTF8.self)
        let old = text.replacing(#""passes":2,"#, with: "").replacing(#","passes":2"#, with: "")
        #expect(!old.contains("passes"))
        #expect(try JSONDecoder().decode(Stats.self, from: Data(old.utf8)) == sample())
        #expect(sample().updates == 3 && sample().reasons[0].updates == 3)
    }

    @Test("with more passes than evaluations, as a hostile app may say, has no updates")
    func hostile() {
        var view = sample()
        view.passes = .max
        #expect(view.updates == 0)
    }

    @Test("survives a round trip through JSON")
    func roundTrip() throws {
        let data = try JSONEncoder().encode(sample())
        #expect(try JSONDecoder().decode(Stats.self, from: data) == sample())
    }
}
