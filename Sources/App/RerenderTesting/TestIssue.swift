// SPDX-License-Identifier: MIT
// A failure told to the test library that runs.

#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Where an expectation stands.
struct CallSite: Sendable {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt
}

/// Records failures.
enum TestIssue {
    /// Records one with Swift Testing where one of its tests runs, else with XCTest.
    ///
    /// Outside of a test's own task nobody says which of the two it is. Then both are told: each drops what it is told
    /// while none of its tests runs, and a failure that nobody hears of would be a passed test.
    static func record(_ text: String, at site: CallSite) {
        #if canImport(Testing)
            let location = SourceLocation(
                fileID: "\(site.fileID)", filePath: "\(site.filePath)", line: Int(site.line), column: Int(site.column))
            Issue.record(Comment(rawValue: text), sourceLocation: location)
            if Test.current != nil { return }
        #endif
        #if canImport(XCTest)
            XCTFail(text, file: site.filePath, line: site.line)
        #endif
    }
}
