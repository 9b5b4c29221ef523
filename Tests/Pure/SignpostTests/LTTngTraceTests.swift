// SPDX-License-Identifier: MIT
// The reader of traces that other tests use.

import TestSupport
import Testing

@Suite("Reader of traces")
struct LTTngTraceTests {
    private func parse(_ fields: String) -> LTTngEvent? {
        LTTngTrace.parse(Array("[23:04:00.074] (+0.000000470) host a.b:begin: { cpu_id = 1 }, \(fields)".utf8))
    }

    @Test("reads names, contexts, integers and texts with everything that babeltrace2 escapes")
    func reads() throws {
        let event = try #require(parse(#"{ vpid = 7 }, { id = 18446744073709551615, s = "a\"b\\ }, { \n\xc3\xbc\e" }"#))
        #expect(event.name == "a.b:begin" && event.integer("id") == .max && event.integer("vpid") == 7)
        #expect(event.text("s") == "a\"b\\ }, { \nü\u{1b}" && event.payload == ["id", "s"])
    }

    @Test("reads enumerations, with a label and without")
    func enumerations() throws {
        let fields = #"{ a = ( "twice in a turn" : container = 6 ), b = ( <unknown> : container = 9 ), c = 1 }"#
        let event = try #require(parse(fields))
        #expect(event.integer("a") == 6 && event.label("a") == "twice in a turn" && event.text("a") == nil)
        #expect(event.integer("b") == 9 && event.label("b") == "" && event.label("c") == nil)
    }

    @Test(
        "refuses what it does not understand",
        arguments: [#"{ a = "x }"#, "{ a = }", "{ a 1 }", "{ a = 1 } rest", "{", "{ a = ( 1 ) }"])
    func refuses(_ fields: String) { #expect(parse(fields) == nil) }
}
