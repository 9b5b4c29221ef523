// SPDX-License-Identifier: MIT
// Records a failure with the test library that runs.

#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Where an expectation stands.
typealias CallSite = (fileID: StaticString, filePath: StaticString, line: UInt, column: UInt)

/// Records failures.
enum TestIssue {
    /// Records one with Swift Testing where one of its tests runs, else with XCTest.
    ///
    /// Outside of a test's own task it is not known which of the two runs. Then both get the failure: each ignores it while none
    /// of its tests runs. A failure that reached neither would be a passed test.
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
