// SPDX-License-Identifier: MIT
// What the labelled waits are made of.

import CRerender
import Dispatch
import Foundation
import Synchronization

extension Labels {
    #if arch(x86_64)
        static let readCall: Int64 = 0
    #else
        static let readCall: Int64 = 63
    #endif

    static func openPipe() -> [Int32] {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }

    /// A pipe that takes nothing more.
    static func fullPipe() -> [Int32] {
        let ends = openPipe()
        fill(ends[1])
        return ends
    }

    static func fill(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let bytes = [UInt8](repeating: 0, count: 4_096)
        while write(descriptor, bytes, bytes.count) > 0 {}
    }

    /// Has a child process stop a thread as debuggers do; false where the kernel does not allow it.
    static func isStopped(_ thread: Int32) -> Bool {
        typealias Call = @convention(c) (Int, Int, Int, Int, Int) -> Int
        typealias Fork = @convention(c) () -> pid_t
        let call = unsafeBitCast(dlsym(nil, "syscall"), to: Call.self)
        let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
        #if arch(x86_64)
            let (prctl, ptrace) = (157, 101)
        #else
            let (prctl, ptrace) = (167, 117)
        #endif
        let (seize, interrupt, setTracer) = (0x4206, 0x4207, 0x5961_6d61)
        let answer = openPipe()
        _ = call(prctl, setTracer, -1, 0, 0)
        if fork() == 0 {
            let isSeized = call(ptrace, seize, Int(thread), 0, 0) == 0
            _ = call(ptrace, interrupt, Int(thread), 0, 0)
            write(answer[1], isSeized ? "y" : "n", 1)
            sleep(30)
            _exit(0)
        }
        var byte: UInt8 = 0
        read(answer[0], &byte, 1)
        return byte == UInt8(ascii: "y")
    }

    /// Returns once another process has the file's lock.
    static func awaitLock(_ descriptor: Int32) {
        while flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
            flock(descriptor, LOCK_UN)
            usleep(1_000)
        }
    }

    /// Values that are made by the thread that asks first, which waits in there.
    enum Once {
        static let value: Int = {
            var byte: UInt8 = 0
            return read(readEnd, &byte, 1)
        }()
        static let word: Int = {
            let word = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
            word.initialize(to: 0)
            futexWait(word, 0)
            return 0
        }()
    }

    /// Starts a program with one of our descriptors as its input or output, and returns once it runs.
    static func spawn(_ words: String..., input: Int32 = -1, output: Int32 = -1) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        if input >= 0 { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        if output >= 0 { posix_spawn_file_actions_adddup2(&actions, output, 1) }
        // Among them is the one by which Foundation learns that this process has ended. Until then nobody waits for it, and
        // Swift Testing waits for no child that ended later.
        // A run of all tests has thousands open.
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for descriptor in open.compactMap({ Int32($0) }) where descriptor > 2 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        var child: pid_t = 0
        var arguments = words.map { strdup($0) } + [nil]
        posix_spawnp(&child, words[0], &actions, nil, &arguments, environ)
        return child
    }

    static func makeMutex() -> UnsafeMutablePointer<pthread_mutex_t> {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        return mutex
    }

    struct OtherThread {
        var thread: pthread_t
        var id: Int32
        let goOn: DispatchSemaphore
    }

    final class Start: Sendable {
        let name: String
        let first: @Sendable () -> Void
        let then: @Sendable () -> Void
        let goOn = DispatchSemaphore(value: 0)
        let isReady = DispatchSemaphore(value: 0)
        let id = Atomic<Int32>(0)

        init(_ name: String, _ first: @escaping @Sendable () -> Void, _ then: @escaping @Sendable () -> Void) {
            (self.name, self.first, self.then) = (name, first, then)
        }
    }

    /// Starts a thread that does the first, and the second once it may go on.
    static func onThread(
        _ name: String, _ first: @escaping @Sendable () -> Void, then: @escaping @Sendable () -> Void
    ) -> OtherThread {
        let start = Start(name, first, then)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { box in
                guard let box else { return nil }
                let start = Unmanaged<Start>.fromOpaque(box).takeRetainedValue()
                start.id.store(crerender_this_thread(), ordering: .relaxed)
                let file = open("/proc/thread-self/comm", O_WRONLY)
                write(file, start.name, start.name.utf8.count)
                close(file)
                start.first()
                start.isReady.signal()
                start.goOn.wait()
                start.then()
                return nil
            }, Unmanaged.passRetained(start).toOpaque())
        start.isReady.wait()
        return OtherThread(thread: thread, id: start.id.load(ordering: .relaxed), goOn: start.goOn)
    }

    /// Waits for a mutex that a thread called db-writer holds, which does what it is given.
    static func lockedMutex(_ body: (_ holder: (String, @escaping @Sendable () -> Void) -> Void) -> Void) {
        nonisolated(unsafe) let mutex = makeMutex()
        body { words, work in
            let other = onThread("db-writer") {
                pthread_mutex_lock(mutex)
            } then: {
                work()
            }
            other.goOn.signal()
            expects("waits for a mutex that thread db-writer[\(other.id)] holds, which \(words)")
        }
        pthread_mutex_lock(mutex)
    }

    /// Hangs on a thread of its own, whose stack is noted.
    static func hangOnThread(_ body: @escaping @Sendable () -> Void) {
        let other = onThread("hangs") {
            hangingThread.store(crerender_note_stack(), ordering: .relaxed)
        } then: {
            body()
        }
        other.goOn.signal()
        pthread_join(other.thread, nil)
    }

    static func threadName(_ thread: Int32) -> String {
        let name = (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) ?? ""
        return String(name.dropLast())
    }

    static func listen() -> (Int32, Int) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size)
                Glibc.listen(listener, 1)
                getsockname(listener, $0, &size)
            }
        }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    static func connectTo(_ client: Int32, _ port: Int) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
