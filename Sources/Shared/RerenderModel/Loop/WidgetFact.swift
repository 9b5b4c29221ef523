// SPDX-License-Identifier: MIT
// What is known of widgets beside their runs: who asks for frames, who is laid out for long, and what is made anew.

/// Something that a toolkit's part saw of one widget or view.
package struct WidgetFact: Hashable, Codable, Sendable {
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        /// It asked for frames without input: the innermost one with a cause of its own.
        case asker
        /// Its layout took long.
        case layout
        /// Instances of it are dropped and made anew.
        case anew = "made anew"
    }

    /// Integers only and without padding.
    package struct Numbers: Hashable, Codable, Sendable, BitwiseCopyable {
        /// Of an asker the frames that it asked for in a row of seconds with ten or more (``LoopTotals/frames``). Of a layout how many there
        /// were in ``duration``. Of what is made anew in how many turns.
        package var count: UInt64 = 0
        /// Of an asker all frames of that row. Of layouts the processor time of the frames and handlers that they were in. Of what is made
        /// anew the fewest instances in one of these turns.
        package var of: UInt64 = 0
        /// By the clock: of an asker all these frames, of layouts and making anew their sum.
        package var nanoseconds: UInt64 = 0
        /// The same in processor time.
        package var processor: UInt64 = 0
        /// The longest layout after one input, and what that input led to in all; 0 and 0 where none was of 16 ms.
        package var longest: UInt64 = 0
        package var longestOf: UInt64 = 0
        /// How long all of it took: from the first to the last.
        package var duration: UInt64 = 0
        /// In how many of the layouts nothing got another place or size.
        package var same: UInt64 = 0

        package init() {}
    }

    package var kind: Kind
    /// The widget's key.
    package var view: String
    /// Why it is not visible: `its page of GtkStack is not shown`; nil where it is visible, or where that is not known.
    package var hidden: String?
    /// Of an asker the tick callback, of others who asked: a function with its place. Nil where it is not known.
    package var writer: String?
    /// The widget that the instances which are made anew are in.
    package var parent: String?
    package var numbers = Numbers()

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
}
