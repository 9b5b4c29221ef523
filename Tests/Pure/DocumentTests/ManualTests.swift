// SPDX-License-Identifier: MIT
// Completions mention every option of every command.

import ArgumentParser
import DocumentSupport
import Foundation
import Testing

@Suite("Options in help and completions")
struct ManualTests {
    @Test("the list of options has what the help of every command says", arguments: OwnProgram.allCases)
    func list(program: OwnProgram) throws {
        let commands = try DumpedCommand.all(in: program.dump)
        #expect(commands.count > (program == .rerenderctl ? 10 : 0))
        for command in commands {
            let help = try #require(program.help(Array(command.path.dropFirst())), "\(command)")
            let said = help.matches(of: /(?m)^  (-\w, )?(--[\w-]+)/).flatMap { match in
                [match.1.map { String($0.dropLast(2)) }, String(match.2)].compactMap(\.self)
            }
            // Those that every command has are left out where the command has not taken them itself.
            #expect(!said.isEmpty && Set(said).subtracting(["--version"]).isSubset(of: command.options), "\(command)")
        }
    }

    @Test("zsh's completions have every option in the function of its command", arguments: OwnProgram.allCases)
    func zsh(program: OwnProgram) throws {
        let text = program.completions(for: .zsh)
        for command in try DumpedCommand.all(in: program.dump) {
            let function = "_" + command.path.joined(separator: "_") + "() {"
            let start = try #require(text.firstRange(of: "\n\(function)\n"), "\(function)")
            let end = try #require(text[start.upperBound...].firstRange(of: "\n}\n"))
            let body = text[start.upperBound..<end.lowerBound]
            let words = Set(body.split { !"-_".contains($0) && !$0.isLetter && !$0.isNumber }.map(String.init))
            #expect(command.options.subtracting(words).isEmpty, "\(command.path)")
        }
    }

    @Test("fish's completions have every option with its command", arguments: OwnProgram.allCases)
    func fish(program: OwnProgram) throws {
        let lines = program.completions(for: .fish).split(separator: "\n")
        for command in try DumpedCommand.all(in: program.dump) {
            let path = "\"\(command.path.joined(separator: " "))\""
            let mine = lines.filter { $0.contains("should_offer_completions_for_flags_or_options \(path)") }
            for option in command.options {
                let name = option.drop { $0 == "-" }
                let wanted = option.hasPrefix("--") ? " -l '\(name)'" : " -s '\(name)'"
                #expect(mine.contains { $0.contains(wanted) }, "\(command.path) \(option)")
            }
        }
    }
}
