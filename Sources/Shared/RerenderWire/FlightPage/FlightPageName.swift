// SPDX-License-Identifier: MIT
// The file names of flight pages.

/// The name of a flight page: `PID.page` for a process's first copy of the library, `PID.COPY.page` for its others.
package struct FlightPageName: Hashable, Sendable {
    /// The process's number, as it sees it itself.
    package let pid: Int32
    /// Which copy of the library in the process; 0 is the first. After an `exec` the numbers go on.
    package let copy: UInt32

    package init(pid: Int32, copy: UInt32) {
        self.pid = pid
        self.copy = copy
    }

    /// Reads a name; nil if it is not exactly one of a page.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let pid = Int32(parts[0]), pid > 0,
            let copy = parts.count == 3 ? UInt32(parts[1]) : 0
        else { return nil }
        self.init(pid: pid, copy: copy)
        guard self.text == text else { return nil }
    }

    /// The file's name.
    package var text: String { copy == 0 ? "\(pid).page" : "\(pid).\(copy).page" }

    /// The name that a page's file has until it says everything: then it takes the place of the file of that page before.
    package static func unfinished(_ name: String) -> String { name + unfinishedEnding }

    /// The page whose file has not got its name yet; nil if that is no such name.
    package static func ofUnfinished(_ text: String) -> FlightPageName? {
        text.hasSuffix(unfinishedEnding) ? FlightPageName(String(text.dropLast(unfinishedEnding.count))) : nil
    }

    private static let unfinishedEnding = ".new"
}
