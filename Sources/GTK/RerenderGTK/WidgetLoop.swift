// SPDX-License-Identifier: MIT
// What the main loop's account learns from the C part: parts of the main thread's work, rows, and frames.

import CRerenderGTK
import Rerender

#if RERENDER_PROBES && RERENDER_GTK
    /// Callbacks that concern the main loop. On GTK's thread alone; all of them touch memory only.
    ///
    /// Proof of the unsafe parts: a row's text is the C part's, which keeps it; a place for a frame lives for the call.
    enum WidgetLoop {
        static func fill(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.row = { _, kind, function, owner in
                unsafe InjectedLoop.row(kind: kind, function: UInt(function), of: owner)
            }
            unsafe callbacks.row_ran = { _, row, _ in InjectedLoop.ran(row: row) }
            unsafe callbacks.stands_in = { _, function, name in
                if let name = unsafe name { unsafe InjectedLoop.stands(in: UInt(function), for: name) }
            }
            unsafe callbacks.script = { _, frame in
                guard let frame = unsafe frame, let script = InjectedScripts.here else { return 0 }
                unsafe frame.pointee = script.frame
                return script.place
            }
            unsafe callbacks.script_callable = { _, callback, data in
                unsafe InjectedScripts.callable(callback, data: data)
            }
            unsafe callbacks.is_passed_over = { InjectedScripts.isPassedOver(UInt($0)) }
            unsafe callbacks.handler_began = { _, function, frame, around in
                let script = InjectedScripts.handlerBegan(UInt(function), in: UInt(frame))
                if let around = unsafe around { unsafe around.pointee.words = (script.place, script.frame) }
            }
            unsafe callbacks.handler_ended = { _, around in
                guard let around = unsafe around?.pointee.words else { return }
                InjectedScripts.handlerEnded(in: (UInt(around.0), UInt(around.1)))
            }
            unsafe callbacks.part_enter = { _, part, now in InjectedLoop.enter(part: part, at: now) }
            unsafe callbacks.part_leave = { _, around, now in InjectedLoop.leave(to: around, at: now) }
            unsafe callbacks.frame_seen = { _, isPainted, isSame in
                InjectedLoop.frame(isPainted: isPainted, isSame: isSame)
            }
            unsafe callbacks.frames_compared = { _, compared, same, likely, likelySame in
                InjectedLoop.compared(compared, same: same, likely: likely, likelySame: likelySame)
            }
        }
    }
#endif
