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
            @testable import struct Wire.Message
            public struct A { public private(set) var b = 1; public(set) var c = 2 }
            public extension A { func d() {} }
            """
        let file = SourceFile(path: "a.swift", source: source)
        #expect(file.imports.contains("Glibc"))
        #expect(file.publicCount == 2)
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

    @Test("Folders that depend one way are none") func layers() {
        let target = target([
            "Low/a.swift": "struct A {}", "Mid/b.swift": "struct B { let a: A }",
            "c.swift": "struct C { let a: A; let b: B }",
        ])
        #expect(Rules.folderCycles(target).isEmpty)
        #expect(Rules.folderGraph(target).layers == ["Low", "Mid → Low", "(root) → Low, Mid"])
    }

    @Test("Private types, and names with two homes, lead nowhere") func noEdges() {
        let target = target([
            "A/a.swift": "struct A { let r: Reader }; private struct Reader {}", "A/k.swift": "struct K {}; enum X {}",
            "B/b.swift": "struct Reader { let a: A }", "C/k.swift": "struct K {}", "D/d.swift": "struct D { let k: K }",
        ])
        #expect(Rules.folderGraph(target).targets(of: "A") == [])
        #expect(Rules.folderGraph(target).targets(of: "B") == ["A"])
        #expect(Rules.folderGraph(target).targets(of: "D") == [])
    }

    @Test("A nested type is named with the type around it") func nested() {
        let target = target([
            "A/a.swift": "struct A { enum Kind {} }", "B/b.swift": "extension A { struct Place {} }",
            "C/c.swift": "struct C { let place: A.Place }", "D/d.swift": "struct D { let place: Place }",
        ])
        #expect(Rules.folderGraph(target).targets(of: "C") == ["A", "B"])
        #expect(Rules.folderGraph(target).targets(of: "D") == [])
    }

    @Test("C files that include each other's headers are a cycle") func includes() {
        let cyclic = [
            "fork.c": ["fork.h", "loader.h"], "loader.c": ["fork.h"], "loader.h": ["C.h"], "fork.h": [],
            "include/C.h": ["fork.h"],
        ]
        #expect(Rules.includeCycles(SourceTarget(group: "Shared", name: "C", includes: cyclic)).count == 1)
        let straight = cyclic.merging(["loader.c": []]) { $1 }
        #expect(Rules.includeCycles(SourceTarget(group: "Shared", name: "C", includes: straight)).isEmpty)
    }

    @Test("A root of 11 files and a folder of 21 are crowded") func crowds() {
        func files(_ count: Int, in folder: String) -> [String: String] {
            Dictionary(uniqueKeysWithValues: (0..<count).map { ("\(folder)\($0).swift", "") })
        }
        #expect(Rules.crowdedFolders(target(files(10, in: "").merging(files(20, in: "A/")) { $1 })).isEmpty)
        #expect(Rules.crowdedFolders(target(files(11, in: "").merging(files(21, in: "A/")) { $1 })).count == 2)
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

    // MARK: Document

    @Test("A slash that is looked for by Character is found with its line, and one by bytes is none") func slashes() {
        let source = """
            let a = path.hasSuffix("/bin")
            let b = path.utf8.contains(UInt8(ascii: "/"))
            let c = path.split(separator: "/")
            """
        #expect(SourceFile(path: "A.swift", source: source).characterSlashes == [1, 3])
    }

    @Test("The block of the document is replaced between its marks") func document() {
        let text = "# A\n\(FolderDocument.begin)\nold\n\(FolderDocument.end)\nrest"
        let replaced = FolderDocument.replacing("new", in: text)
        #expect(replaced == "# A\n\(FolderDocument.begin)\nnew\n\(FolderDocument.end)\nrest")
        #expect(FolderDocument.replacing("new", in: "no marks") == nil)
    }
}
