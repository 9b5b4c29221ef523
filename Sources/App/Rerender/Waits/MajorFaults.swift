// SPDX-License-Identifier: MIT
// A thread's page faults for which something had to be read from a disk.

/// How many major page faults a thread has had.
struct MajorFaults: Hashable {
    let thread: Int32
    /// Nil if that is not known.
    let count: UInt64?

    init(of thread: Int32) {
        self.thread = thread
        let fields = ProcText.stat(ofThread: thread)
        count = fields.count > 9 ? UInt64(fields[9]) : nil
    }

    func isMore(than earlier: MajorFaults?) -> Bool {
        guard let earlier, earlier.thread == thread, let count, let before = earlier.count else { return false }
        return count > before
    }

    /// What is certain of a thread that is blocked outside of a system call.
    static let certain = "waits outside of a system call"

    /// What a thread waits for that is blocked outside of a system call: mostly memory.
    func wait(since earlier: MajorFaults?) -> String {
        let channel = ProcText.file("/proc/self/task/\(thread)/wchan", limit: 64)
        if channel.contains("userfault") { return "waits in a page fault that a program has to handle" }
        let isReading = ["folio", "filemap", "io_schedule", "blk_", "page_wait", "wait_on_page"].contains {
            channel.contains($0)
        }
        return isReading || isMore(than: earlier) ? "waits for major page faults" : Self.certain
    }
}
