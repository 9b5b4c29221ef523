// SPDX-License-Identifier: MIT
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
