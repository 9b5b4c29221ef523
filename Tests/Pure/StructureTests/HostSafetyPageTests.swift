// SPDX-License-Identifier: MIT
// The page of calls that could end a host, against the sources that apps link.

import Foundation
import Testing
import TestSupport

@Suite("The page of calls that could end a host") struct HostSafetyPageTests {
    /// What can trap, raise a signal, or end the process where a limit is reached.
    private static let calls: Set<String> = [
        // Swift.
        "fatalError", "precondition", "preconditionFailure", "assert", "assertionFailure", "unsafelyUnwrapped",
        "uniqueKeysWithValues",
        // Memory and files.
        "abort", "alloca", "raise", "kill", "mmap", "mremap", "memfd_create", "mlock", "posix_fallocate", "ftruncate",
        "malloc",
        "calloc",
        "realloc", "fopen", "opendir", "fdopendir",
        // Threads, signals, the end of the process.
        "pthread_create", "pthread_key_create", "pthread_cancel", "pthread_atfork", "atexit", "on_exit", "_exit",
        "sigaction", "SYS_timer_create",
        // Descriptors, and libraries that end a process which has none.
        "eventfd", "epoll_create1", "inotify_init1", "dlopen", "CFRunLoopGetMain", "g_main_context_get_poll_func",
        "dispatch_async_f", "_dispatch_get_main_queue_handle_4CF", "_dispatch_main_queue_callback_4CF",
    ]
    private static let unwrapping = "!"

    /// The folders of targets that an app links. What else is in `CShared` is called by programs of ours alone.
    private static let linked = [
        "App/CRerender", "App/Rerender", "App/RerenderTesting", "Shared/CShared/Descriptors",
        "Shared/CShared/Imports",
        "Shared/CShared/Signpost", "Shared/RerenderModel", "Shared/RerenderWire", "Shared/Signpost",
    ]

    private struct Use: Hashable {
        let file: String
        let call: String
    }

    @Test("The page names each call with its file") func complete() throws {
        let (rows, uses) = (try Self.rows(), try Self.uses())
        #expect(uses.count > 30)
        for use in uses where !rows.contains(where: { $0.contains(use.file) && $0.contains(use.call) }) {
            Issue.record("no row of docs/reference/host-safety.md has both `\(use.call)` and `\(use.file)`")
        }
    }

    @Test("Calls and unwrapping are found, and a negation, a comment or a text is none") func finding() {
        let swift = "let a = b!.c; if !d, e != f { g() as! H; fatalError(\"abort\") } // mmap"
        #expect(Self.calls(inSwift: swift) == [Self.unwrapping, "fatalError"])
        let c = "x = malloc(1); // abort\nchar c = '\"'; mmap(\"kill\");"
        #expect(Self.calls(inC: c) == ["malloc", "mmap"])
    }

    @Test("The page names no file that is not there") func current() throws {
        let files = Set(try Self.sources().map(\.lastPathComponent))
        #expect(files.count > 100)
        for name in try Self.rows().flatMap(\.self) where name.hasSuffix(".swift") || name.hasSuffix(".c") {
            #expect(files.contains(name))
        }
    }

    /// What stands in backticks in each row of the page's tables.
    private static func rows() throws -> [Set<String>] {
        let page = Checkout.root.appending(path: "docs/reference/host-safety.md")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("|") }.map {
            row in
            let parts = row.split(separator: "`", omittingEmptySubsequences: false)
            return Set(parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) })
        }
    }

    private static func sources() throws -> [URL] {
        linked.flatMap { folder -> [URL] in
            let place = Checkout.root.appending(path: "Sources/\(folder)")
            let paths = FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String } ?? []
            return paths.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }.map { place.appending(path: $0) }
        }
    }

    private static func uses() throws -> [Use] {
        try sources().flatMap { source in
            let text = try String(contentsOf: source, encoding: .utf8)
            let calls = source.pathExtension == "c" ? calls(inC: text) : calls(inSwift: text)
            return calls.sorted().map { Use(file: source.lastPathComponent, call: $0) }
        }
    }

    private static func calls(inSwift source: String) -> Set<String> {
        let tokens = SourceTokens.of(source)
        var found = calls.intersection(tokens.compactMap(\.word))
        for (index, token) in tokens.enumerated() where token == "!" && index > 0 && index + 1 < tokens.count {
            let before = tokens[index - 1], after = tokens[index + 1]
            let isForced = before == .word("as") || before == .word("try")
            let endsValue = (before.word.map { !keywords.contains($0) } ?? false) || before == ")" || before == "]"
            if isForced || endsValue && after.word == nil && !(after == "=") && !(after == "(") {
                found.insert(unwrapping)
            }
        }
        return found
    }

    /// Words before which a negation may stand with a symbol behind it.
    private static let keywords: Set<String> = ["if", "guard", "while", "return", "where", "in", "case", "else"]

    private static func calls(inC source: String) -> Set<String> {
        var found: Set<String> = []
        for line in source.split(separator: "\n") {
            let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
            // What stands between quotes is no call.
            let parts = code.replacing("'\"'", with: "").split(separator: "\"", omittingEmptySubsequences: false)
            let words = parts.enumerated().filter { $0.offset % 2 == 0 }.flatMap { part in
                part.element.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
            }
            found.formUnion(calls.intersection(words))
        }
        return found
    }
}
