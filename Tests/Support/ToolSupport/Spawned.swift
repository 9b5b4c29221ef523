// SPDX-License-Identifier: MIT
// Real processes under test, on pipes or on a terminal of their own.

import Dispatch
import Foundation
import Glibc
@testable import RerenderShow
@testable import RerenderTool
import Synchronization
import TestSupport

// Glibc's module leaves these out.
@_silgen_name("posix_openpt") private func openTerminal(_ flags: CInt) -> CInt
@_silgen_name("grantpt") private func grantTerminal(_ master: CInt) -> CInt
@_silgen_name("unlockpt") private func unlockTerminal(_ master: CInt) -> CInt
@_silgen_name("ptsname_r")
private func nameOfTerminal(_ master: CInt, _ buffer: UnsafeMutablePointer<CChar>, _ size: Int) -> CInt

/// Something that did not happen in time, with what was seen instead.
struct NotSeen: Error, CustomStringConvertible {
    let description: String
}

/// A value that is awaited; whoever waits is told of every change.
final class Observed<State: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let id: Int
        let isMet: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Storage: Sendable {
        var state: State
        var waiters: [Waiter] = []
        var nextID = 0
    }

    private let storage: Mutex<Storage>

    init(_ state: State) {
        storage = Mutex(Storage(state: state))
    }

    var now: State { storage.withLock { $0.state } }

    func change(_ body: @Sendable (inout State) -> Void) {
        let met = storage.withLock { storage -> [Waiter] in
            body(&storage.state)
            let state = storage.state
            let met = storage.waiters.filter { $0.isMet(state) }
            storage.waiters.removeAll { waiter in met.contains { $0.id == waiter.id } }
            return met
        }
        for waiter in met { waiter.continuation.resume(returning: true) }
    }

    /// Waits until the state is as wanted; false when it was not within that time.
    func wait(seconds: Double = WaitLimit.seconds, until isMet: @escaping @Sendable (State) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let id = storage.withLock { storage -> Int? in
                guard !isMet(storage.state) else { return nil }
                storage.nextID += 1
                storage.waiters.append(Waiter(id: storage.nextID, isMet: isMet, continuation: continuation))
                return storage.nextID
            }
            guard let id else { return continuation.resume(returning: true) }
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in self?.giveUp(id) }
        }
    }

    private func giveUp(_ id: Int) {
        let waiter = storage.withLock { storage -> Waiter? in
            guard let index = storage.waiters.firstIndex(where: { $0.id == id }) else { return nil }
            return storage.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: false)
    }
}

/// What comes out of a descriptor.
struct Stream: Sendable {
    var bytes: [UInt8] = []
    var isOver = false
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A process with its input, output and end.
final class Spawned: Sendable {
    enum Ending: Hashable, Sendable {
        case exited(Int32)
        case killed(Int32)
    }

    /// The size of a terminal.
    struct Size: Sendable {
        var columns: UInt16
        var lines: UInt16
    }

    var pid: pid_t { child.pid }
    private let child: StartedChild
    private let output = Observed(Stream())
    private let errors = Observed(Stream())
    private let end = Observed<Ending?>(nil)
    private let input: CInt

    /// Everything that came on standard output, or on the terminal.
    var standardOutput: String { output.now.text }
    var outputBytes: [UInt8] { output.now.bytes }
    var standardError: String { errors.now.text }

    /// Starts a program by its path. `terminal` gives it a controlling terminal of its own in the place of pipes.
    init(
        _ arguments: [String], environment: [String: String] = [:], terminal: Size? = nil,
        ignoring: [CInt] = [], keepsErrorsApart: Bool = true
    ) throws {
        let descriptors: [StartedChild.Descriptor]
        let ours: [CInt]
        var theirs: [CInt] = []
        if let terminal {
            let master = openTerminal(O_RDWR | O_NOCTTY | O_CLOEXEC)
            var name = [CChar](repeating: 0, count: 128)
            guard master >= 0, grantTerminal(master) == 0, unlockTerminal(master) == 0,
                nameOfTerminal(master, &name, 128) == 0
            else {
                throw NotSeen(description: "no terminal: \(errno)")
            }
            var size = winsize(ws_row: terminal.lines, ws_col: terminal.columns, ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(master, UInt(TIOCSWINSZ), &size)
            // The leader of a new session takes the first terminal that it opens.
            let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            descriptors = [.file(path, flags: O_RDWR), .copy(of: 0), .copy(of: 0)]
            ours = [master, master]
        } else {
            let (inputPipe, outputPipe, errorPipe) = (Self.pipe(), Self.pipe(), Self.pipe())
            theirs = [inputPipe.read, outputPipe.write, errorPipe.write]
            descriptors = theirs.map { .copy(of: $0) }
            ours = [inputPipe.write, outputPipe.read, errorPipe.read]
        }
        let variables = [
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": geteuid() == 0 ? "/root" : NSHomeDirectory(),
            "LANG": "C.UTF-8", "RERENDER_HISTORY": "0",
        ]
        .merging(environment) { $1 }
        child = try StartedChild(
            arguments, environment: variables, descriptors, in: terminal == nil ? .ours : .newSession)
        for descriptor in theirs { close(descriptor) }
        input = ours[0]
        Self.read(ours[1], into: output)
        if ours.count > 2 { Self.read(ours[2], into: errors) } else { errors.change { $0.isOver = true } }
        awaitEnd()
    }

    deinit {
        child.send(SIGKILL)
        if terminalIsOpen { close(input) }
    }

    private let inputIsClosed = Mutex(false)
    private var terminalIsOpen: Bool { !inputIsClosed.withLock { $0 } }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    }

    func closeInput() {
        inputIsClosed.withLock { isClosed in
            if !isClosed { close(input) }
            isClosed = true
        }
    }

    func send(_ signal: CInt) { child.send(signal) }

    func resize(_ terminal: Size) {
        var size = winsize(ws_row: terminal.lines, ws_col: terminal.columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(input, UInt(TIOCSWINSZ), &size)
    }

    /// Waits until the output after its first `offset` bytes holds a text.
    func expect(_ text: String, after offset: Int = 0) async throws {
        let wanted = Array(text.utf8)
        let isSeen = await output.wait { $0.isOver || $0.bytes.dropFirst(offset).contains(wanted) }
        guard isSeen, output.now.bytes.dropFirst(offset).contains(wanted) else {
            throw NotSeen(
                description:
                    "\"\(text)\" did not come; output: \(standardOutput.debugDescription), errors: \(standardError)")
        }
    }

    /// Waits until the output after its first `offset` bytes holds a text and another one behind it, such as a shell's next prompt.
    func expect(_ text: String, then next: String, after offset: Int = 0) async throws {
        let (first, second) = (Array(text.utf8), Array(next.utf8))
        @Sendable func isThere(_ bytes: [UInt8]) -> Bool {
            let rest = bytes.dropFirst(offset)
            return rest.firstRange(of: first).map { rest[$0.upperBound...].contains(second) } == true
        }
        _ = await output.wait { $0.isOver || isThere($0.bytes) }
        guard isThere(output.now.bytes) else {
            throw NotSeen(
                description: "\"\(text)\" and then \"\(next)\" did not come; output: \(standardOutput.debugDescription)"
            )
        }
    }

    /// Has a shell at its prompt end.
    func exitShell() async throws {
        type("exit\n")
        try await wait()
    }

    /// Waits until standard error holds a text.
    func expectError(_ text: String) async throws {
        let wanted = Array(text.utf8)
        _ = await errors.wait { $0.isOver || $0.bytes.contains(wanted) }
        guard errors.now.bytes.contains(wanted) else {
            throw NotSeen(description: "\"\(text)\" did not come; errors: \(standardError)")
        }
    }

    /// Waits for the end of the process and of its output.
    @discardableResult
    func wait() async throws -> Ending {
        guard await end.wait(until: { $0 != nil }), let ending = end.now else {
            throw NotSeen(description: "no end; output: \(standardOutput.debugDescription), errors: \(standardError)")
        }
        guard await output.wait(until: { $0.isOver }), await errors.wait(until: { $0.isOver }) else {
            throw NotSeen(
                description: "\(ending), but another process holds the output open: "
                    + "\(standardOutput.debugDescription), errors: \(standardError)")
        }
        return ending
    }

    private static func pipe() -> (read: CInt, write: CInt) {
        // In one step, or a process that another test starts meanwhile holds the ends open, too.
        ClosingPipe.open() ?? (-1, -1)
    }

    private static func read(_ descriptor: CInt, into stream: Observed<Stream>) {
        Thread.detachNewThread {
            ChildPipe.read(descriptor) { piece in stream.change { $0.bytes += piece } }
            stream.change { $0.isOver = true }
        }
    }

    private func awaitEnd() {
        let (child, end) = (child, end)
        Thread.detachNewThread {
            let ending: Ending? =
                switch child.wait() {
                case .status(let status)?: .exited(status)
                case .signal(let signal)?: .killed(signal)
                case nil: nil
                }
            end.change { $0 = ending }
        }
    }
}

extension Collection<UInt8> {
    fileprivate func contains(_ part: [UInt8]) -> Bool { firstRange(of: part) != nil }
}
