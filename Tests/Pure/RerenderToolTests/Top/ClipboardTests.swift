// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("The clipboard of top")
struct ClipboardTests {
    private func copy(_ bytes: [UInt8], terminal: String) throws -> (sent: String, file: String, message: TopMessage) {
        let scratch = try TemporaryDirectory()
        let output = scratch.path + "/sent"
        #expect(FileManager.default.createFile(atPath: output, contents: nil))
        let handle = try #require(FileHandle(forWritingAtPath: output))
        let clipboard = Clipboard(
            directory: RuntimeDirectory(path: scratch.path), terminal: terminal,
            stream: OutputStream(descriptor: handle.fileDescriptor))
        let message = try clipboard.copy(bytes, name: "Cart")
        try handle.close()
        return (
            try String(contentsOfFile: output, encoding: .utf8),
            try String(contentsOfFile: clipboard.path, encoding: .utf8),
            message
        )
    }

    @Test("is the terminal's by OSC 52, and a file beside it", arguments: ["xterm-256color", "tmux", "screen", "foot"])
    func terminal(kind: String) throws {
        let (sent, file, message) = try copy(Array("{}\n".utf8), terminal: kind)
        #expect(sent == "\u{1B}]52;c;e30K\u{7}" && file == "{}\n")
        #expect(message.text.contains("copied Cart, 3 bytes of JSON, to the clipboard and /"))
    }

    @Test("is the file alone where a terminal would show the sequence", arguments: ["linux", "vt100", "dumb", "ansi"])
    func plain(kind: String) throws {
        let (sent, file, message) = try copy(Array("{}\n".utf8), terminal: kind)
        #expect(sent.isEmpty && file == "{}\n" && !message.text.contains("clipboard"))
    }

    @Test("is the file alone for what no terminal takes")
    func long() throws {
        let (sent, file, _) = try copy([UInt8](repeating: 0x61, count: 60_000), terminal: "xterm")
        #expect(sent.isEmpty && file.utf8.count == 60_000)
    }
}
