// SPDX-License-Identifier: MIT
// An app's own types with the names of the standard library's and Foundation's. What is known of those holds for none of these.

import FoundationLookalikes
import Rerender

/// Other types than the standard library's, of which each has another layout.
private enum Own {
    struct Array { var first: Int; var second: Double }
    struct String { var count: Int8 }
    struct Dictionary<Key> { var key: Key; var isEmpty: Bool }
    struct Set { var a: UInt8; var b: UInt8; var c: UInt8 }
    enum Optional { case none, some(Int, Int), many([Int]) }
    struct Substring { var text: Swift.String; var start: Int }
    struct Character { let value: Int }
    final class ManagedBuffer { let number: Int; init(_ number: Int) { self.number = number } }
    struct ArraySlice { var start: Int; var end: Int }
    struct `Any` { var number: Int }
    struct UnsafePointer { var number: Int }
    enum Foundation { struct URL { var port: Int; var host: Swift.String } }
}

extension Case {
    /// Run in a process of their own: a value that is taken for another one ends it.
    package static let lookalikes = CaseList.make("lookalikes") { list in
        list.kind("URL", URL(port: 80, host: "a"), URL(port: 81, host: "a"), path: "value.port")
        list.kind(
            "URL, whose number is an address", URL(port: 0x4141_4141_4141, host: "a"),
            URL(port: 0x4141_4141_4141, host: "b"), path: "value.host")
        list.kind("Data", Data(count: 1, isEmpty: false), Data(count: 2, isEmpty: false), path: "value.count")
        list.kind("Date", Date.never, Date.at(seconds: 1))
        list.kind("IndexPath", IndexPath([1, 2]), IndexPath([1, 3]), path: "value.elements")
        list.kind("an array of URLs", [URL(port: 80, host: "a")], [URL(port: 80, host: "b")])
        list.kind("an optional URL", Optional(URL(port: 80, host: "a")), Optional<URL>.none)
        list.kind("a URL in any value", URL(port: 80, host: "a") as Any, URL(port: 81, host: "a") as Any)
        list.kind("a dictionary of URLs", ["a": URL(port: 80, host: "a")], ["a": URL(port: 80, host: "b")])
        list.hidden("UUID, which is an object", UUID(1)) { $0.number = 2 }
        list.kind(
            "a URL in an enum Foundation", Own.Foundation.URL(port: 1 << 40, host: "a"),
            Own.Foundation.URL(port: 1 << 40, host: "b"), path: "value.host")
        list.kind(
            "Array", Own.Array(first: 1 << 46, second: 2), Own.Array(first: 1 << 46, second: 3), path: "value.second")
        list.kind("String", Own.String(count: 1), Own.String(count: 2), path: "value.count")
        list.kind(
            "Dictionary", Own.Dictionary(key: 1 << 46, isEmpty: true), Own.Dictionary(key: 1 << 46, isEmpty: false),
            path: "value.isEmpty")
        list.kind("Set", Own.Set(a: 1, b: 2, c: 3), Own.Set(a: 1, b: 2, c: 4), path: "value.c")
        list.kind("Optional", Own.Optional.some(1, 2), Own.Optional.some(1, 3))
        list.kind("Optional of many", Own.Optional.many([1]), Own.Optional.many([2]))
        list.kind(
            "Substring", Own.Substring(text: "a", start: 1), Own.Substring(text: "b", start: 1), path: "value.text")
        list.kind("Character", Own.Character(value: 1), Own.Character(value: 2), path: "value.value")
        list.fixed("ManagedBuffer", Own.ManagedBuffer(1), Own.ManagedBuffer(2))
        list.kind(
            "ArraySlice", Own.ArraySlice(start: 1 << 46, end: 2), Own.ArraySlice(start: 1 << 46, end: 3),
            path: "value.end")
        list.kind("Any", Own.`Any`(number: 1 << 46), Own.`Any`(number: 2), path: "value.number")
        list.kind(
            "UnsafePointer", Own.UnsafePointer(number: 1 << 46), Own.UnsafePointer(number: 2), path: "value.number")
    }
}
