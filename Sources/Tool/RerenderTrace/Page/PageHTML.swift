// SPDX-License-Identifier: MIT
// The page as one file.

internal import CScreen
internal import FoundationEssentials
internal import RerenderModel

/// Writes pages.
package enum PageHTML: Sendable {
    /// Proof: a part's bytes are as many as it says, and are never written or freed.
    private static func bytes(_ part: cpage_part) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: part.bytes, count: part.count))
    }

    /// Writes the page piece by piece.
    ///
    /// Only scripts and styles with `nonce` are obeyed by a browser, and no text of a trace can know it: it is made later.
    package static func write(
        _ page: ReportPage, nonce: String = randomNonce(), to output: ([UInt8]) throws -> Void
    ) throws {
        // In one pass: what is filled in is not looked at again.
        let template = unsafe String(decoding: bytes(cpage_template()), as: UTF8.self)
        for (index, part) in template.split(separator: "{{", omittingEmptySubsequences: false).enumerated() {
            guard index > 0, let end = part.firstRange(of: "}}") else {
                try output(Array(part.utf8))
                continue
            }
            try fill(String(part[..<end.lowerBound]), page, nonce, output)
            try output(Array(part[end.upperBound...].utf8))
        }
    }

    /// 128 random bits.
    package static func randomNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(UInt64.random(in: .min ... .max, using: &generator), radix: 36) }.joined()
    }

    private static func fill(
        _ place: String, _ page: ReportPage, _ nonce: String, _ output: ([UInt8]) throws -> Void
    ) throws {
        switch place {
        case "nonce": try output(Array(nonce.utf8))
        case "title": try output(Array(Markup(page.title).text.utf8))
        case "style": unsafe try output(bytes(cpage_style()))
        case "script": unsafe try output(bytes(cpage_script()))
        case "data": try data(page, output)
        default: preconditionFailure("the template asks for \(place), which nothing gives")
        }
    }

    private static func data(_ page: ReportPage, _ output: ([UInt8]) throws -> Void) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try block("report", output) { try output(PageText.script(json: try encoder.encode(page))) }
        for column in PageColumns(page).all {
            try block(column.name, output) {
                try column.write { try output(Array(Data($0).base64EncodedData())) }
            }
        }
    }

    /// Data that no browser runs.
    private static func block(
        _ name: String, _ output: ([UInt8]) throws -> Void, _ content: () throws -> Void
    ) throws {
        try output(Array("<script type=\"text/plain\" id=\"data-\(name)\">".utf8))
        try content()
        try output(Array("</script>\n".utf8))
    }
}
