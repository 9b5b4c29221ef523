// SPDX-License-Identifier: MIT
// Hangs by the source or handler that they were in.

/// Hangs of a store's epoch that were in one function of a source or handler, those of a view among them.
package struct SourceHangs: Hashable, Codable, Sendable {
    /// The most that are listed; a program hangs in few functions.
    package static let most = 16

    /// The function with its place, or what the handler or source is called: `on_clicked() cases.c:44`.
    package var name: String
    /// The view that the handler is of, which counts them too; nil where it is of none.
    package var view: ViewKey?
    /// The handler or source, where ``name`` is a function: `GtkButton#go: clicked`.
    package var handler: String?
    /// What it waited in, in the longest of them: `g_dbus_connection_call_sync()`; nil where that is not known.
    package var call: String?
    package var totals = HangTotals()

    package init(name: String, view: ViewKey? = nil, handler: String? = nil, call: String? = nil) {
        (self.name, self.view, self.handler, self.call) = (name, view, handler, call)
    }

    /// The function with its file and without its line: a stack has the line that ran, and a main loop's account the function's first. Nil
    /// where several functions of a file may be called so.
    static func function(in name: String) -> Substring? {
        guard let colon = name.lastIndex(of: ":"), name[colon...].dropFirst().allSatisfy(\.isWholeNumber),
            name[..<colon].contains("() "), !name.contains("lambda"), !name.contains("closure")
        else { return nil }
        return name[..<colon]
    }
}

extension [SourceHangs] {
    /// Adds a hang, if it was in a source or handler, and there is room.
    package mutating func add(_ hang: Hang) {
        guard !hang.guess, let name = hang.source ?? (hang.handler == nil ? nil : hang.blamedName) else { return }
        let handler = hang.source == nil ? nil : hang.handler.map { Hang.name(of: hang.view, $0) ?? $0 }
        // A body that ran in a handler is the view's alone.
        guard hang.handler != nil || hang.view == nil else { return }
        let view = hang.handler == nil ? nil : hang.view
        let function = SourceHangs.function(in: name)
        var index = firstIndex { known in
            let isSame = known.name == name || (function != nil && SourceHangs.function(in: known.name) == function)
            return isSame && known.view == view
        }
        if index == nil, count < SourceHangs.most {
            append(SourceHangs(name: name, view: view, handler: handler))
            index = count - 1
        }
        guard let index else { return }
        if self[index].call == nil || hang.durationNanoseconds > self[index].totals.worstNanoseconds {
            self[index].call = hang.call ?? self[index].call
        }
        self[index].totals.add(hang)
    }
}

extension HangTotals {
    /// What is left without others that are among them. The longest is then no more than all of what is left.
    package func without(_ others: HangTotals) -> HangTotals {
        var left = self
        left.count -= min(others.count, count)
        left.totalNanoseconds -= min(others.totalNanoseconds, totalNanoseconds)
        left.starved -= min(others.starved, starved)
        left.starvedNanoseconds -= min(others.starvedNanoseconds, starvedNanoseconds)
        left.ownNanoseconds -= min(others.ownNanoseconds, ownNanoseconds)
        left.excused -= min(others.excused, excused)
        left.excusedNanoseconds -= min(others.excusedNanoseconds, excusedNanoseconds)
        left.worstNanoseconds = Swift.min(worstNanoseconds, left.totalNanoseconds)
        left.worstFaultNanoseconds = Swift.min(worstFaultNanoseconds, left.faultNanoseconds)
        return left
    }
}
