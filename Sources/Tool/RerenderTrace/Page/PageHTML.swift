// SPDX-License-Identifier: MIT
// The page as one file.

internal import FoundationEssentials

/// Writes pages.
package enum PageHTML: Sendable {
    /// The scripts, in the page's order: each finds what it needs while it loads; functions are found in any order.
    private static var scripts: [[UInt8]] {
        [
            PackageResources.text_js,
            PackageResources.data_js,
            PackageResources.state_js,
            PackageResources.timeline_js,
            PackageResources.draw_js,
            PackageResources.overview_js,
            PackageResources.card_js,
            PackageResources.span_js,
            PackageResources.input_js,
            PackageResources.flame_js,
            PackageResources.tables_js,
            PackageResources.hangs_js,
            PackageResources.causes_js,
            PackageResources.histograms_js,
            PackageResources.compare_js,
            PackageResources.address_js,
            PackageResources.main_js,
        ]
    }

    /// Writes the page piece by piece.
    ///
    /// Only scripts and styles with `nonce` are obeyed by a browser, and no text of a trace can know it: it is made later.
    package static func write(
        _ page: ReportPage, nonce: String = randomNonce(), to output: ([UInt8]) throws -> Void
    ) throws {
        // In one pass: what is filled in is not looked at again.
        let template = String(decoding: PackageResources.page_html, as: UTF8.self)
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
        case "title": try output(Array(PageText.markup(page.title).utf8))
        case "style": try output(PackageResources.page_css)
        case "script": for script in scripts { try output(script) }
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
