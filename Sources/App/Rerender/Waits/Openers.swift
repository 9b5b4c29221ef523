// SPDX-License-Identifier: MIT
// Which processes have something open, in words.

import CRerender
import Glibc
import RerenderModel

/// A process, as texts name it.
struct ProcessName {
    let process: Int32
    init(_ process: Int32) { self.process = process }

    var text: String { ProcText.name(ofProcess: process).map { "\($0)[\(process)]" } ?? "[\(process)]" }
}

/// The processes that have something open.
///
/// Proof of the unsafe parts: each call gets room of the size that it is told.
struct Openers {
    private let processes: [Int32]
    private let count: Int
    /// Whether all processes were looked at.
    private let isComplete: Bool

    /// Names in one text.
    private static let named = 3
    /// How long to look: a machine has some hundred processes.
    private static let nanoseconds: UInt64 = 30_000_000

    init(_ file: OpenFile, access: Int) {
        self.init(file.link, PathName.isAbsolute(file.link) ? file.identity : nil, access)
    }

    init(_ link: String, _ identity: crerender_file?, _ access: Int) {
        unsafe self.init { end, start, count, isComplete in
            guard let identity else {
                // A file that is to be told by its identity is not told by its name.
                guard !PathName.isAbsolute(link) else { return 0 }
                return unsafe crerender_openers(link, nil, CInt(access), end, start, count, isComplete)
            }
            return unsafe withUnsafePointer(to: identity) {
                unsafe crerender_openers(link, $0, CInt(access), end, start, count, isComplete)
            }
        }
    }

    init(
        _ find: (UInt64, UnsafeMutablePointer<pid_t>, CInt, UnsafeMutablePointer<Bool>) -> CInt
    ) {
        let room = 8
        var (found, isComplete): (CInt, Bool) = (0, false)
        processes = unsafe Array(unsafeUninitializedCapacity: room) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            let end = MonotonicClock.now + Self.nanoseconds
            found = DescriptorTable.run { unsafe find(end, start, CInt(room), &isComplete) } ?? 0
            count = min(max(0, Int(found)), room)
        }
        count = Int(found)
        self.isComplete = isComplete
    }

    /// The names, this process first, and how many there are; nil for none.
    func names(withoutOwn isWithoutOwn: Bool = false) -> (text: String, count: Int)? {
        let own = getpid()
        let hasOwn = processes.contains(own)
        let count = isWithoutOwn && hasOwn ? count - 1 : count
        guard count > 0 else { return nil }
        let others = processes.filter { $0 != own }.map { ProcessName($0).text }
        let names = ((hasOwn && !isWithoutOwn ? ["this process"] : []) + others).prefix(Self.named)
        let rest = count - names.count
        let text = names.joined(separator: " and ") + (rest > 0 ? " and \(rest) more" : "")
        return (text + (isComplete ? "" : ", perhaps among others,"), count)
    }

    /// In words after what they are.
    var text: String {
        guard let names = names() else { return "is not known" }
        return "is " + (isComplete ? names.text : String(names.text.dropLast()))
    }
}
