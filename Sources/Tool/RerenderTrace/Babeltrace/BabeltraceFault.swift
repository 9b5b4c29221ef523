// SPDX-License-Identifier: MIT
// What libbabeltrace2 says of its last failure. Part of the fence around its C calls.

internal import CScreen

/// Proof of the unsafe parts: the error is ours from the moment it is taken until it is released, and its texts with it.
enum BabeltraceFault {
    /// The causes of this thread's last failure, the first one first; the thread then has none.
    static func takeCauses() -> [String] {
        guard let error = unsafe bt_current_thread_take_error() else { return [] }
        defer { unsafe bt_error_release(error) }
        var causes: [String] = []
        // The first three: the later ones only say who passed it on.
        for index in unsafe 0..<min(bt_error_get_cause_count(error), 3) {
            guard let cause = unsafe bt_error_borrow_cause_by_index(error, index) else { continue }
            if let text = unsafe bt_error_cause_get_message(cause) { unsafe causes.append(String(cString: text)) }
        }
        return causes
    }
}
