// SPDX-License-Identifier: MIT
// The lock of a script's interpreter that a thread waits for: Python's, which is called the GIL.

import CRerender
import RerenderModel

/// Who has the lock of Python's interpreter. Only the thread that has it runs functions of Python.
struct InterpreterLock {
    /// What a thread does that waits for it, in words.
    static let wait = "waits for Python's lock (the GIL)"

    /// The thread that has it; 0 where that is not known.
    let holder: Int32
    /// The function of Python that this thread runs; nil where that is not known.
    let place: ScriptPlace?
    /// How often it went to another thread.
    private let switches: UInt64

    /// Nil where a thread waits for something else.
    ///
    /// Proof: the call fills the local value. It reads all other memory by copies that the kernel makes.
    init?(_ wait: crerender_wait, of thread: Int32) {
        guard wait.call >= 0, WaitCall(wait.call) == .futex else { return nil }
        var lock = crerender_script_lock()
        let address = UInt(truncatingIfNeeded: wait.arguments.0)
        guard unsafe crerender_find_script_lock(address, thread, &lock) else { return nil }
        (holder, place, switches) = (lock.holder, ScriptPlace(lock.place), lock.switches)
    }

    /// Whether a thread that had it before has it still, without a break.
    func isSame(as earlier: InterpreterLock) -> Bool {
        holder > 0 && holder == earlier.holder && switches == earlier.switches
    }

    /// What the hang of a thread is called that waits for it.
    var name: String {
        place.map { "\(HangCulprit.interpreterLock) held by \($0.text)" } ?? HangCulprit.interpreterLock
    }

    /// Functions of Python that wait for nothing else.
    private static let calls = [
        "take_gil", "PyEval_RestoreThread", "PyEval_AcquireThread", "PyEval_AcquireLock", "PyGILState_Ensure",
    ]

    /// Whether the innermost functions of a thread say so, of a Python whose lock is not known. They are named as in `WaitText`.
    static func isAwaited(by functions: [String]) -> Bool {
        let callers = functions.drop { $0.contains(" in libc.so") }
        guard callers.count < functions.count else { return false }
        let python = callers.prefix(4).prefix { $0.contains(" in python3") || $0.contains(" in libpython3") }
        return python.contains { function in calls.contains { function.hasPrefix("\($0) in ") } }
    }
}

// A wait for another program over D-Bus, by the functions of the libraries that make such calls.

/// Tells a wait for D-Bus by its thread's stack: the descriptors that such a call waits for are those of a thread of GIO's.
enum MessageBusWait {
    /// Functions that send a message and wait for the answer.
    private static let calls: Set<String> = [
        "g_dbus_connection_call_sync", "g_dbus_connection_call_with_unix_fd_list_sync",
        "g_dbus_connection_send_message_with_reply_sync", "g_dbus_proxy_call_sync",
        "g_dbus_proxy_call_with_unix_fd_list_sync", "g_dbus_proxy_new_sync", "g_dbus_proxy_new_for_bus_sync",
        "dbus_connection_send_with_reply_and_block", "dbus_pending_call_block", "sd_bus_call", "sd_bus_call_method",
    ]
    /// Functions that connect to a bus.
    private static let connections: Set<String> = [
        "g_bus_get_sync", "g_dbus_connection_new_sync", "g_dbus_connection_new_for_address_sync", "dbus_bus_get",
        "dbus_bus_get_private", "dbus_connection_open", "sd_bus_open_user", "sd_bus_open_system",
    ]
    /// Libraries between the wait and such a function. Another one's function waits for something of its own.
    private static let libraries = [
        "libc.so", "libglib-2.0", "libgio-2.0", "libgobject-2.0", "libdbus-1", "libsystemd", "librerender-",
    ]

    /// What is waited for, in words; nil where it is not D-Bus.
    ///
    /// - Parameters:
    ///   - functions: Innermost first, each `NAME in FILE`.
    ///   - peer: Whom the call is for; nil where that is not known.
    static func text(_ call: WaitCall, _ functions: [String], peer: String? = nil) -> String? {
        switch call {
        case .poll, .select, .epoll, .futex, .read, .connect: break
        default: return nil
        }
        var text: String?
        for function in functions {
            let parts = function.split(separator: " ")
            guard let file = parts.last, libraries.contains(where: file.hasPrefix) else { break }
            guard parts.count == 3 else { continue }
            // A lock of these libraries has a holder.
            if parts[0].contains("mutex_lock") { return nil }
            // A call may connect first.
            let name = String(parts[0])
            if calls.contains(name) { text = text ?? "waits for an answer over D-Bus" + from(peer) }
            if connections.contains(name) { text = "waits for a connection to D-Bus" }
        }
        return text
    }

    private static func from(_ peer: String?) -> String {
        peer.map { " from \(ProcText.quoted($0))" } ?? "; from whom is not known"
    }

    /// Whom the call is for that a thread is in, if its stack has the address that the call returns to; nil where that is not known.
    ///
    /// Proof of the unsafe parts: the call gets room and its size, and ends with a zero what it writes there.
    static func peer(of thread: Int32, on addresses: [UInt]) -> String? {
        var caller: UInt = 0
        let name = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer -> String? in
            guard let start = buffer.baseAddress,
                unsafe crerender_bus_peer(thread, start, buffer.count, &caller)
            else { return nil }
            return unsafe String(cString: start)
        }
        return addresses.contains(caller) ? name : nil
    }
}
