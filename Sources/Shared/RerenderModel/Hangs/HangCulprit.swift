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

// Tells frames of the program from frames of runtimes, toolkits, bindings and system libraries.

/// A frame as the app wrote it: `FUNCTION MODULE/FILE:LINE`, or `FUNCTION in FILE` where no line is known.
package struct StackFrameText {
    /// Swift's and our own modules, which an app may have linked into its own file.
    private static let runtimeModules: Set<String> = [
        "Rerender", "Observation", "Swift", "_Concurrency", "Synchronization", "Dispatch", "Foundation",
        "FoundationEssentials", "CoreFoundation",
    ]
    /// Beginnings of their files' names.
    private static let runtimeFiles = [
        "libc.so", "libc-", "libm.so", "libpthread", "libdl.so", "libgcc_s", "libstdc++", "ld-linux", "linux-vdso",
        "libswift", "lib_", "libFoundation", "libdispatch", "libBlocksRuntime", "libglib-2.0", "libgobject-2.0",
        "libgio-2.0", "libgmodule-2.0", "librerender",
    ]
    /// Of toolkits, bindings and interpreters: what they call is the program's, and they are not.
    private static let toolkitFiles = [
        "libgtk-", "libgdk-", "libgsk-", "libadwaita-", "libgdk_pixbuf", "libpango", "libcairo", "libharfbuzz",
        "libgraphene", "libffi.", "libgirepository", "_gi.", "libpython", "python", "libgjs", "gjs", "libmozjs",
        "libdbus-1", "libsystemd", "libX11", "libxcb", "libwayland", "libGL", "libEGL", "libvulkan",
    ]
    /// What Swift's compiler makes beside functions: the function itself is the frame inside of it.
    private static let thunks = [
        "thunk for ", "reabstraction thunk", "partial apply", "dispatch thunk", "vtable thunk", "protocol witness for ",
    ]
    /// Of functions in C, where the program is linked with them.
    private static let runtimeFunctions = [
        "swift_", "_swift_", "__swift_", "_dispatch_", "dispatch_", "crerender_", "CFRunLoop", "__CFRunLoop", "__libc_",
        "_start()",
    ]
    /// What calls handlers and functions of sources.
    private static let loopFunctions = [
        "g_main_context_", "g_main_loop_run()", "g_main_dispatch()", "g_timeout_dispatch()", "g_idle_dispatch()",
        "g_closure_invoke()", "_g_closure_invoke", "g_signal_emit", "g_application_run()", "gtk_main()", "CFRunLoop",
        "__CFRunLoop", "__CFRUNLOOP", "RunLoop.", "_dispatch_client_callout", "_dispatch_main_queue", "swift_job_run",
    ]

    /// Whether a file is of a runtime, a toolkit, a binding or the system: where debug information of it is installed, its functions have places,
    /// and are no functions of the program for that.
    package static func isSystem(file: String) -> Bool {
        runtimeFiles.contains(where: file.hasPrefix) || toolkitFiles.contains(where: file.hasPrefix)
    }

    /// Where an interpreter ran functions of a script that the stack does not have.
    private static let interpreter = "the interpreter (functions of its script are not known)"

    /// What a stack has in the place of a file's functions; nil where it has these. Ours are no cause of anything, and an interpreter's say
    /// nothing of what it ran.
    package static func standIn(forFile file: String) -> [String]? {
        if file.hasPrefix("librerender-") { return [] }
        let isLibrary = ["libpython3.", "libgjs.", "libmozjs-"].contains(where: file.hasPrefix)
        return isLibrary || ScriptName.isInterpreter(file) ? ["\(interpreter) in \(file)"] : nil
    }

    /// Whether a frame stands for the functions of an interpreter. A stack has one of these.
    package static func isStandIn(_ text: String) -> Bool { text.hasPrefix(interpreter) }

    /// The frame, as the app wrote it.
    package let text: String

    /// Takes a frame as the app wrote it.
    package init(text: String) { self.text = text }

    /// The file behind ` in `; empty where the frame has a place in the source. Names of closures have that word, too.
    private var file: Substring {
        guard let last = text.ranges(of: " in ").last else { return "" }
        let file = text[last.upperBound...]
        return file.utf8.contains(UInt8(ascii: " ")) ? "" : file
    }

    /// The place in the source, with its line; empty where it has none.
    private var place: Substring {
        guard file.isEmpty, let space = text.lastIndex(of: " ") else { return "" }
        return text[text.index(after: space)...]
    }

    /// The function without its place: `on_clicked()`.
    package var function: String {
        let suffix = file.isEmpty ? place.utf8.count + 1 : file.utf8.count + " in ".utf8.count
        guard !(file.isEmpty && place.isEmpty), suffix < text.utf8.count else { return text }
        // Swift's compiler joins functions with the same code, and says so.
        return String(decoding: text.utf8.dropLast(suffix), as: UTF8.self).replacing(" (merged)", with: "")
    }

    /// Whether no reader looks for the cause of a hang in it.
    package var isRuntime: Bool {
        if isScript { return false }
        if Self.runtimeFiles.contains(where: file.hasPrefix) { return true }
        if Self.runtimeFunctions.contains(where: text.hasPrefix) { return true }
        if Self.thunks.contains(where: text.hasPrefix) { return true }
        let parts = text.split(separator: " ").last.map { PathName.parts(of: String($0)) } ?? []
        return parts.count > 1 && Self.runtimeModules.contains(parts[0])
    }

    /// Whether it is of a toolkit, a binding or an interpreter: apps write such a frame with its file, whatever else they know of it.
    private var isToolkit: Bool { Self.toolkitFiles.contains(where: file.hasPrefix) }

    /// Whether it is of a library that speaks with the X server or the compositor.
    var isDisplay: Bool { ["libX11", "libxcb", "libwayland-client"].contains(where: file.hasPrefix) }

    /// Whether it is of a script, whose functions may have any names. Those of JavaScript have none: then the frame is the place.
    var isScript: Bool {
        let source = (place.isEmpty ? text[...] : place).prefix { $0 != ":" }
        return source.hasSuffix(".py") || source.hasSuffix(".js")
    }

    /// Whether it calls handlers or functions of sources: what is further out only waits for its end.
    var isLoop: Bool { !isScript && Self.loopFunctions.contains(where: text.hasPrefix) }

    /// Whether it is called as the function that a program begins with. A method of a script may be called `main` for any reason.
    package var isMain: Bool {
        let function = function
        let isSwift = function.hasSuffix(".main()") && !isScript
        return function == "main" || function == "main()" || isSwift || isModule
    }

    /// Whether it is the code of a module of Python: that of the program's own script, or of one that is imported.
    var isModule: Bool { function == "<module>" }

    /// Whether it is a function of the program or of a library of its kind, with a name or without one.
    package var isProgram: Bool { text != "unknown" && !isRuntime && !isToolkit && !isLoop }

    /// What a program's frame without a name says: the file has no symbols.
    package var isNameless: Bool { function == "unknown" }

    /// The file of a program's function that has no name there; nil for all others.
    package var namelessFile: String? { isNameless && isProgram && !file.isEmpty ? String(file) : nil }

    /// `on_clicked() cases.c:44`; of a function without a name, whose it is.
    var named: String { isNameless ? "a function of \(file) (no symbols)" : text }

    /// The same without the line.
    var withoutLine: String {
        guard !place.isEmpty, let colon = text.lastIndex(of: ":") else { return text }
        return String(text[..<colon])
    }

    /// A stack without them, innermost first, but for the one that the app's innermost function called. A stack that has
    /// nothing else is left as it is.
    package static func folded(_ frames: [String]) -> [String] {
        guard let first = frames.firstIndex(where: { !StackFrameText(text: $0).isRuntime }) else { return frames }
        let called = first > 0 ? [frames[first - 1]] : []
        return called + frames[first...].filter { !StackFrameText(text: $0).isRuntime }
    }
}

// The shares of a hang as one text of a trace event, and read from it.

/// Where the time of a hang went, in one text: `REST;`, and for each share `NANOSECONDS/PHASE/STORE/BYTES/BYTES:HANDLERVIEW;`.
///
/// The rest is outside of all shares, or `-` where the shares are not known. A phase is its place in `HangPhase.allCases`, from 1, or 0. A
/// store is its number, or `-`. The bytes are those of the two names, which may have anything in them.
package enum HangShareText {
    /// The longest text: a reader of traces keeps 2,048 bytes.
    package static let mostBytes = 2_000
    /// The most shares that a daemon lists, the other views among them.
    package static let mostShares = 9

    /// The text of a hang's shares; empty where it would be too long.
    package static func text(of hang: Hang) -> String {
        var text = (hang.unattributedNanoseconds.map { String($0) } ?? "-") + ";"
        for share in hang.shares {
            let phase = share.phase.flatMap(HangPhase.allCases.firstIndex).map { $0 + 1 } ?? 0
            let store = share.store.map { String($0.number) } ?? "-"
            let (handler, view) = (share.handler ?? "", share.view.rawValue)
            text += "\(share.nanoseconds)/\(phase)/\(store)/\(handler.utf8.count)/\(view.utf8.count):\(handler)\(view);"
        }
        return text.utf8.count <= mostBytes ? text : ""
    }

    /// The shares of a text, and what is outside of them; nil where the shares are not known, and for any other text.
    ///
    /// - Parameters:
    ///   - duration: That of the hang: the shares cannot be more.
    ///   - store: Finds a store by its number.
    package static func shares(
        in text: String, of duration: UInt64, store: (UInt32) -> Hang.Store?
    ) -> (shares: [Hang.Share], unattributed: UInt64)? {
        var rest = Array(text.utf8)[...]
        guard let unattributed = number(&rest, before: ";") else { return nil }
        var (shares, sum) = ([Hang.Share](), unattributed)
        while !rest.isEmpty {
            guard shares.count < mostShares, let share = share(&rest, store) else { return nil }
            sum = sum.clampedSum(share.nanoseconds)
            shares.append(share)
        }
        return sum <= duration ? (shares, unattributed) : nil
    }

    private static func share(_ rest: inout ArraySlice<UInt8>, _ store: (UInt32) -> Hang.Store?) -> Hang.Share? {
        guard let nanoseconds = number(&rest, before: "/"), let phase = number(&rest, before: "/"),
            let place = word(&rest, before: "/"), let handlerBytes = number(&rest, before: "/"),
            let viewBytes = number(&rest, before: ":"), let handler = name(&rest, handlerBytes),
            let view = name(&rest, viewBytes), word(&rest, before: ";") == "", phase <= HangPhase.allCases.count
        else { return nil }
        return Hang.Share(
            view: ViewKey(rawValue: view), handler: handler.isEmpty ? nil : handler,
            phase: phase == 0 ? nil : HangPhase.allCases[Int(phase) - 1], store: UInt32(place).flatMap(store),
            nanoseconds: nanoseconds)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, before end: Unicode.Scalar) -> UInt64? {
        word(&rest, before: end).flatMap { UInt64($0) }
    }

    /// Takes what is before a sign, and the sign.
    private static func word(_ rest: inout ArraySlice<UInt8>, before end: Unicode.Scalar) -> String? {
        guard let place = rest.firstIndex(of: UInt8(ascii: end)) else { return nil }
        defer { rest = rest[(place + 1)...] }
        return String(decoding: rest[..<place], as: UTF8.self)
    }

    private static func name(_ rest: inout ArraySlice<UInt8>, _ bytes: UInt64) -> String? {
        guard bytes <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(bytes)) }
        return String(decoding: rest.prefix(Int(bytes)), as: UTF8.self)
    }
}
