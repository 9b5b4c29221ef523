// SPDX-License-Identifier: MIT
// The watchdog's source of readings.

import RerenderWire

/// The main loop's part of one process's flight page. Used on the watchdog's thread only.
protocol PageSource: AnyObject {
    /// What the page says now; nil if it cannot be read, or not made sense of, this time.
    ///
    /// May be asked a thousand times a second: must not allocate when nothing changed.
    func reading() -> LoopReading?
    /// The table of the turn that runs; nil if it cannot be read.
    func shares() -> TurnShares?
    /// The long turns later than `number` that are still there, in the order of their numbers.
    func longTurns(after number: UInt64) -> [LongTurn]
    /// Tells the program whose page it is from any other that the process was or becomes.
    var origin: UInt64 { get }
    /// The process has ended, and left its page there.
    func end(_ page: OpenPage)
}
