// SPDX-License-Identifier: MIT
// What a toolkit's part tells of the main loop, parts of its work, what it calls and frames, and what it asks of scripts.

#if RERENDER_PROBES
    import CRerender
    package import RerenderModel
    import Synchronization

    /// What a toolkit's part tells of the main loop, on the loop's thread. All but the names and the facts touches memory only.
    package enum InjectedLoop {
        private static let hasPainted = Atomic<Bool>(false)

        /// A piece of a part begins, at a time of the monotonic clock. Parts count in the order of ``LoopTotals``. Returns the part around it.
        package static func enter(part: UInt32, at now: UInt64) -> UInt32 {
            crerender_account_enter(crerender_part(rawValue: part), now).rawValue
        }

        /// The piece that began last ends.
        package static func leave(to around: UInt32, at now: UInt64) {
            crerender_account_leave(crerender_part(rawValue: around), now)
        }

        /// Writes the time by the clock of each part until now, in the order of ``LoopTotals``; nothing on another thread than the loop's.
        ///
        /// Proof of the unsafe parts: the caller has room for eight numbers.
        package static func parts(at now: UInt64, into walls: UnsafeMutablePointer<UInt64>) {
            unsafe crerender_account_parts(now, walls)
        }

        /// A time of the monotonic clock as one of the day.
        package static func time(at now: UInt64) -> Timestamp { WallClock().time(at: now) }

        /// The row of a function of the program.
        ///
        /// - Parameters:
        ///   - kind: The place of the kind in ``LoopRow/Kind``.
        ///   - owner: Whose it is.
        ///
        /// Proof of the unsafe parts: the text lives for the call, which copies it.
        package static func row(kind: Int32, function: UInt, of owner: UnsafePointer<CChar>?) -> UInt32 {
            let rowKind = crerender_row_kind(rawValue: UInt32(kind))
            // A handler's function is known to lie in a file.
            let lasting = rowKind == ROW_TICK ? crerender_lasting_function(function) : function
            return unsafe crerender_row(rowKind, lasting, owner, nil)
        }

        /// A function of a toolkit's part is called in the place of the one of that name, which stays where it is.
        ///
        /// Proof of the unsafe parts: C keeps the pointer, as it asks for.
        package static func stands(in function: UInt, for name: UnsafePointer<CChar>) {
            unsafe crerender_stands_in(function, name)
        }

        /// The function of a row ran, as the piece that ended last.
        package static func ran(row: UInt32) { crerender_row_add(row, crerender_account_piece()) }

        /// The program adds an idle function, by a call that returns to an address. On any thread.
        package static func idleAdded(returningTo caller: UInt) { crerender_idle_added(caller) }

        /// A frame has ended.
        package static func frame(isPainted: Bool, isSame: Bool, hasSlow: Bool) {
            if isPainted, !hasPainted.load(ordering: .relaxed) {
                hasPainted.store(true, ordering: .relaxed)
                crerender_account_first_frame(MonotonicClock.now)
            }
            crerender_account_frame(isPainted, isSame, hasSlow)
        }

        /// Frames of a sample were compared by their pixels, too. The numbers are those of ``QuietStretch``.
        package static func compared(_ compared: UInt64, same: UInt64, likely: UInt64, likelySame: UInt64) {
            crerender_account_compared(compared, same, likely, likelySame)
        }

        /// Has the toolkit's part asked for its facts, each at the same place as before, and has it begin anew with them. Both on any thread;
        /// not `named` on the loop's.
        package static func provideFacts(
            _ read: @escaping @Sendable (_ named: Bool) -> [WidgetFact], reset: @escaping @Sendable () -> Void
        ) {
            LoopLedger.shared.provideFacts(read)
            LoopLedger.shared.onReset(reset)
        }

        /// The function that a call returns to, with its place; nil where it is not known. Takes milliseconds for a new one, and a lock.
        package static func function(around address: UInt) -> String? {
            if address == 0 { return nil }
            let name = WriterStacks.name(of: .ofCaller(address), .caller)
            return WriterStacks.isUnknown(name) ? nil : name
        }
    }

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
