// SPDX-License-Identifier: MIT
// What a toolkit's part asks of scripts: which function of one makes a change, and which one a binding calls.

#if RERENDER_PROBES
    import CRerender

    /// Functions of scripts, for a toolkit's part. Nothing of the interpreter's is called for long, and no code of the script runs.
    package enum InjectedScripts {
        /// The innermost function of a script that runs on this thread: its place, and where its interpreter's frame is on the stack. A load where
        /// there is no interpreter.
        package static var here: (place: UInt, frame: UInt)? {
            var found = crerender_script_frame()
            // Proof: it fills the local value.
            return unsafe crerender_script_here(&found) ? (place: found.place, frame: found.call) : nil
        }

        /// The place of the function that a binding calls for a callback with its data, or for a closure with its marshaller; 0 where it is not
        /// known.
        package static func callable(_ callback: UInt, data: UnsafeRawPointer?) -> UInt {
            unsafe crerender_script_callable(callback, data)
        }

        /// Whether an address behind a call is in a function of a language binding that is linked into the program.
        package static func isPassedOver(_ address: UInt) -> Bool { crerender_is_passed_over(address) }

        /// A handler is about to be called, with its function, in a frame of the stack; returns what ran, for the end. Says to who looks at the
        /// stack which script's function runs, where that cannot be read from there.
        package static func handlerBegan(_ function: UInt, in frame: UInt) -> (place: UInt, frame: UInt) {
            let around = javascript_handler_begins(function, frame)
            return (around.place, around.frame)
        }

        /// It has ended, in what `handlerBegan` returned.
        package static func handlerEnded(in around: (place: UInt, frame: UInt)) {
            javascript_handler_ends(javascript_handler(place: around.place, frame: around.frame))
        }
    }
#endif
