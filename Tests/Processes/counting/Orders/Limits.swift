// SPDX-License-Identifier: MIT
// Limits that a host sets itself, and what a host does that reaches them.

import CDispatch
import CoreFoundation
import Foundation
import Glibc

/// What a host does before its first store, or between two orders; nil for what is none of it.
func prepare(_ order: [String]) -> String? {
    switch (order.first, order.dropFirst().first, order.dropFirst(2).first.flatMap(Int.init)) {
    case ("fill", nil, _): "\(fillDescriptors())"
    case ("load", let file?, _): dlopen(file, RTLD_NOW) == nil ? "missing" : "loaded"
    case ("lock", nil, _): mlockall(CInt(MCL_FUTURE)) == 0 ? "locked" : "refused"
    case ("stacks", let kibibytes?, _): setDefaultStack(kibibytes: Int(kibibytes) ?? 0) ? "set" : "refused"
    case ("limit", let name?, let amount?): limit(name, amount) ? "limited" : "refused"
    default: nil
    }
}

/// Opens files until there is no descriptor left; how many.
private func fillDescriptors() -> Int {
    var count = 0
    while open("/dev/null", O_RDONLY) >= 0 { count += 1 }
    return count
}

@_silgen_name("pthread_setattr_default_np")
private func setDefault(_ attributes: UnsafePointer<pthread_attr_t>) -> CInt

/// Has threads that are told no other size begin with so small a stack.
private func setDefaultStack(kibibytes: Int) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, kibibytes * 1_024)
    return setDefault(&attributes) == 0
}

/// Sets a soft limit: of address space and data so many KiB above what is used, of others the number itself.
private func limit(_ name: String, _ amount: Int) -> Bool {
    let used = mappedBytes()
    switch name {
    case "as": return setLimit(RLIMIT_AS, used.all + amount * 1_024)
    case "data": return setLimit(RLIMIT_DATA, used.data + amount * 1_024)
    case "nofile": return setLimit(RLIMIT_NOFILE, amount)
    default: return false
    }
}

private func setLimit(_ kind: __rlimit_resource, _ value: Int) -> Bool {
    let resource = __rlimit_resource_t(kind.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return false }
    limit.rlim_cur = rlim_t(value)
    return setrlimit(resource, &limit) == 0
}

/// What the process has mapped, and what of that is private and may be written.
private func mappedBytes() -> (all: Int, data: Int) {
    var text = [UInt8](repeating: 0, count: 128)
    let file = open("/proc/self/statm", O_RDONLY)
    let count = read(file, &text, text.count)
    close(file)
    let pages = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ").map { Int($0) ?? 0 }
    return pages.count > 5 ? (pages[0] * sysconf(Int32(_SC_PAGESIZE)), pages[5] * sysconf(Int32(_SC_PAGESIZE))) : (0, 0)
}

/// Runs `body` on a thread with so small a stack, and waits for it; false if there is no such thread.
func onSmallStack(kibibytes: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, kibibytes * 1_024) == 0 else { return false }
    guard let thread = startThread(&attributes, body) else { return false }
    pthread_join(thread, nil)
    return true
}

/// Starts a thread; nil if there can be no more.
func startThread(
    _ attributes: UnsafePointer<pthread_attr_t>?, _ body: @escaping @Sendable () -> Void
) -> pthread_t? {
    final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let error = pthread_create(
        &thread, attributes,
        { work in
            work.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
            return nil
        }, work.toOpaque())
    if error == 0 { return thread }
    work.release()
    return nil
}
