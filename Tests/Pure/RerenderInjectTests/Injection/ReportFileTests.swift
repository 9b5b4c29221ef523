// SPDX-License-Identifier: MIT
// What a process tells rerenderctl goes to a file of the user's alone.

import CInject
import Foundation
import Testing

@Suite("The file of an injection's report") struct ReportFileTests {
    @Test("a pipe, which another user may put there, delays nothing and gets nothing; the user's own file gets a line")
    func kinds() throws {
        let directory = "/tmp/rr-report-\(getpid())"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/report"
        crerender_report_in(directory, "widgets", "begun")
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(mkfifo(path, 0o600) == 0)
        // Without a reader, one that opens it to write would wait.
        crerender_report_in(directory, "widgets", "begun")
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        crerender_report_in(directory, "widgets", "begun")
        var byte: UInt8 = 0
        #expect(read(reader, &byte, 1) <= 0)
        #expect(unlink(path) == 0 && FileManager.default.createFile(atPath: path, contents: nil))
        crerender_report_in(directory, "widgets", "begun")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "\(getpid()) widgets begun\n")
    }
}
