// SPDX-License-Identifier: MIT
// The changelog is where the version comes from; programs, packages and the query API name the same.

import RerenderModel
import Testing
@testable import DocumentSupport

@Suite("CHANGELOG.md")
struct ChangelogTests {
    @Test("The newest release in it is the version that the programs print")
    func version() throws {
        let headings = try Document.named("CHANGELOG.md").lines.compactMap { $0.wholeMatch(of: /## \[([0-9.]+)\].*/) }
        let released = headings.first.map { String($0.1) }
        #expect(released == RerenderVersion.current)
    }
}
