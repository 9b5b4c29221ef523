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
