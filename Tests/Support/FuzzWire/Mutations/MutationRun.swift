// SPDX-License-Identifier: MIT
// Gives a target one changed input after the other, and keeps in a file how many there were.

import Glibc

/// How far a run of changed inputs is, in a file that outlives the process however it ends.
///
/// Three numbers of eight bytes: the input that is read now, or the first that was not; in how many its reader found something;
/// and the processor time of all runs in nanoseconds. One run at a time has the file.
package struct MutationProgress: ~Copyable {
    private static let bytes = 24
    private let words: UnsafeMutablePointer<UInt64>
    /// Stays open, because the lock ends with it.
    private let file: CInt

    /// Opens the file, or makes one that says 0. Throws where another run has it.
    package init(path: String) throws(FuzzFinding) {
        file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        try hold(file >= 0, "cannot open \(path)")
        do {
            words = try Self.memory(of: file, path)
        } catch {
            close(file)
            throw error
        }
    }

    private static func memory(of file: CInt, _ path: String) throws(FuzzFinding) -> UnsafeMutablePointer<UInt64> {
        try hold(flock(file, LOCK_EX | LOCK_NB) == 0, "\(path) is in use by another run")
        try hold(ftruncate(file, off_t(bytes)) == 0, "cannot write \(path)")
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let memory, memory != MAP_FAILED else { throw FuzzFinding("cannot map \(path)") }
        return memory.bindMemory(to: UInt64.self, capacity: 3)
    }

    deinit {
        munmap(words, Self.bytes)
        close(file)
    }

    /// The number of the input that is read now; all before it hold.
    package var next: UInt64 {
        get { words[0] }
        nonmutating set { words[0] = newValue }
    }

    /// In how many of them the reader found something.
    package var taken: UInt64 {
        get { words[1] }
        nonmutating set { words[1] = newValue }
    }

    /// The processor time that was used so far.
    package var nanoseconds: UInt64 {
        get { words[2] }
        nonmutating set { words[2] = newValue }
    }
}

/// Runs a target on changed inputs, from where the progress is.
package enum MutationRun {
    /// Reads inputs up to, not with, the number `end`. Throws what does not hold; the progress then says which input it was.
    ///
    /// - Parameters:
    ///   - begins: Hears that an input begins, with true, and that it has ended, with false.
    ///   - clock: Tells the processor time in nanoseconds.
    package static func run(
        _ target: FuzzTarget, _ mutator: inout Mutator, _ progress: borrowing MutationProgress, to end: UInt64,
        begins: (_ begins: Bool) -> Void = { _ in }, clock: () -> UInt64 = MutationRun.processorTime
    ) throws {
        var last = clock()
        for number in progress.next..<max(end, progress.next) {
            let input = mutator.input(number)
            begins(true)
            let isTaken = try target.read(input)
            begins(false)
            if isTaken { progress.taken += 1 }
            progress.next = number + 1
            guard number & 0xFFF == 0xFFF || number + 1 == end else { continue }
            let now = clock()
            progress.nanoseconds += now - last
            last = now
        }
    }

    /// What this process has used of processors, in nanoseconds.
    package static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
