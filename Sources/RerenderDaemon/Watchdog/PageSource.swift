// SPDX-License-Identifier: MIT
// Where the watchdog gets its readings from.

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
    /// Which file it is; another one is another program's.
    var file: FileIdentity { get }
}
