// SPDX-License-Identifier: MIT
// Tells frames of the app from frames of the Swift runtime and system libraries.

import RerenderModel

/// A frame as the app wrote it: `FUNCTION MODULE/FILE:LINE`, or `FUNCTION in FILE` where no line is known.
struct StackFrameText {
    /// Swift's and our own modules, which an app may have linked into its own file.
    private static let runtimeModules: Set<String> = [
        "Rerender", "Observation", "Swift", "_Concurrency", "Synchronization", "Dispatch", "Foundation",
        "FoundationEssentials", "CoreFoundation",
    ]
    /// Beginnings of their files' names.
    private static let runtimeFiles = [
        "libc.so", "libc-", "libm.so", "libpthread", "libdl.so", "libgcc_s", "libstdc++", "ld-linux", "linux-vdso",
        "libswift", "lib_", "libFoundation", "libdispatch", "libBlocksRuntime", "libglib-2.0", "libgobject-2.0",
        "libgio-2.0",
    ]
    /// Of functions in C, where the program is linked with them.
    private static let runtimeFunctions = [
        "swift_", "_swift_", "__swift_", "_dispatch_", "dispatch_", "crerender_", "CFRunLoop", "__CFRunLoop", "__libc_",
        "_start()",
    ]

    package let text: String

    /// Whether no reader looks for the cause of a hang in it.
    var isRuntime: Bool {
        let file = text.ranges(of: " in ").last.map { text[$0.upperBound...] } ?? ""
        if Self.runtimeFiles.contains(where: file.hasPrefix) { return true }
        if Self.runtimeFunctions.contains(where: text.hasPrefix) { return true }
        let place = text.split(separator: " ").last.map { PathName.parts(of: String($0)) } ?? []
        return place.count > 1 && Self.runtimeModules.contains(place[0])
    }

    /// A stack without them, innermost first, but for the one that the app's innermost function called. A stack that has
    /// nothing else is left as it is.
    static func folded(_ frames: [String]) -> [String] {
        guard let first = frames.firstIndex(where: { !StackFrameText(text: $0).isRuntime }) else { return frames }
        let called = first > 0 ? [frames[first - 1]] : []
        return called + frames[first...].filter { !StackFrameText(text: $0).isRuntime }
    }
}
