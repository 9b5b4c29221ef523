// SPDX-License-Identifier: MIT
// What a main loop calls, one row for each function, what is known of widgets, and the names of a loop's parts in traces.

/// A function that a main loop calls, or a source without one: how often, how long, and which processor time it took.
///
/// Only of those that are beyond the bound of rows, nothing is known but that they are `other`.
package struct LoopRow: Hashable, Codable, Sendable {
    /// What calls it.
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        case timer
        case idle = "idle function"
        /// A source that waits for a descriptor.
        case descriptor
        /// Another source: with functions of its own.
        case source
        /// A handler of a signal.
        case handler
        /// A function given to `gtk_widget_add_tick_callback`.
        case tick = "tick callback"
        /// Of a main loop of CoreFoundation: a timer, a source, or a block.
        case runLoop = "run loop"
        /// All for which there was no room.
        case others
        /// A call on another thread that wakes the main loop.
        case wakeup = "wake-up"
        /// A source that no other row has, because its table of functions cannot be changed: samples of the main loop's thread tell of it.
        case sampled = "source by samples"
    }

    /// Totals since the store's epoch began. Integers only and without padding.
    package struct Numbers: Hashable, Codable, Sendable, BitwiseCopyable {
        /// Calls. Of a source by samples the samples that were in it.
        package var count: UInt64 = 0
        /// Its time by the clock, without bodies and without what it calls that has a row of its own.
        package var wall: UInt64 = 0
        package var processor: UInt64 = 0
        package var longest: UInt64 = 0
        /// Turns in which it was called. Of a source by samples all samples that were in something that the loop calls.
        package var turns: UInt64 = 0
        /// Polls that did not wait because this source said that it is due. Of a source by samples all samples while the thread ran.
        package var polls: UInt64 = 0
        /// Of a timer its interval in nanoseconds; 0 where it is not known.
        package var interval: UInt64 = 0
        /// Of a descriptor its number plus 1; 0 where it is not known.
        package var descriptor: UInt64 = 0
        /// Calls after which its descriptor was still readable, and nothing had been read.
        package var unread: UInt64 = 0
        /// Its time in turns that were micro-hangs.
        package var micro: UInt64 = 0
        /// 1 where ``processor`` is shared out by the clock, or by samples; else 0.
        package var isShared: UInt64 = 0

        package init() {}
    }

    package var kind: Kind
    /// The function without its place; where it has none of the program's, the source's name, or `a timer of Python (every 1,000 ms)`.
    package var name: String
    /// Where the function is: `cases.c:41`; nil where that is not known.
    package var place: String?
    /// Of a handler the widget and the signal, `GtkButton#go: clicked`; of a tick callback the widget; of a source with functions of its
    /// own its name, where ``name`` is a function; of a library's source what that is, where ``name`` is what it calls; of a descriptor
    /// that nothing but its end keeps ready ``closedEnd``. Nil for others.
    package var of: String?
    /// The thread whose context it is of, or that wakes the main loop; nil for the main loop.
    package var thread: String?
    package var numbers = Numbers()

    package init(_ kind: Kind, name: String, place: String? = nil, of: String? = nil, thread: String? = nil) {
        (self.kind, self.name, self.place, self.of, self.thread) = (kind, name, place, of, thread)
    }

    /// How often it was called; nil where that is not known.
    package var calls: UInt64? { kind == .sampled || of == Self.start ? nil : numbers.count }

    /// Whether there is something to tell of it in a table: later samples may have found another source.
    package var isTold: Bool { kind == .sampled ? numbers.count > 0 : of != Self.start }

    /// What the row is ``of`` that has the time before the main loop was seen to turn for the first time, where that was long.
    package static let start = "the program's start"

    /// Whether it is that row, and the time is not before what is counted.
    package var isStart: Bool { of == Self.start && numbers.count > 0 }

    /// `19 of 20 samples`, of a source by samples.
    package var samples: String { "\(Counted.grouped(numbers.count)) of \(Counted.text(numbers.turns, "sample"))" }

    /// Whether it is called for a descriptor that it does not read.
    package var isUnread: Bool {
        kind == .descriptor && numbers.count > 0
            && UInt128(numbers.unread) * 100 >= UInt128(numbers.count) * 90
    }

    /// What the row of a descriptor is ``of`` whose other end was closed.
    package static let closedEnd = "its other end was closed"

    /// Whether nothing is left to read from its descriptor, and its end alone keeps it ready.
    package var isClosed: Bool { kind == .descriptor && of == Self.closedEnd }

    /// The file of the function that it calls, where that has no name there; nil for all others.
    package var namelessFile: String? {
        // `a timer in geany (every 1,000 ms)`, or the name that the source was given.
        let text = place ?? (name.hasPrefix("a ") || name.hasPrefix("an ") ? name : "")
        guard !name.hasSuffix("()"), let range = (" " + text).firstRange(of: " in ") else { return nil }
        return String((" " + text)[range.upperBound...].prefix { $0 != " " })
    }

    /// `on_clicked() cases.c:41`, safe to print.
    package var function: String { Printable.text(place.map { "\(name) \($0)" } ?? name) }

    /// Whether it is how GTK's frame clock runs, or a callback of frames.
    package var isOfFrames: Bool { kind == .tick || isFrameClock }

    /// Whether it is GTK's frame clock itself, or what GTK calls for each frame without a name.
    var isFrameClock: Bool { name.contains("gdk_frame_clock") || name == "an idle function of GTK" }

    /// Whether it is a function of Rerender's own libraries, as the HUD's timer.
    var isOwn: Bool { place?.hasPrefix("in librerender-") == true }

    /// What it is, in words, safe to print: `the timer move_same() cases.c:16`, `the source pump (never() cases.c:22)`,
    /// `a timer of Python (Meter.__call__() meter.py:5)`.
    package var words: String {
        switch kind {
        case .others: return "other sources"
        case .handler: return of.map { "\(Printable.text($0)) → \(function)" } ?? function
        case .tick: return "the tick callback \(function)" + (of.map { " of \(Printable.text($0))" } ?? "")
        case .timer, .idle, .descriptor, .source, .runLoop, .wakeup, .sampled:
            if let of { return "\(Self.words(kind, Printable.text(of))) (\(function))" }
            return place == nil ? Self.words(kind, function) : "the \(Self.noun(kind)) \(function)"
        }
    }

    private static func noun(_ kind: Kind) -> String {
        kind == .descriptor ? "function" : kind == .sampled ? "source" : kind.rawValue
    }

    /// What has no function, or is around one. A name of several words says by itself what it is.
    private static func words(_ kind: Kind, _ name: String) -> String {
        name.contains(" ") ? name : "the \(noun(kind)) \(name)"
    }
}

extension LoopTotals {
    /// Its parts, each with the name of its property.
    package static var tracedParts: [(name: String, path: WritableKeyPath<LoopTotals, LoopPart>)] {
        [
            ("bodies", \.bodies), ("style", \.style), ("layout", \.layout), ("update", \.update),
            ("snapshot", \.snapshot), ("drawing", \.drawing), ("sources", \.sources), ("loop", \.loop),
        ]
    }

    /// Its stretches, each with the name of its property.
    package static var tracedStretches: [(name: String, path: WritableKeyPath<LoopTotals, QuietStretch>)] {
        [("frames", \.frames), ("spinning", \.spinning), ("busy", \.busy)]
    }
}

/// Cases by their places, as traces have them: 1 is the first, and 0 stands for none.
package enum TraceCode {
    package static func code<Case: CaseIterable & Equatable>(_ value: Case) -> UInt8 {
        UInt8(clamping: (Array(Case.allCases).firstIndex(of: value) ?? -1) + 1)
    }

    /// The code of a case, where one of them stands for none.
    package static func code<Case: CaseIterable & Equatable>(_ value: Case, none: Case) -> UInt8 {
        value == none ? 0 : code(value)
    }

    /// The case of a code; nil for that of none, and for one that is not known.
    package static func value<Case: CaseIterable>(_ code: UInt8) -> Case? {
        code == 0 ? nil : Array(Case.allCases).dropFirst(Int(code) - 1).first
    }
}

/// Something that a toolkit's part saw of one widget or view.
package struct WidgetFact: Hashable, Codable, Sendable {
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// It asked for frames without input: the innermost one with a cause of its own.
        case asker
        /// Its layout took long.
        case layout
        /// Instances of it are dropped and made anew.
        case anew = "made anew"
        /// Input to it, or to what is in it, took long until a frame showed what that led to.
        case interaction
    }

    /// Integers only and without padding.
    package struct Numbers: Hashable, Codable, Sendable, BitwiseCopyable {
        /// Of an asker the frames that it asked for in a row of seconds with ten or more (``LoopTotals/frames``). Of a layout how many there
        /// were in ``duration``. Of what is made anew in how many turns. Of an interaction the runs of widgets in its frame.
        package var count: UInt64 = 0
        /// Of an asker all frames of that row. Of layouts the processor time of the frames and handlers that they were in. Of what is made
        /// anew the fewest instances in one of these turns. Of an interaction the changes of drawn widgets.
        package var of: UInt64 = 0
        /// By the clock: of an asker all these frames, of layouts and making anew their sum. Of an interaction from the input until its frame was
        /// presented or, where that is not told, had ended.
        package var nanoseconds: UInt64 = 0
        /// The same in processor time.
        package var processor: UInt64 = 0
        /// The longest layout after one input, and what that input led to in all; 0 and 0 where none was of 16 ms. Of an interaction the time of
        /// all runs of the handler with most, and that of all handlers and sources.
        package var longest: UInt64 = 0
        package var longestOf: UInt64 = 0
        /// How long all of it took: from the first to the last.
        package var duration: UInt64 = 0
        /// In how many of the layouts nothing got another place or size. Of an interaction its number among those that took 200 ms to the
        /// end of their frames, from 1; 0 for a faster one.
        package var same: UInt64 = 0

        package init() {}
    }

    package var kind: Kind
    /// The widget's key.
    package var view: String
    /// Why it is not visible: `its page of GtkStack is not shown`; nil where it is visible, or where that is not known.
    package var hidden: String?
    /// Of an asker the tick callback, of an interaction the handler with most, of others who asked: a function with its place. Nil where it is not
    /// known.
    package var writer: String?
    /// The widget that the instances which are made anew are in.
    package var parent: String?
    package var numbers = Numbers()
    /// What more is known of an interaction; nil for all others.
    package var interaction: Interaction?

    package init(_ kind: Kind, view: String) { (self.kind, self.view) = (kind, view) }
}

extension WidgetFact {
    /// Whether it is of a part that GTK makes of its own widgets, and no function of the program is known to have asked.
    var isOfToolkitPart: Bool { writer == nil && Self.isToolkitPart(view) }

    /// Widgets that GTK makes for other ones; a program that makes one gives it a name, or writes to it.
    private static let partTypes: Set<String> = ["GtkRange", "GtkScrollbar", "GtkText"]

    /// Whether a key is that of a part which GTK makes of its own widgets: the node of a style sheet, such as `GtkScale/slider`, or
    /// `GtkScrollbar/GtkRange`. One that has a name is the program's.
    static func isToolkitPart(_ key: String) -> Bool {
        guard !key.utf8.contains(UInt8(ascii: "#")) else { return false }
        let type = PathName.last(of: key)
        return partTypes.contains(type) || (PathName.isPath(key) && type.first?.isLowercase == true)
    }

    /// Input that led to a frame, beside the numbers of its fact. All times are by the clock, in nanoseconds.
    package struct Interaction: Hashable, Codable, Sendable {
        package enum Input: String, Hashable, Codable, Sendable, CaseIterable {
            case press
            /// A button was let go of.
            case click
            case key
            case touch
        }

        package var input: Input
        /// When the program got it.
        package var at: Timestamp
        /// Bodies, and widgets' `snapshot` functions.
        package var evaluations: UInt64 = 0
        /// Style sheets, and the rest of the update of frames.
        package var style: UInt64 = 0
        package var layout: UInt64 = 0
        package var drawing: UInt64 = 0
        /// From the end of the frame until it was presented; 0 where no compositor has told that.
        package var presentation: UInt64 = 0

        package init(_ input: Input, at: Timestamp) { (self.input, self.at) = (input, at) }
    }
}
