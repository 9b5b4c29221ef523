// SPDX-License-Identifier: MIT
// System calls that Swift does not import.

import Foundation

/// Calls of epoll(7), whose header Swift does not import.
enum Epoll {
    static func make(_ flags: Int32) -> Int32 {
        typealias Call = @convention(c) (Int32) -> Int32
        return unsafeBitCast(dlsym(nil, "epoll_create1"), to: Call.self)(flags)
    }

    /// Tells of it once, and no more.
    static let once: UInt32 = 1 << 30

    /// Watches it for something to read.
    static func add(_ descriptor: Int32, to epoll: Int32, _ how: UInt32 = 0) {
        typealias Call = @convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer) -> Int32
        var event: [UInt32] = [1 | how, 0, 0, 0]
        _ = unsafeBitCast(dlsym(nil, "epoll_ctl"), to: Call.self)(epoll, 1, descriptor, &event)
    }

    static func wait(_ epoll: Int32) {
        typealias Call = @convention(c) (Int32, UnsafeMutableRawPointer, Int32, Int32) -> Int32
        var events = [UInt32](repeating: 0, count: 4)
        _ = unsafeBitCast(dlsym(nil, "epoll_wait"), to: Call.self)(epoll, &events, 1, -1)
    }
}

/// Waits in the kernel while a word has that value, by the C library's `syscall`.
func futexWait(_ word: UnsafeMutablePointer<Int32>, _ value: Int32) {
    typealias Call = @convention(c) (Int, UnsafeMutablePointer<Int32>, Int, Int, Int, Int, Int) -> Int
    #if arch(x86_64)
        let number = 202
    #else
        let number = 98
    #endif
    let call = unsafeBitCast(dlsym(nil, "syscall"), to: Call.self)
    _ = call(number, word, 0, Int(value), 0, 0, 0)
}
