// SPDX-License-Identifier: MIT
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing

@Suite("Places in the texts of top, and how editors are told of them")
struct SourcePlaceTests {
    @Test(
        "a word that ends with a line of a Swift file is a place, whatever stands around it",
        arguments: [
            ("Shop/Cart.swift:12", "Shop/Cart.swift", 12), ("(Shop/Cart.swift:7)", "Shop/Cart.swift", 7),
            ("Shop/Cart.swift:12,", "Shop/Cart.swift", 12),
        ] as [(String, String, UInt32)])
    func places(word: String, file: String, line: UInt32) {
        #expect(SourcePlace(word: word) == SourcePlace(file: file, line: line))
    }

    @Test(
        "others are none",
        arguments: [
            "", "Cart.swift", "Cart.swift:", "Cart.swift:x", "Cart…wift:12", "a.c:12", ":12", "Cart.swift:99999999999",
        ])
    func others(word: String) {
        #expect(SourcePlace(word: word) == nil)
    }

    @Test(
        "an editor is told of the line in its own words, and keeps its options",
        arguments: [
            ("vim", ["+12", "/a.swift"]), ("/usr/bin/nano -w", ["+12", "/a.swift"]),
            ("code --wait", ["--goto", "/a.swift:12"]), ("hx", ["/a.swift:12"]),
            ("kate", ["--line", "12", "/a.swift"]),
        ])
    func editors(text: String, arguments: [String]) {
        let editor = EditorCommand { $0 == "EDITOR" ? text : nil }
        #expect(editor?.arguments("/a.swift", 12) == ["/bin/sh", "-c", "\(text) \"$@\"", "sh"] + arguments)
        #expect(editor?.arguments("/a.swift", 0).last == "/a.swift")
    }

    @Test("VISUAL comes before EDITOR, and blanks are none")
    func variables() {
        #expect(EditorCommand { ["VISUAL": "a", "EDITOR": "b"][$0] }?.text == "a")
        #expect(EditorCommand { ["VISUAL": " ", "EDITOR": "b"][$0] }?.text == "b")
        #expect(EditorCommand { _ in nil } == nil)
    }
}
