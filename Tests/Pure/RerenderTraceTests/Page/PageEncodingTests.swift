// SPDX-License-Identifier: MIT
// How the page holds its data: columns that can be unpacked again, texts that stay texts.

import Foundation
import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite struct PageEncodingTests {
    /// Unpacks as the format says, by shifting.
    private static func unpack(_ bytes: [UInt8]) -> [UInt64] {
        var numbers: [UInt64] = []
        var (value, shift) = (UInt64(0), UInt64(0))
        for byte in bytes {
            value |= UInt64(byte & 127) << shift
            shift += 7
            if byte < 128 {
                numbers.append(value)
                (value, shift) = (0, 0)
            }
        }
        return numbers
    }

    @Test("numbers come back as they were, cut to what JavaScript holds")
    func columns() {
        let numbers: [UInt64] = [0, 1, 127, 128, 300, 16_383, 16_384, 1 << 32, (1 << 53) - 1]
        #expect(Self.unpack(PageColumn.pack(numbers)) == numbers)
        #expect(Self.unpack(PageColumn.pack([1 << 53, .max])) == [(1 << 53) - 1, (1 << 53) - 1])
        #expect(Self.unpack(PageColumn.pack(PageColumn.steps([5, 5, 9, 1 << 40]))) == [5, 0, 4, (1 << 40) - 9])
        let falling = PageColumn.pack(PageColumn.steps([9, 5, 10]))
        #expect(Self.unpack(falling) == [9, 0, 1], "one that falls stays where it was")
    }

    @Test("durations fall in the bucket whose bounds they are between")
    func histogram() {
        #expect(PageHistogram.bounds.starts(with: [0, 100, 200, 500, 1_000, 2_000]))
        #expect(PageHistogram.bounds.last == 10_000_000_000)
        #expect(PageHistogram.bounds == PageHistogram.bounds.sorted())
        for value in [0, 99, 100, 101, 199, 200, 999, 1_000, 4_999_999, 5_000_000, 10_000_000_000, .max] as [UInt64] {
            let expected = PageHistogram.bounds.lastIndex { $0 <= value }
            #expect(PageHistogram.bucket(of: value) == expected)
        }
    }

    @Test("no text of a trace ends the element it stands in, and each comes back as it was")
    func hostileTexts() throws {
        var page = ReportPage.sample(title: "</title><script>alert(1)</script>\"'&")
        for key in HostileKeys.all { page.addView(key, evaluations: 1, wasted: 0, took: 1_000, reason: key) }
        let html = String(decoding: try PageBrowser.html(page), as: UTF8.self)
        let empty = String(decoding: try PageBrowser.html(.sample()), as: UTF8.self)
        for tag in ["<script", "</script", "<!--", "</title"] {
            #expect(html.components(separatedBy: tag).count == empty.components(separatedBy: tag).count)
        }
        let data = try #require(Self.block("report", of: html))
        struct Content: Decodable {
            struct View: Decodable { let key: String }
            let title: String
            let views: [View]
        }
        let content = try JSONDecoder().decode(Content.self, from: Data(data.utf8))
        #expect(content.title == page.title)
        #expect(content.views.map(\.key) == HostileKeys.all)
    }

    @Test("ten thousand views are written, each with its evaluations")
    func manyViews() throws {
        var page = ReportPage.sample()
        for index in 0..<10_000 {
            var view = ReportPage.View(key: "View\(index)", process: 0)
            view.count = 1
            page.views.append(view)
            page.evaluations.append(
                .init(start: SampleTrace.origin + Int64(index), duration: 7, lane: UInt32(index), amount: 5))
        }
        let html = String(decoding: try PageBrowser.html(page), as: UTF8.self)
        let block = try #require(Self.block("view", of: html))
        let lanes = try #require(Data(base64Encoded: block))
        #expect(Self.unpack(Array(lanes)) == (0..<10_000).map(UInt64.init))
    }

    @Test("the page forbids itself every network, and names none")
    func noNetwork() throws {
        let html = String(decoding: try PageBrowser.html(.sample(), nonce: "abc"), as: UTF8.self)
        #expect(html.contains("content=\"default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc';"))
        // The only address is the name of the drawings' language, which nothing is fetched from.
        let addresses = html.components(separatedBy: "://").count - 1
        #expect(addresses == html.components(separatedBy: "http://www.w3.org/2000/svg").count - 1)
        #expect(!html.contains("src="), "nothing is loaded")
        #expect(!html.contains("{{"), "nothing is left to fill in")
    }

    @Test("every script of the page is in it")
    func scripts() throws {
        let folder = Checkout.url("Sources/Tool/CScreen/Page/Web")
        let html = String(decoding: try PageBrowser.html(.sample()), as: UTF8.self)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".js") }
        #expect(names.count > 5)
        for name in names {
            let script = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            #expect(html.contains(script), "\(name) is not embedded, or not listed in page.c")
        }
    }

    @Test("each page has a nonce of its own")
    func nonces() {
        #expect(PageHTML.randomNonce() != PageHTML.randomNonce())
        #expect(PageHTML.randomNonce().utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "z")).contains($0) })
    }

    private static func block(_ name: String, of html: String) -> String? {
        guard let start = html.range(of: "id=\"data-\(name)\">"),
            let end = html.range(of: "</script>", range: start.upperBound..<html.endIndex)
        else { return nil }
        return String(html[start.upperBound..<end.lowerBound])
    }
}
