// SPDX-License-Identifier: MIT
// Finds in the stacks of a hang the function of the source or handler that ran, and what it waited in.

/// Reads stacks from the inside out.
///
/// The program's functions that lie inside of the innermost call of a handler or source are one piece: the outermost of them is that
/// handler, and the innermost of them called what waits. Where a stack ends before that call, the outermost function that is known stands for it.
package enum HangCulprit {
    /// What a hang is called in which the thread waited for the lock of Python's interpreter: the function that it was about to run, or
    /// ran, is not the cause. Behind it may stand who has the lock.
    package static let interpreterLock = "a wait for Python's lock (the GIL)"

    /// What most of so many looks say that tell of a wait for that lock; nil where fewer do.
    package static func lock(in sources: [String], of looks: Int) -> String? {
        let waits = sources.filter { $0.hasPrefix(interpreterLock) }
        guard waits.count * 2 > looks else { return nil }
        let holders = waits.map { StackFrameText(text: $0).withoutLine }
        guard let holder = mostly(holders, of: looks) else { return interpreterLock }
        return mostFrequent(waits.filter { StackFrameText(text: $0).withoutLine == holder })?.text
    }

    /// What one stack says.
    private struct Sight {
        let source: StackFrameText
        /// What the program's innermost function called; nil where that ran itself.
        let call: String?
    }

    /// The function of the source or handler with its place, and the function of a library that it called, as most of the stacks
    /// have them; nil for what they do not agree on.
    package static func find(in stacks: [Hang.Stack]) -> (source: String?, call: String?) {
        let stacks = stacks.filter { !$0.frames.isEmpty }
        let sights = stacks.compactMap { look($0.frames) }
        guard let function = mostly(sights.map(\.source.withoutLine), of: stacks.count) else { return (nil, nil) }
        let same = sights.filter { $0.source.withoutLine == function }
        let names = same.map(\.source.named)
        let call = mostly(same.compactMap(\.call), of: same.count)
        return (mostFrequent(names)?.text, call)
    }

    /// Who held the mutex that more than half of so many looks say the thread waited for: `thread db-writer[4713]`; nil where they do not agree.
    package static func holder(in activities: [Hang.Activity], of looks: Int) -> String? {
        let (wait, owner) = ("waits for a mutex that ", "thread ")
        var counts: [String: Int] = [:]
        for activity in activities where activity.text.hasPrefix(wait + owner) {
            guard let end = activity.text.firstRange(of: " holds") else { continue }
            counts[String(activity.text[..<end.lowerBound].dropFirst(wait.count)), default: 0] += Int(activity.count)
        }
        return counts.first { $0.value * 2 > looks }?.key
    }

    /// ``Hang/displayWait``, if more than half of so many looks have the display server's library on the stack, and no function of the
    /// program; else nil.
    package static func display(in stacks: [Hang.Stack], of looks: Int) -> String? {
        let waits = stacks.filter { stack in
            !hasProgram(stack) && stack.frames.contains { StackFrameText(text: $0).isDisplay }
        }
        return waits.count * 2 > looks ? Hang.displayWait : nil
    }

    /// Whether a stack has a function of the program besides the one that it begins with.
    package static func hasProgram(_ stack: Hang.Stack) -> Bool { look(stack.frames) != nil }

    private static func look(_ frames: [String]) -> Sight? {
        let frames = frames.map(StackFrameText.init(text:))
        var innermost: Int?
        var source: StackFrameText?
        for (index, frame) in frames.enumerated() {
            // A loop inside of a function, such as that of a call over D-Bus, has nothing of the program in it.
            if isBeginning(frame, before: frames[(index + 1)...]) || (frame.isLoop && source != nil) { break }
            guard frame.isProgram else { continue }
            innermost = innermost ?? index
            // One without a name is said only where none has one.
            if !frame.isNameless || source == nil || source?.isNameless == true { source = frame }
        }
        guard let source, let innermost else { return nil }
        let called = innermost > 0 ? frames[innermost - 1].function : nil
        return Sight(source: source, call: called == "unknown" ? nil : called)
    }

    /// Whether a function is the one that a program begins with, by its name and by those that are further out.
    ///
    /// A script may begin another one: the code of a module runs where a function imports it, and what a loop calls may have any name.
    private static func isBeginning(_ frame: StackFrameText, before outer: ArraySlice<StackFrameText>) -> Bool {
        guard frame.isMain else { return false }
        guard frame.isModule || frame.isScript else { return true }
        return !outer.contains { $0.isLoop || (frame.isModule && $0.isProgram && !$0.isMain && !$0.isNameless) }
    }

    /// What more than half of so many are; nil where nothing is.
    private static func mostly(_ texts: [String], of count: Int) -> String? {
        mostFrequent(texts).flatMap { $0.count * 2 > count ? $0.text : nil }
    }

    /// The first of those that are there most often.
    private static func mostFrequent(_ texts: [String]) -> (text: String, count: Int)? {
        let counts = Dictionary(grouping: texts, by: \.self).mapValues(\.count)
        guard let most = counts.values.max(), let text = texts.first(where: { counts[$0] == most }) else { return nil }
        return (text, most)
    }
}
