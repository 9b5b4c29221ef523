// SPDX-License-Identifier: MIT
// Waits for D-Bus, told by the functions on a stack.

import Testing

@testable import Rerender

@Suite("Waits for D-Bus")
struct MessageBusWaitTests {
    private static let answer = "waits for an answer over D-Bus; from whom is not known"

    @Test("is a wait of GIO's, libdbus' or systemd's function, whatever that waits in")
    func calls() {
        let gio = [
            "__poll in libc.so.6", " in libglib-2.0.so.0", "g_main_loop_run in libglib-2.0.so.0",
            "g_dbus_connection_send_message_with_reply_sync in libgio-2.0.so.0", " in libgio-2.0.so.0",
            "g_dbus_connection_call_sync in libgio-2.0.so.0", "on_clicked in cases",
        ]
        #expect(MessageBusWait.text(.poll, gio) == Self.answer)
        #expect(
            MessageBusWait.text(.poll, gio, peer: "org.slow.Service")
                == "waits for an answer over D-Bus from org.slow.Service")
        #expect(MessageBusWait.text(.futex, Array(gio.dropFirst(3))) == Self.answer)
        #expect(MessageBusWait.text(.sleep, gio) == nil, "no call sleeps for a given time")
        let libdbus = [
            "__poll in libc.so.6", "dbus_connection_send_with_reply_and_block in libdbus-1.so.3", "f in app",
        ]
        #expect(MessageBusWait.text(.poll, libdbus) == Self.answer)
        #expect(MessageBusWait.text(.poll, ["ppoll in libc.so.6", "sd_bus_call in libsystemd.so.0"]) == Self.answer)
    }

    @Test("is none where a function of the program waits, called from such a call or calling it later")
    func others() {
        let callback = [
            "read in libc.so.6", "on_signal in cases", "g_main_loop_run in libglib-2.0.so.0",
            "g_dbus_connection_call_sync in libgio-2.0.so.0",
        ]
        #expect(MessageBusWait.text(.read, callback) == nil)
        #expect(MessageBusWait.text(.poll, ["__poll in libc.so.6", "g_main_loop_run in libglib-2.0.so.0"]) == nil)
        #expect(MessageBusWait.text(.poll, []) == nil)
        let lock = ["__pthread_mutex_lock in libc.so.6", "g_dbus_connection_call_sync in libgio-2.0.so.0"]
        #expect(MessageBusWait.text(.futex, lock) == nil)
    }

    @Test("is told apart where it is for the bus itself")
    func connections() {
        let stack = [
            "__poll in libc.so.6", "g_dbus_connection_call_sync in libgio-2.0.so.0",
            "g_bus_get_sync in libgio-2.0.so.0",
        ]
        #expect(MessageBusWait.text(.poll, stack) == "waits for a connection to D-Bus")
    }
}
