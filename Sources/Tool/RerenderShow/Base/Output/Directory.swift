// SPDX-License-Identifier: MIT
// Creates directories and lists them.

import FoundationEssentials
import Glibc
import RerenderModel

/// Makes directories and looks into them.
package enum Directory {
    /// Makes a directory with all above it, where it is not there; throws status 73 with the reason where it cannot.
    package static func make(_ path: String) throws(ToolFailure) {
        try attempt("make", path) {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
    }

    /// Makes a new directory of mode 0700 and returns its path; throws status 71 where it cannot.
    ///
    /// - Parameter template: Its path, which ends with six `X` in the place of what makes it unique.
    package static func makeTemporary(_ template: String) throws(ToolFailure) -> String {
        var name = Array(template.utf8CString)
        // Proof: mkdtemp() changes the six letters in place, within the array and its final zero.
        let isMade = unsafe name.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
        }
        guard isMade else {
            throw ToolFailure(
                ExitStatus.system, "cannot create a directory \(Printable.text(template)): \(SystemText.latest)")
        }
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether nothing is in a directory; throws status 73 where it may not be listed.
    package static func isEmpty(_ path: String) throws(ToolFailure) -> Bool {
        try attempt("list", path) { try FileManager.default.contentsOfDirectory(atPath: path).isEmpty }
    }

    private static func attempt<Result>(
        _ doing: String, _ path: String, _ body: () throws -> Result
    ) throws(ToolFailure) -> Result {
        do {
            return try body()
        } catch {
            throw failure(doing, path, because: error)
        }
    }

    private static func failure(_ doing: String, _ path: String, because error: any Error) -> ToolFailure {
        // Foundation keeps the system's number; errno may be another call's by now.
        let number = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue ?? errno
        let reason =
            FilePath.kind(path).map { $0 != S_IFDIR } ?? false ? "it is not a directory" : SystemText.of(number)
        return ToolFailure(ExitStatus.cannotCreate, "cannot \(doing) \(Printable.text(path)): \(reason)")
    }
}
