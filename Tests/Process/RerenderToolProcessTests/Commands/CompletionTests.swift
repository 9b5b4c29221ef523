// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("A shell's Tab inserts names of others as they are, and runs none")
struct CompletionTests {
    /// Which names are offered behind these words.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case keys = "explain"
        case processes = "stats --process"
        case stores = "reset --store"
        var testDescription: String { rawValue }
    }

    struct Shell: CustomTestStringConvertible {
        let path: String
        /// Its arguments without the user's settings, and the file that it has its completions in.
        let arguments: [String]
        let file: String
        /// What loads the file, and keeps the words of each command in a file in place of running it.
        let start: String
        var name: String { URL(fileURLWithPath: path).lastPathComponent }
        var testDescription: String { path }

        static let all = [bash, zsh, fish].filter { access($0.path, X_OK) == 0 }
        static let bash = Shell(
            path: "/bin/bash", arguments: ["--norc", "--noprofile", "-i"], file: "rerenderctl",
            start: "bind 'set enable-bracketed-paste off'; . ./rerenderctl; \(posix)")
        static let zsh = Shell(
            path: "/usr/bin/zsh", arguments: ["-f", "-i"], file: "_rerenderctl",
            start: "unsetopt zle_bracketed_paste; fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; \(posix)")
        static let fish = Shell(
            path: "/usr/bin/fish", arguments: ["--no-config", "-i"], file: "rerenderctl.fish",
            start: """
                source ./rerenderctl.fish; set -g n 0; function rerenderctl; \
                if test "$argv[1]" = ---completion; command rerenderctl $argv; \
                else; printf '%s\\0' $argv > words.$n; printf 'ran %s.\\n' $n; set -g n (math $n + 1); end; end
                """)

        private static let posix = """
            n=0; rerenderctl() { if [ "$1" = ---completion ]; then command rerenderctl "$@"; \
            else printf '%s\\0' "$@" > words.$n; printf 'ran %s.\\n' $n; n=$((n+1)); fi; }
            """
    }

    /// A directory with a shell's script, and a daemon that knows hostile names.
    private final class Stage: Sendable {
        let bench: Bench
        let server: CannedServer

        init(_ shell: Shell, names: [String]) async throws {
            bench = try Bench()
            let stores = names.enumerated().map { number, name in
                Sample.store(
                    name, pid: Int32(number + 1), store: name, views: [Sample.view(ViewKey(rawValue: name), count: 1)])
            }
            let body = Array(try Sample.export(stores).json())
            let list = Array(try JSONEncoder().encode(ProcessList(processes: stores)))
            server = try CannedServer(bench.querySocket) { CannedServer.answer($0.contains("processes") ? list : body) }
            let script = try Spawned([Program.rerenderctl, "--generate-completion-script", shell.name])
            script.closeInput()
            try await script.wait()
            try script.standardOutput.write(
                toFile: "\(bench.path)/\(shell.file)", atomically: true, encoding: .utf8)
        }

        deinit { server.stop() }

        /// Starts the shell on a terminal.
        func start(_ shell: Shell) async throws -> Spawned {
            let folder = URL(fileURLWithPath: Program.rerenderctl).deletingLastPathComponent().path
            let process = try Spawned(
                ["/usr/bin/env", "-C", bench.path, shell.path] + shell.arguments,
                environment: bench.environment(
                    ["PATH": "\(folder):/usr/bin:/bin", "HOME": bench.path, "TERM": "xterm"]),
                terminal: Spawned.Size(columns: 300, lines: 50))
            process.type(shell.start + "\r")
            // What is typed is shown too, without this word.
            process.type("echo rea''dy\r")
            try await process.expect("ready")
            return process
        }

        /// The words of the command that the shell ran.
        func words(_ number: Int) throws -> [[UInt8]] {
            let file = URL(fileURLWithPath: "\(bench.path)/words.\(number)")
            return try Data(contentsOf: file).split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
                Array($0)
            }
        }

        var hasRunOne: Bool { access("\(bench.path)/\(HostileTexts.canary)", F_OK) == 0 }
    }

    @Test("each name is inserted as it is, also where a quotation is open", arguments: Shell.all, Kind.allCases)
    func inserted(shell: Shell, kind: Kind) async throws {
        // The letters before each choose it.
        let names = HostileTexts.all.enumerated().map { "n\(1_000 + $0)" + $1 }
        let stage = try await Stage(shell, names: names)
        let process = try await stage.start(shell)
        var typed = names.indices.map { (quotation: "", name: $0) }
        for name in stride(from: 1, to: 60, by: 6) { typed += [("'", name), ("\"", name)] }
        for (number, (quotation, name)) in typed.enumerated() {
            let shown = process.outputBytes.count
            process.type("rerenderctl \(kind.rawValue) \(quotation)n\(1_000 + name)\t\r")
            try await process.expect("ran \(number).", after: shown)
            #expect(try stage.words(number).last == Array(names[name].utf8), "\(quotation)\(names[name])")
        }
        #expect(!stage.hasRunOne)
    }

    @Test("in bash, a name goes on behind a sign at which bash begins another word", arguments: Kind.allCases)
    func signs(kind: Kind) async throws {
        let canary = HostileTexts.canary
        // What is typed, and the name that it chooses.
        let typed = [
            ("one:C", "one:Cart"), ("\"one:C", "one:Cart"), ("'one:C", "one:Cart"),
            ("two:", "two:a:Bill"), ("two:a:", "two:a:Bill"), ("'two:a:", "two:a:Bill"),
            ("three=", "three=1 x"), ("\"three=", "three=1 x"), ("three=1\\ ", "three=1 x"),
            ("four@", "four@$(touch \(canary))"), ("'four@", "four@$(touch \(canary))"),
            ("fi\\ ve::=", "fi ve::=@`touch \(canary)`"), (":six:s", ":six:six"),
            ("seven:~", "seven:~root"), ("eight=~", "eight=~root:~root"), ("ni\\'ne:", "ni'ne:\"it's\""),
            ("ten\\:", "ten:10"),
        ]
        let names = Set(typed.map(\.1)).sorted()
        let stage = try await Stage(.bash, names: names)
        let process = try await stage.start(.bash)
        for (number, (typed, name)) in typed.enumerated() {
            process.type("rerenderctl \(kind.rawValue) \(typed)\t\r")
            try await process.expect("ran \(number).")
            #expect(try stage.words(number).last == Array(name.utf8), "\(typed)")
        }
        #expect(!stage.hasRunOne)
    }

    @Test(
        "in zsh, a name with `!` is inserted as it is in quotes where history is not expanded",
        .enabled(if: Shell.all.contains { $0.name == "zsh" }, "zsh is missing"))
    func withoutHistory() async throws {
        let names = ["one!two"]
        let stage = try await Stage(.zsh, names: names)
        let process = try await stage.start(.zsh)
        process.type("unsetopt banghist\r")
        for (number, typed) in ["\"one", "one", "'one"].enumerated() {
            process.type("rerenderctl explain \(typed)\t\r")
            try await process.expect("ran \(number).")
            #expect(try stage.words(number).last == Array(names[0].utf8), "\(typed)")
        }
    }

    @Test("no list of names runs one", arguments: Shell.all, Kind.allCases)
    func listed(shell: Shell, kind: Kind) async throws {
        let stage = try await Stage(shell, names: HostileTexts.all)
        let process = try await stage.start(shell)
        for (number, typed) in ["", "$", "`", "'", "\"", "\\", "~", "!", "'$", "\"$", "\"`", "-", "="].enumerated() {
            // Twice, since some shells show a list at the second press; then the line is dropped.
            process.type("rerenderctl \(kind.rawValue) \(typed)\t\t")
            process.type("n\u{3}\u{15}\rrerenderctl done\(number)\r")
            try await process.expect("ran ")
        }
        #expect(!stage.hasRunOne)
    }

    @Test(
        "in a line of zsh that is read twice, no name is inserted that means something to a shell",
        .enabled(if: Shell.all.contains { $0.name == "zsh" }, "zsh is missing"),
        arguments: [
            ("eval %", ""), ("(eval %", ")"), ("\\eval %", ""), ("{ eval %", "; }"), ("\"eval\" %", ""),
            ("watch %", ""),
            ("true; eval %", ""), ("rerenderctl x; eval %", ""), ("echo `%", "`"), ("echo \"`%", "`\""), ("x=`%", "`"),
            ("rerenderctl explain `%", "`"), ("eval \\\r%", ""),
        ])
    func readTwice(line: String, closing: String) async throws {
        let canary = HostileTexts.canary
        let names = ["one`touch \(canary)`", "one$(touch \(canary))", "two`touch \(canary)`", "three.plain"]
        let stage = try await Stage(.zsh, names: names)
        let process = try await stage.start(.zsh)
        process.type("watch() { sh -c \"$*\"; }\r")
        for word in ["on", "tw", "th"] {
            let text = line.replacing("%", with: "rerenderctl explain \(word)\t")
            process.type("\(text)\(closing)\recho \(word)''done\r")
            try await process.expect("\(word)done")
        }
        #expect(!stage.hasRunOne)
        // What means nothing to a shell was inserted, so that it was asked for names.
        #expect(process.standardOutput.contains("three.plain"))
    }

    @Test("bash offers a name to what completes for another command only if it means nothing to a shell")
    func forAnother() async throws {
        let stage = try await Stage(.bash, names: ["one`id`", "one.plain"])
        let command = """
            cd '\(stage.bench.path)'; . ./rerenderctl
            COMP_WORDS=(rerenderctl explain one) COMP_CWORD=2 COMP_LINE='rerenderctl explain one' COMP_POINT=23
            __rerenderctl_complete rerenderctl one explain; printf '%s,' "${#COMPREPLY[@]}"
            COMPREPLY=()
            another() { __rerenderctl_complete rerenderctl one explain; }; another; printf %s "${COMPREPLY[*]}"
            """
        let folder = URL(fileURLWithPath: Program.rerenderctl).deletingLastPathComponent().path
        let bash = try Spawned(
            ["/bin/bash", "-c", command], environment: stage.bench.environment(["PATH": "\(folder):/usr/bin:/bin"]))
        bash.closeInput()
        #expect(try await bash.wait() == .exited(0) && bash.standardOutput == "2,one.plain")
    }

    @Test("in bash, what completes the command that `sudo` runs gets names behind a sign, too", arguments: ["", ":"])
    func commandOfAnother(last: String) async throws {
        let stage = try await Stage(.bash, names: ["one:Cart"])
        let command = """
            cd '\(stage.bench.path)'; . ./rerenderctl
            COMP_WORDS=(rerenderctl explain one :) COMP_CWORD=3 COMP_LINE='rerenderctl explain one:' COMP_POINT=24
            __rerenderctl_complete rerenderctl '\(last)' one
            printf %s "${COMPREPLY[*]}"
            """
        let folder = URL(fileURLWithPath: Program.rerenderctl).deletingLastPathComponent().path
        let bash = try Spawned(
            ["/bin/bash", "-c", command], environment: stage.bench.environment(["PATH": "\(folder):/usr/bin:/bin"]))
        bash.closeInput()
        #expect(try await bash.wait() == .exited(0) && bash.standardOutput == "Cart")
    }

    @Test("bash has all names, each as one word", .promise)
    func all() async throws {
        let names = HostileTexts.all.enumerated().map { "n\(1_000 + $0)" + $1 }
        let stage = try await Stage(.bash, names: names)
        let command = """
            cd '\(stage.bench.path)'; . ./rerenderctl
            COMP_WORDS=(rerenderctl explain '') COMP_CWORD=2 COMP_LINE='rerenderctl explain ' COMP_POINT=20
            _rerenderctl rerenderctl '' explain
            eval "printf '%s\\\\0' ${COMPREPLY[*]}"
            """
        let folder = URL(fileURLWithPath: Program.rerenderctl).deletingLastPathComponent().path
        let bash = try Spawned(
            ["/bin/bash", "-c", command], environment: stage.bench.environment(["PATH": "\(folder):/usr/bin:/bin"]))
        bash.closeInput()
        #expect(try await bash.wait() == .exited(0) && bash.standardError.isEmpty)
        let words = bash.standardOutput.utf8.split(separator: 0).map { Array($0) }
        #expect(Set(words) == Set(names.map { Array($0.utf8) }) && !stage.hasRunOne)
    }
}
