// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("JSON that people write")
struct JSONDocumentTests {
    private func parse(_ text: String) throws(JSONFault) -> JSONNode { try JSONDocument.parse(Array(text.utf8)) }

    @Test(
        "every value is read",
        arguments: [
            ("null", JSONNode.Value.null), (" true ", .flag(true)), ("false", .flag(false)), ("-12", .number("-12")),
            ("0.5e+3", .number("0.5e+3")), ("\"a\\\"\\\\\\/\\n\\u0041\"", .text("a\"\\/\nA")),
            ("\"\\ud83d\\ude00é\"", .text("😀é")), ("[]", .list([])), ("{}", .object([])),
            ("[1,2]", .list([JSONNode(line: 1, value: .number("1")), JSONNode(line: 1, value: .number("2"))])),
        ])
    func values(text: String, value: JSONNode.Value) throws {
        #expect(try parse(text).value == value)
    }

    @Test("everything knows its line")
    func lines() throws {
        let root = try parse("\n{\n  \"a\": 1,\n  \"b\":\n    [\n2]\n}\n")
        #expect(root.line == 2)
        guard case .object(let members) = root.value else { return #expect(Bool(false), "\(root)") }
        #expect(members.map(\.line) == [3, 4])
        #expect(members.map(\.node.line) == [3, 5])
    }

    @Test(
        "what is no JSON is refused with its line",
        arguments: [
            ("", 1, "the end"), ("\n\n{", 3, "the end"), ("{\"a\": 1,}", 1, "'}'"), ("{\"a\" 1}", 1, "'1'"),
            ("{a: 1}", 1, "'a'"), ("[1 2]", 1, "'2'"), ("1 2", 1, "after the end"), ("01", 1, "'01'"),
            ("1.", 1, "'1.'"), ("-", 1, "'-'"), ("+1", 1, "'+1'"), ("\"a\nb\"", 1, "0xa"),
            ("\"a", 1, "unterminated string"), ("\"\\x\"", 1, "invalid escape"),
            ("\"\\ud800\"", 1, "surrogate"), ("\"\\ud800\\u0041\"", 1, "surrogate"),
            ("\"\\udc00\"", 1, "surrogate"), ("\"\\u00g0\"", 1, "hexadecimal"), ("// c\n1", 1, "'/'"),
            ("tru", 1, "'t'"), ("[1,\n\n,2]", 3, "','"),
        ])
    func refused(text: String, line: Int, reason: String) throws {
        let fault = try #require(throws: JSONFault.self) { try JSONDocument.parse(Array(text.utf8)) }
        #expect(fault.line == line && fault.reason.contains(reason), "\(fault)")
    }

    @Test("a name that stands in an object twice is refused with both lines")
    func twice() throws {
        let fault = try #require(throws: JSONFault.self) { try parse("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}") }
        #expect(fault == JSONFault(line: 3, reason: "duplicate name \"a\", also in line 1"))
        #expect(try parse("[{\"a\": 1}, {\"a\": 2}]").kind == "a list")
    }

    @Test("deep nesting is refused, and what is no UTF-8")
    func hostile() throws {
        let deep = String(repeating: "[", count: 1_000_000)
        #expect(try #require(throws: JSONFault.self) { try parse(deep) }.reason.contains("nested"))
        #expect(
            try #require(throws: JSONFault.self) { try JSONDocument.parse([0x22, 0xFF, 0x22]) }.reason.contains("UTF-8")
        )
    }

    @Test("agrees with Foundation on what is JSON, for a document cut or changed anywhere")
    func agrees() throws {
        let text = Array(#"{"a": [1, -2.5e3, "x\u00e9\"", {"b": null}], "c": true}"#.utf8)
        var documents = text.indices.map { Array(text[..<$0]) }
        for index in text.indices {
            for byte in [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "0"), 0x20] {
                var changed = text
                changed[index] = byte
                documents.append(changed)
            }
        }
        for document in documents {
            let ours = (try? JSONDocument.parse(document)) != nil
            let theirs = (try? JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)) != nil
            #expect(ours == theirs, "\(String(decoding: document, as: UTF8.self))")
        }
    }
}
