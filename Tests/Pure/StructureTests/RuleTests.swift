// SPDX-License-Identifier: MIT
// The rules on made-up sources: each finds what breaks it, and nothing else.

import Testing

@Suite("Rules of the structure, on made-up sources") struct RuleTests {
    private func target(_ files: [String: String], group: String = "App", name: String = "Rerender") -> SourceTarget {
        SourceTarget(
            group: group, name: name,
            files: files.sorted { $0.key < $1.key }.map { SourceFile(path: $0.key, source: $0.value) })
    }

    // MARK: Reading

    @Test("Comments and literals name nothing, code inside a literal does") func tokens() {
        let source = ##"""
            // One /* Two
            /* Three /* Four */ Five */
            let a = "Six \(Seven.eight("Nine")) Ten", b = #"Eleven" \(Twelve) \#(Thirteen)"#
            let c = """
                Fourteen " Fifteen \(Sixteen)
                """
            """##
        #expect(SourceFile(path: "a.swift", source: source).namedTypes == ["Seven", "Thirteen", "Sixteen"])
    }

    @Test("Types are found with their enclosing types and their access") func types() {
        let source = """
            public struct Outer<T> { enum Inner { case some }; private final class Hidden { struct Deep {} } }
            extension Outer.Inner: Equatable { typealias Alias = Int }
            func f() { struct Local {} }
            fileprivate actor Worker {}
            protocol P: AnyObject { static func make() -> Self }
            class Q { class func make() {} }
            """
        let types = SourceFile(path: "a.swift", source: source).types
        #expect(types.filter { !$0.isPrivate }.map(\.path) == ["Outer", "Outer.Inner", "Outer.Inner.Alias", "P", "Q"])
        #expect(types.filter(\.isPrivate).map(\.path) == ["Outer.Hidden", "Outer.Hidden.Deep", "Local", "Worker"])
    }

    @Test("Imports and public declarations are counted without each other") func imports() {
        let source = """
            public import Glibc
            public struct A { public private(set) var b = 1; public(set) var c = 2 }
            public extension A { func d() {} }
            """
        let file = SourceFile(path: "a.swift", source: source)
        #expect(file.imports == ["Glibc"] && file.publicCount == 2)
    }

    // MARK: Folders

    @Test("Two folders that name each other's types are a cycle, at any depth") func cycle() {
        let violations = Rules.folderCycles(
            target([
                "A/a.swift": "struct A { let b: B }", "A/B/b.swift": "struct B { let c: C? }",
                "c.swift": "enum C { case a(A) }",
            ]))
        #expect(violations.count == 1)
        #expect(violations.first?.contains("(root), A, A/B") ?? false)
        #expect(violations.first?.contains("A → A/B: B in A/a.swift") ?? false)
    }

    // MARK: C files

    private func cTarget(_ files: [String: String]) -> SourceTarget {
        SourceTarget(
            group: "Shared", name: "C",
            cFiles: files.sorted { $0.key < $1.key }.map { CFile(path: $0.key, source: $0.value) })
    }

    @Test("C files that include each other's headers are a cycle") func includes() {
        var files = [
            "fork.c": "#include \"fork.h\"\n#include \"loader.h\"", "loader.c": "#include \"fork.h\"",
            "loader.h": "#include \"C.h\"", "fork.h": "", "include/C.h": "#include \"fork.h\"",
        ]
        #expect(Rules.partCycles(cTarget(files)).count == 1)
        files["loader.c"] = ""
        #expect(Rules.partCycles(cTarget(files)).isEmpty)
    }

    @Test("C files that call each other, also by inline functions and macros of headers, are a cycle") func calls() {
        var files = [
            "a.c": "int a(void) { return b() + 1; }",
            "b.c": "static int c(void) { return READ(); }\nint b(void) { return c(); }",
            "low/read.h": "#define READ() read_value()\nstatic inline int read_value(void) { return value; }",
            "low/value.c":
                "/* a() */ struct a *value, *const values[] = {{.a = 'a'}}; // a()\nconst char *text = \"a()\";",
        ]
        #expect(Rules.partCycles(cTarget(files)).isEmpty)
        #expect(Rules.partGraph(cTarget(files)).targets(of: "b") == ["value"])
        files["low/value.c"] = "int (*value)(void) = a;"
        let violations = Rules.partCycles(cTarget(files))
        #expect(violations.count == 1)
        #expect(violations.first?.contains("in a cycle: a, b, value\n    a → b: b in a.c") ?? false)
    }

    @Test("A root of 11 files and a folder of 21 are crowded") func crowds() {
        func files(_ count: Int, in folder: String) -> [String: String] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("\(folder)\($0).swift", "") })
        }
        #expect(Rules.crowdedFolders(target(files(10, in: "").merging(files(20, in: "A/")) { $1 })).isEmpty)
        #expect(Rules.crowdedFolders(target(files(11, in: "").merging(files(21, in: "A/")) { $1 })).count == 2)
    }

    @Test("A function in a header is hidden, or its line is told") func exposure() {
        let hidden = "#pragma GCC visibility push(hidden)\nint hidden(void);\n#pragma GCC visibility pop\n"
        let rest = "// f(\nstatic inline int left(void) { return 0; }\nvoid seen(int a,\n          int b);\n"
        #expect(CFile(path: "a.h", source: hidden + rest).exposedLines == [6])
        #expect(CFile(path: "a.c", source: rest).exposedLines.isEmpty)
    }

    // MARK: Targets and names

    @Test("An app target must not import the daemon, the tool or a package") func imports2() {
        let daemon = target(["d.swift": "import RerenderWire; import Logging"], group: "Daemon", name: "RerenderDaemon")
        let wire = target(["w.swift": "import Glibc"], group: "Shared", name: "RerenderWire")
        #expect(Rules.wrongImports([daemon, wire]).isEmpty)
        let app = target(["a.swift": "import RerenderDaemon; import RerenderWire; import Logging"])
        #expect(Rules.wrongImports([daemon, wire, app]).count == 2)
    }

    @Test("A name that two targets declare is ambiguous, unless it is nested or private") func names() {
        let app = target(["a.swift": "struct ViewRecord { enum Kind {} }; private struct Reader {}"])
        let daemon = target(["d.swift": "struct Hang { enum Kind {} }; struct Reader {}"], group: "Daemon", name: "D")
        #expect(Rules.ambiguousNames([app, daemon]).isEmpty)
        let tool = target(["t.swift": "final class ViewRecord {}"], group: "Tool", name: "T")
        #expect(Rules.ambiguousNames([app, daemon, tool]).count == 1)
    }

    @Test("A slash that is looked for by Character is found with its line, and one by bytes is none") func slashes() {
        let source = """
            let a = path.hasSuffix("/bin")
            let b = path.utf8.contains(UInt8(ascii: "/"))
            let c = path.split(separator: "/")
            """
        #expect(SourceFile(path: "A.swift", source: source).characterSlashes == [1, 3])
    }

    @Test("A command with a text that is no word of a shell is found with its line, and one that escapes is none")
    func openCommands() {
        let source = #"""
            let a = "no such program.\nTo start it, run: rerenderctl run -- \(name)"
            let b = "Next: \("rerenderctl run -- \(.path(name))" as ShellCommand), \(name)"
            let c = isThere ? "Run: rerenderctl look \(target.pid)" : "See: rerenderctl stats"
            let d = "Run: sudo -v && rerenderctl attach --sudo \(pid) \(name)"
            func next(_ key: String) -> ShellCommand? {
                "rerenderctl explain \(key)"
            }
            func last(_ key: String) -> String {
                "rerenderctl explain \(key)"
            }
            let e = "this rerenderctl reads \(version)"
            """#
        #expect(SourceFile(path: "A.swift", source: source).openCommands == [1, 4, 9])
    }
}
