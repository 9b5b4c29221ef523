// SPDX-License-Identifier: MIT
// Where the main loop's part of a flight page has what.

package import RerenderModel

/// The layout of the main loop's part of a flight page, behind the stores' part; integers as there.
///
///     offset  bytes  field, offsets from the beginning of this part
///          0      4  which monitor tells the turns: 0 none, 1 GLib, 2 CFRunLoop, 3 ping
///          4      4  the loop's thread, as the app sees it; 0 before a monitor fired
///          8      4  the shortest threshold of a hang, in milliseconds
///         12      4  the shortest threshold of a micro-hang
///         16      8  since when a pinged loop is known to be busy: a ping is unanswered, or a body runs
///         24      8  when it was known to be free, or answered a ping, last; it is busy while this is earlier
///         32      8  the turn during which the loop was seen to be left
///         40      8  when that was
///         48      8  check of these two
///         56      8  how many long turns there were
///         64   2×80  two slots that are written in turn
///        224      8  of a pinged loop: when the turn of 232 began at the earliest
///        232      8  the value of 16 that this belongs to
///        240      8  check of these two
///        248      4  how often a thread worked for as long as a hang on what may have been the main queue, and nobody looked
///        252      4  the same with all bits inverted
///        256      8  nanoseconds of the views that are not in the turn's table, and of bodies that no view had room for
///        264      8  when the last slice among them ended
///        272      8  check of these two and of the turn's number
///        280      8  unused
///        288     32  unused
///        320  64×40  the turn's table
///       2880  64×56  keys of the views in the table
///       6464 16×768  the last long turns; number n is at n - 1 modulo 16
///
/// A slot, of which the valid one with the higher sequence holds:
///
///          0      8  sequence, from 1
///          8      8  the turn's number, from 1; of the latest one between two
///         16      8  when it began; 0 while the loop waits
///         24      8  the view that runs: its store's number × 2^32 + its own; all bits set for none, all but the lowest for a
///                    body that no view had room for
///         32      4  its epoch
///         36      4  the last view's epoch
///         40      8  since when it runs
///         48      8  the view evaluated last; all bits set for none
///         56      8  when that evaluation ended
///         64      8  evaluations of the turn
///         72      8  check of all of these
///
/// An entry of the table, which belongs to a turn if its check says so. The table has the views with most time, and the one
/// that runs:
///
///          0      8  view
///          8      8  its epoch
///         16      8  nanoseconds of its own in the turn
///         24      8  when the last slice among them ended
///         32      8  check of all of these and of the turn's number
///
/// A key, which stays when the turn ends:
///
///          0     48  the beginning of the view's key in UTF-8, padded with zeros
///         48      8  check of that and of the view
///
/// A long turn:
///
///          0      8  number, from 1
///          8      8  the turn's number
///         16      8  when it began
///         24      8  when it ended
///         32      8  the view whose body ran when the threshold of a hang was crossed; all bits set for none
///         40      4  its epoch
///         44      4  the last view's epoch
///         48      8  the view evaluated last
///         56      8  nanoseconds of views beyond the shares
///         64      4  how many shares there are
///         68      4  1 if times of bodies that ran after the turn are among them, because its end was seen late, plus 2 if its
///                    loop was left at a moment that is not known, plus 4 for each microsecond that the source or handler
///                    with most took of it
///         72   8×24  shares, most first: view, epoch (8 bytes), nanoseconds
///        264  10×48  keys: of the view above, of the last view, of the shares
///        744      8  check of all of these
///        752      8  how much earlier the turn may have begun, in nanoseconds, or where its loop was left, how much later it may
///                    have ended; 0 where its beginning and end were seen
///        760      8  check of that and of the number
///
/// The three highest bits of a view's own number say which of its phases it is (``phases``), so that a view has an entry for each.
/// An event handler stands in the place of a view. Its key is that of its view, the character U+001F and its name, or the name
/// alone (``HandlerName``).
///
/// Only the loop's thread writes what concerns turns. A check (``PageCheck``) is written after what it covers, so what a
/// writer left half done, or a reader got half old and half new, does not fit its check. A slice of time is in the table
/// before the slot that begins the next slice: see ``TurnShares/until``.
@usableFromInline
package enum LoopLayout: Sendable {
    // Not stored: a stored constant of another module costs a call, and these are read several times in each evaluation.

    /// The size of the whole part.
    @inlinable package static var byteCount: Int { 18_752 }
    /// The part that a watchdog reads all the time.
    @inlinable package static var headBytes: Int { 288 }

    @inlinable package static var monitorOffset: Int { 0 }
    @inlinable package static var threadOffset: Int { 4 }
    @inlinable package static var hangThresholdOffset: Int { 8 }
    @inlinable package static var microHangThresholdOffset: Int { 12 }
    @inlinable package static var pingSentOffset: Int { 16 }
    @inlinable package static var pingAnsweredOffset: Int { 24 }
    @inlinable package static var leftTurnOffset: Int { 32 }
    @inlinable package static var leftAtOffset: Int { 40 }
    @inlinable package static var leftCheckOffset: Int { 48 }
    @inlinable package static var longTurnsOffset: Int { 56 }
    @inlinable package static var notBeforeOffset: Int { 224 }
    @inlinable package static var notBeforeCheckOffset: Int { 240 }
    @inlinable package static var unseenOffset: Int { 248 }
    @inlinable package static var slotsOffset: Int { 64 }
    @inlinable package static var slotBytes: Int { 80 }

    @inlinable package static var othersOffset: Int { 256 }
    @inlinable package static var entries: Int { 64 }
    @inlinable package static var entriesOffset: Int { 320 }
    @inlinable package static var entryBytes: Int { 40 }
    @inlinable package static var keysOffset: Int { 2_880 }
    @inlinable package static var keyRecordBytes: Int { 56 }
    /// What is kept of a key: the daemon has the whole, and people have read enough.
    @inlinable package static var keyBytes: Int { 48 }

    /// Hangs are rare, and the watchdog comes by a hundred times a second.
    @inlinable package static var longTurns: Int { 16 }
    @inlinable package static var longTurnsStart: Int { 6_464 }
    @inlinable package static var longTurnBytes: Int { 768 }
    @inlinable package static var longTurnSharesOffset: Int { 72 }
    @inlinable package static var longTurnShareBytes: Int { 24 }
    @inlinable package static var longTurnKeysOffset: Int { 264 }
    @inlinable package static var longTurnCheckOffset: Int { 744 }
    @inlinable package static var longTurnSlackOffset: Int { 752 }
    @inlinable package static var longTurnSlackCheckOffset: Int { 760 }

    /// The most microseconds of a source that a long turn's record has room for: 17 minutes.
    @inlinable package static var mostInSource: UInt64 { 1 << 30 - 1 }

    /// In the place of a view: there is none.
    @inlinable package static var noView: UInt64 { .max }
    /// In the place of a view: a body runs that no view had room for.
    @inlinable package static var unlistedView: UInt64 { .max - 1 }

    /// The phases by the number that stands for them on a page.
    package static let phases: [HangPhase] = [.body, .layout, .snapshot, .drawing, .handler, .firstDrawing]
    /// Where a phase is in a view's own number. No view has so high a number.
    private static let phaseShift: UInt32 = 29

    /// How a page names a view in a phase, or an event handler.
    package static func word(storeID: UInt32, index: UInt32, phase: HangPhase) -> UInt64 {
        let code = UInt32(phases.firstIndex(of: phase) ?? 0)
        return UInt64(storeID) << 32 | UInt64(code << phaseShift | index)
    }

    /// What the word of a page names; nil for what no app writes.
    package static func named(_ word: UInt64) -> (storeID: UInt32, index: UInt32, phase: HangPhase)? {
        let number = UInt32(truncatingIfNeeded: word)
        let code = Int(number >> phaseShift)
        guard code < phases.count else { return nil }
        return (UInt32(truncatingIfNeeded: word >> 32), number & (1 << phaseShift - 1), phases[code])
    }

    /// The monitors by the number that stands for them, on a page and in messages.
    package static let monitors: [MainLoopKind] = [.none, .glib, .cfrunloop, .ping]
    package static func code(of monitor: MainLoopKind) -> UInt32 { UInt32(monitors.firstIndex(of: monitor) ?? 0) }
    /// The numbers of GLib's loop and of a pinged one; the app asks for them often.
    @inlinable package static var glib: UInt32 { 1 }
    @inlinable package static var pinged: UInt32 { 3 }
}

/// The sum that tells whether words of a page belong together.
///
/// Each word counts with an odd factor of its own, so that any single wrong word gives another sum, and several wrong
/// ones give the same sum once in 2^64. It is no protection against somebody who wants a sum to fit.
@usableFromInline
package struct PageCheck: Sendable {
    @usableFromInline var sum: UInt64 = 0x5265_7265_6E64_6572
    @usableFromInline var factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    @inlinable
    @inline(__always)
    package init() {}

    @inlinable
    @inline(__always)
    package mutating func add(_ word: UInt64) {
        sum &+= word &* factor
        factor &+= 0x7F4A_7C15_9E37_79B8
    }

    @inlinable
    @inline(__always)
    package var value: UInt64 { sum }
}

// The names of event handlers, whole and as a flight page has them.

/// An event handler by its name, and the view that it is of.
package struct HandlerName: Hashable, Sendable {
    /// The view's key; nil where the handler is of no view.
    package let view: String?
    package let name: String

    package init(view: String?, name: String) {
        (self.view, self.name) = (view, name)
    }

    /// Stands for the handlers that a store had no room for.
    package static let others = HandlerName(view: nil, name: "other handlers")

    /// `Toolbar: click on Save`.
    package var text: String { view.map { "\($0): \(name)" } ?? name }

    /// What stands between the two on a page: no name has it there.
    private static let separator: Character = "\u{1F}"
    private static let ellipsis = "…"

    /// The name as a page has it: at most ``LoopLayout/keyBytes`` bytes; a part that is cut says so.
    package var pageText: String {
        let view = view.map { $0.map { $0 == Self.separator ? " " : String($0) }.joined() }
        guard let view else { return Self.cut(name, to: LoopLayout.keyBytes) }
        let room = LoopLayout.keyBytes - 1
        // The name comes first where both are long: it says more of the hang than the view.
        let least = room / 2
        let forView = max(least, room - name.utf8.count)
        let shown = Self.cut(view, to: forView)
        return shown + String(Self.separator) + Self.cut(name, to: room - shown.utf8.count)
    }

    /// The name as a page says it; nil where it says none.
    package init?(pageText: String) {
        guard !pageText.isEmpty else { return nil }
        let parts = pageText.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        self.init(view: parts.count == 2 ? String(parts[0]) : nil, name: String(parts[parts.count - 1]))
    }

    /// Whether a part of it was cut for the page.
    package var isCut: Bool { name.hasSuffix(Self.ellipsis) || view?.hasSuffix(Self.ellipsis) == true }

    private static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        return text.prefix(utf8Bytes: limit - ellipsis.utf8.count) + ellipsis
    }
}
