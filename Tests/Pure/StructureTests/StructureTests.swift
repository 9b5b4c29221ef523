// SPDX-License-Identifier: MIT
// The checkout against the rules of its structure.

import Foundation
import TestSupport
import Testing

@Suite("The structure of the sources") struct StructureTests {
    @Test("Folders of a target depend one way", arguments: Checkout.targets.map(\.place))
    func folders(place: String) throws {
        let target = try #require(Checkout.targets.first { $0.place == place })
        expectNone(Rules.folderCycles(target))
    }

    @Test(
        "C files of a target include and call one way",
        arguments: Checkout.targets.filter { !$0.cFiles.isEmpty }.map(\.place))
    func parts(place: String) throws {
        let target = try #require(Checkout.targets.first { $0.place == place })
        expectNone(Rules.partCycles(target))
    }

    @Test("No folder is crowded") func crowds() { expectNone(Checkout.targets.flatMap(Rules.crowdedFolders)) }

    @Test("Each copy of the library calls its own C functions") func hidden() {
        expectNone(Checkout.targets.flatMap(Rules.exposedFunctions))
    }

    @Test("Paths are cut at bytes") func paths() { expectNone(Checkout.targets.flatMap(Rules.characterSlashes)) }

    @Test("A command that is shown to be copied has others' texts as words of a shell") func commands() {
        expectNone(Checkout.targets.flatMap(Rules.openCommands))
    }

    @Test("Targets import only what is below them, and apps link no package") func layers() {
        expectNone(Rules.wrongImports(Checkout.targets))
    }

    @Test("A type's name has one meaning in the package") func names() {
        expectNone(Rules.ambiguousNames(Checkout.targets))
    }

    @Test("At most 770 declarations are public") func publicSymbols() {
        let counts = Checkout.targets.map { target in
            (place: target.place, count: target.files.reduce(0) { $0 + $1.publicCount })
        }
        let sum = counts.reduce(0) { $0 + $1.count }
        #expect(sum <= 770, "\(sum): \(counts.filter { $0.count > 0 }.map { "\($0.place) \($0.count)" })")
    }

    @Test("Tests are at most 25 targets and start at most 12 programs, and benchmarks are at most 4 targets")
    func programs() throws {
        let manifest = try String(contentsOf: Checkout.url("Package.swift"), encoding: .utf8)
        let all = manifest.matches(of: #/\b(?:started|program)\(\s*"([^"]+)"(?:,\s*in: ("?\w+))?/#)
        let others = ["renderLoop", "daemon", "tool", "\"Benchmarks"]
        let names = all.filter { match in match.2.map { !others.contains(String($0)) } ?? true }.map { String($0.1) }
        #expect(names.contains("counting") && names.contains("screens"), "the manifest is read")
        #expect(names.count <= 12, "make it an argument of a program with the same dependencies: \(names)")
        let suites = manifest.matches(of: #/\btests\(\s*"([^"]+)"/#).map { String($0.1) }
        #expect(suites.contains("StructureTests") && suites.contains("EndToEndTests"), "the manifest is read")
        #expect(suites.count <= 25, "\(suites)")
        let benchmarks = manifest.matches(of: #/"([^"]+)", in: "Benchmarks"/#).map { String($0.1) }
        #expect((1...4).contains(benchmarks.count), "\(benchmarks)")
    }

    @Test("docs/architecture.md has a row for each target") func documented() throws {
        let page = try String(contentsOf: Checkout.url("docs/architecture.md"), encoding: .utf8)
        let missing = Checkout.targets.map(\.name).filter { !page.contains("| `\($0)` |") }
        #expect(missing == [], "The table of targets lacks these")
    }

    @Test("All targets are found") func complete() {
        #expect(Set(Checkout.targets.map(\.group)) == Set(Rules.groupsBelow.keys))
        #expect(Checkout.targets.contains { $0.name == "Rerender" && $0.files.count > 50 })
        // What the rules go by is found in them.
        let (files, cFiles) = (Checkout.targets.flatMap(\.files), Checkout.targets.flatMap(\.cFiles))
        #expect(files.count { !$0.types.isEmpty && !$0.imports.isEmpty && !$0.namedTypes.isEmpty } > 100)
        #expect(files.contains { $0.publicCount > 0 } && cFiles.contains { !$0.includes.isEmpty })
        #expect(cFiles.count { !$0.definitions.isEmpty } > 10)
    }

    private func expectNone(_ violations: [String]) {
        for violation in violations { Issue.record(Comment(rawValue: violation)) }
    }
}
