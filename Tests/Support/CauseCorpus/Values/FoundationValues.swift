// SPDX-License-Identifier: MIT
// Values of Foundation.

import Foundation
import Rerender

private func bytes(_ count: Int, last: UInt8 = 0) -> Data {
    var data = Data(repeating: 1, count: count)
    data[data.count - 1] = last
    return data
}

private func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/") }

private func id(_ last: UInt8) -> UUID { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, last)) }

extension Case {
    static let foundationValues = CaseList.make("Foundation") { list in
        list.kind("Date", Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2))
        list.kind("UUID", id(1), id(2))
        list.kind("URL", url("https://example.org/a?b=c"), url("https://example.org/a?b=d"))
        list.kind("a file URL", URL(filePath: "/tmp/a"), URL(filePath: "/tmp/b"))
        list.kind("Data of a few bytes", bytes(5), bytes(5, last: 1))
        list.kind("Data of 40 bytes", bytes(40), bytes(40, last: 1))
        list.kind("Data of 1,000 bytes", bytes(1_000), bytes(1_000, last: 1))
        list.kind("empty Data", Data(), Data([0]))
        list.kind("a slice of Data", bytes(80).dropFirst(7), bytes(80, last: 1).dropFirst(7))
        list.kind("Decimal", Decimal(1) / 3, Decimal(2) / 3)
        list.kind("an optional Date", Date?.none, Date(timeIntervalSince1970: 2))
        list.kind("an optional URL", url("a"), URL?.none)
        list.kind("an array of URLs", [url("a"), url("b")], [url("a"), url("c")])
        list.kind("an array of UUIDs", [id(1)], [id(2)])
        list.kind(
            "a dictionary from UUIDs to dates", [id(1): Date(timeIntervalSince1970: 1)],
            [id(1): Date(timeIntervalSince1970: 2)])
        list.kind("CGPoint", CGPoint(x: 1, y: 2), CGPoint(x: 1, y: 3))
        list.kind(
            "CGRect", CGRect(x: 0, y: 0, width: 1, height: 1), CGRect(x: 0, y: 0, width: 1, height: 2))
        list.kind(
            "DateInterval", DateInterval(start: Date(timeIntervalSince1970: 0), duration: 1),
            DateInterval(start: Date(timeIntervalSince1970: 0), duration: 2))
        list.kind("NSRange", NSRange(location: 1, length: 1), NSRange(location: 1, length: 2))
        list.kind("IndexPath", IndexPath(indexes: [1, 2]), IndexPath(indexes: [1, 3]))
        list.kind("URLQueryItem", URLQueryItem(name: "a", value: "b"), URLQueryItem(name: "a", value: "c"))
        list.kind("Notification.Name", Notification.Name("a name"), Notification.Name("b name"))
        list.kind("DateComponents", DateComponents(year: 2026, month: 1), DateComponents(year: 2026, month: 2))
        list.kind(
            "a struct of Foundation's values", Two(first: id(1), second: url("a")), Two(first: id(1), second: url("b")),
            path: "value.second")
        list.kind("a UUID in an enum", Optional(Optional(id(1))), Optional(Optional(id(2))))
        list.kind("Data and a URL in any value", bytes(30) as Any, url("a") as Any)
        list.one("Data that is written in place") { recorder in
            var view = One(value: bytes(200))
            recorder.evaluate(view, is: .initial)
            view.value[100] = 9
            recorder.evaluate(view, isDescribed: false, is: .changed("value"))
            recorder.evaluate(view, isDescribed: false, is: .same)
        }
        list.one("large Data that is written in place") { recorder in
            var view = One(value: bytes(100_000))
            recorder.children([view], isDescribed: false, are: [.initial])
            view.value[50_000] = 9
            recorder.children([view], isDescribed: false, are: [.changed("value").under("Outer")])
        }
        list.one("a URL whose path grows") { recorder in
            var view = One(value: url("https://example.org/a"))
            recorder.evaluate(view, is: .initial)
            view.value.append(path: "b")
            recorder.evaluate(view, is: .changed("value"))
        }
        list.one("URLs that say the same of another base") { recorder in
            let base = URL(filePath: "/tmp/", directoryHint: .isDirectory)
            recorder.evaluate(One(value: URL(string: "a", relativeTo: base)), isDescribed: false, is: .initial)
            let other = URL(filePath: "/var/", directoryHint: .isDirectory)
            recorder.evaluate(
                One(value: URL(string: "a", relativeTo: other)), isDescribed: false, is: .changed("value"))
        }
    }

    /// Each holds objects of Foundation: what is said must be true, though little may be said.
    static let foundationBoxes = CaseList.make("Foundation's boxes") { list in
        for (name, one, two) in [("a locale", "de_CH", "fr_CH")] {
            list.one(name) { recorder in
                recorder.evaluate(One(value: Locale(identifier: one)), isDescribed: false, is: .initial)
                recorder.evaluate(One(value: Locale(identifier: two)), isDescribed: false, is: .changed("value"))
            }
        }
        list.one("a calendar whose first day changes") { recorder in
            var view = One(value: Calendar(identifier: .gregorian))
            view.value.firstWeekday = 1
            recorder.children([view], isDescribed: false, are: [.initial])
            view.value.firstWeekday = 2
            recorder.children([view], isDescribed: false, are: [.changed("value").under("Outer")])
        }
        list.one("an attributed text whose attribute changes") { recorder in
            var view = One(value: AttributedString("text"))
            recorder.children([view], isDescribed: false, are: [.initial])
            view.value.link = url("a")
            recorder.children([view], isDescribed: false, are: [.changed("value").under("Outer")])
        }
        list.one("a character set to which a letter is added") { recorder in
            var view = One(value: CharacterSet(charactersIn: "abc"))
            recorder.children([view], isDescribed: false, are: [.initial])
            view.value.insert("d")
            recorder.children([view], isDescribed: false, are: [.changed("value").under("Outer")])
        }
        list.one("an index set to which a number is added") { recorder in
            var view = One(value: IndexSet(integersIn: 0..<4))
            recorder.children([view], isDescribed: false, are: [.initial])
            view.value.insert(9)
            recorder.children([view], isDescribed: false, are: [.changed("value").under("Outer")])
        }
        list.one("a request whose header changes") { recorder in
            var view = One(value: URLComponents(string: "https://example.org") ?? URLComponents())
            recorder.children([view], isDescribed: false, are: [.initial])
            view.value.query = "a=b"
            recorder.children([view], isDescribed: false, are: [.changed("value").under("Outer")])
        }
        list.hidden("NSMutableArray", NSMutableArray(capacity: 1)) { $0.add(1) }
        list.hidden("NSMutableDictionary", NSMutableDictionary(capacity: 1)) { $0["a"] = 1 }
        list.hidden("NSMutableString", NSMutableString(capacity: 1)) { $0.append("a") }
        list.hidden("NSMutableData", NSMutableData(capacity: 8)) { $0?.append(Data([1])) }
        list.hidden("NSMutableSet", NSMutableSet(capacity: 1)) { $0.add(1) }
        list.hidden("NSMutableAttributedString", NSMutableAttributedString(string: "a")) {
            $0.mutableString.append("b")
        }
        list.hidden("a DateFormatter", DateFormatter()) { $0.dateFormat = "yyyy" }
        list.hidden("a NumberFormatter", NumberFormatter()) { $0.maximumFractionDigits = 7 }
        list.hidden("an NSArray that is mutable", NSMutableArray(capacity: 1) as NSArray) {
            ($0 as? NSMutableArray)?.add(1)
        }
        list.hidden("an NSCache", NSCache<NSString, NSNumber>()) { $0.countLimit = 4 }
    }
}
