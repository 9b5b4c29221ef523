// SPDX-License-Identifier: MIT
// Several files that a thread waits for in one call, in words.

extension OpenFile.Side {
    /// From the events of poll(2) and epoll(7) that are waited for.
    init(events: UInt64) {
        let (reads, writes) = (events & 0xC3 != 0, events & 0x304 != 0)
        self = reads == writes ? .any : reads ? .writer : .reader
    }
}

/// One of several files that are waited for.
struct WatchedFile {
    /// Nil if it is not known.
    let file: OpenFile?
    let side: OpenFile.Side

    func text(_ side: OpenFile.Side) -> String { file?.text(side) ?? "a file whose descriptor is not known" }
}

/// The files that a thread waits for in one call.
struct WatchedFiles {
    /// Files that are told apart.
    static let named = 3

    let first: [WatchedFile]
    let count: Int
    /// Whether there are no more than are counted.
    let isWhole: Bool

    func text(in call: String) -> String {
        if first.isEmpty { return "waits in \(call)" }
        let names = first.map { $0.text(count == 1 && isWhole ? $0.side : .any) }
        let rest = count - names.count
        let least = isWhole ? "" : "at least "
        return "waits in \(call) for " + names.joined(separator: " or ") + (rest > 0 ? " or \(least)\(rest) more" : "")
    }
}
