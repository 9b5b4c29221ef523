// SPDX-License-Identifier: MIT
// What reports for CI are made of in tests.

import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport

/// Results whose keys are hostile, and sources that they lie in.
enum ReportSamples {
    /// Keys that would be something else than text where they are written carelessly.
    static let hostile = [
        "<b>&\"'", "]]>", "a|b", "`code`", "[x](http://evil.example)", "\u{1B}[31m\u{0}", "line\nbreak\r\n| a | b |",
        "\u{FFFE}\u{FFFF}", "@everyone #1", "www.evil.example", "<!-- -->", "</code></details>", "\\", "", "*", "カート 🛒",
        "&amp;", "\u{202E}txt",
    ]

    /// A budget of one evaluation each that views of these keys exceed.
    static func check(_ keys: [String]) -> BudgetCheck {
        var parent = Sample.reason("parent: \(keys[0])", 2)
        parent.writers = [WriterCount(writer: keys[0], count: 2)]
        let views = keys.map { Sample.view(ViewKey(rawValue: $0), count: 2, reasons: [parent], file: "/\($0)") }
        var budget = Budget()
        var limits = Budget.Limits()
        limits.most = [.evaluations: 1]
        budget.views = keys.map { Budget.Line(pattern: KeyPattern(exactly: ViewKey(rawValue: $0)), limits: limits) }
        budget.views.sort { $0.pattern < $1.pattern }
        return BudgetCheck(budget, Tally(Sample.export([Sample.store(views: views)])))
    }

    /// A comparison of nothing with views of these keys.
    static func diff(_ keys: [String]) -> ExportDiff {
        let views = keys.map { key in
            Sample.view(ViewKey(rawValue: key), count: 2, reasons: [Sample.reason(key, 2)], file: "/\(key)")
        }
        return ExportDiff(
            old: Tally(Sample.export([Sample.store()])), new: Tally(Sample.export([Sample.store(views: views)])))
    }

    /// Sources of a module `Shop`, in a folder of its name.
    static func sources() throws -> (directory: TemporaryDirectory, files: SourceFiles) {
        let directory = try TemporaryDirectory()
        let folder = directory.url.appendingPathComponent("Sources/Shop")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["Cart.swift", "a b,c%.swift"] { try Data().write(to: folder.appendingPathComponent(name)) }
        return (directory, SourceFiles(below: directory.path))
    }
}
