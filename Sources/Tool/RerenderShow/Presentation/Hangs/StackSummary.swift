// SPDX-License-Identifier: MIT
// The path that all stacks of one hang share, and the frames of the app among those of the runtime and of libraries.

import RerenderModel

/// The path that all stacks of a hang share: one late stack would blame whatever ran at its moment.
///
/// It is the app's own functions, after the one of the runtime that the innermost of them called: between those and around
/// them run Swift, the loop and our probes, in every stack alike.
struct StackSummary: Sendable {
    /// How many stacks there are.
    let samples: Int
    /// The functions that are in all of them, innermost first.
    let common: [String]
    /// The function that was innermost most often where they part, and in how many; nil where they never do.
    let inner: (function: String, samples: Int)?

    /// nil without stacks.
    init?(_ stacks: [Hang.Stack]) {
        let stacks = stacks.map { StackFrameText.folded($0.frames) }.filter { !$0.isEmpty }
        guard let first = stacks.first else { return nil }
        samples = stacks.count
        // From the outside in: where the first one parts from any other.
        let outside = Array(first.reversed())
        let shared = outside.indices.prefix { depth in
            stacks.allSatisfy { $0.count > depth && $0[$0.count - 1 - depth] == outside[depth] }
        }.count
        common = Array(outside.prefix(shared).reversed())
        let parted = stacks.filter { $0.count > shared }.map { $0[$0.count - 1 - shared] }
        let counts = Dictionary(grouping: parted, by: \.self).mapValues(\.count)
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        inner = most.map { ($0.key, $0.value) }
    }
}

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
