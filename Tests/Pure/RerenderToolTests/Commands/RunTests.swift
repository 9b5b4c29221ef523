// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderBudgets
import RerenderModel
import RerenderQuery
@testable import RerenderTool
@testable import RerenderToolBase
import TestSupport
import Testing
@testable import ToolSupport

@Suite("rerenderctl run", .serialized)
struct RunTests {
    private func run(
        _ command: [String], options: [String] = [], bench: Bench, environment: [String: String] = [:]
    ) throws -> Spawned {
        try bench.start(["run"] + options + ["--"] + command, environment: environment)
    }

    @Test("Next names explain without a key where the key cannot be typed, and nothing where there is nothing to fix")
    func next() {
        var view = Sample.view("a\u{1B}b", count: 10)
        #expect(RunCommand.next(Sample.export([Sample.store(views: [view])]), isKept: true, isPrivate: true) == nil)
        (view.wasted.count, view.wasted.measured, view.wasted.nanoseconds) = (9, 9, 90_000_000)
        let export = Sample.export([Sample.store(views: [view])])
        #expect(RunCommand.next(export, isKept: true, isPrivate: true) == "rerenderctl explain")
        #expect(RunCommand.next(export, isKept: true, isPrivate: false) == "rerenderctl explain last")
        #expect(RunCommand.next(export, isKept: false, isPrivate: true) == nil)
    }
}
