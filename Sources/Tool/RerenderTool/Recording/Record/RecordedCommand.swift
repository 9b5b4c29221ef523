// SPDX-License-Identifier: MIT
// Which processes of a recording are its command's: a session records everybody's.

import FoundationEssentials
import Glibc
import RerenderShow

/// The command that was recorded, in a file beside its trace.
package struct RecordedCommand: Codable, Hashable, Sendable {
    /// The file's name in the directory of the recording.
    static let fileName = "rerender-command.json"
    /// The most that is read of it.
    private static let largest = 1 << 20

    /// A process of the command.
    struct Process: Codable, Hashable, Sendable {
        var pid: Int32
        var name: String
    }

    var version = 1
    /// The command as it was started.
    var command: [String]
    /// Its processes that a view was counted in.
    var processes: [Process]

    /// The numbers of its processes.
    package var pids: Set<Int32> { Set(processes.map(\.pid)) }

    /// What was started, for people.
    package var title: String { Printable.text(command.first ?? "") }

    /// The processes that a daemon learned of while the command ran; nil where there are none.
    init?(_ command: [String], _ harvest: RunHost.Harvest) {
        let all = Set(harvest.export.processes.map { Process(pid: $0.pid, name: $0.name) })
        guard !all.isEmpty else { return nil }
        (self.command, processes) = (command, all.sorted { $0.pid < $1.pid })
    }

    /// Writes it beside the trace. A report shows all processes where that fails.
    func write(in directory: String) {
        guard let text = try? StatsExport.encoder().encode(self) else { return }
        try? AtomicFile.write(Array(text), to: "\(directory)/\(Self.fileName)")
    }

    /// Reads it; nil where a recording has none, as one of all apps, or none that can be read.
    package static func read(in directory: String) -> RecordedCommand? {
        let path = "\(directory)/\(fileName)"
        guard FilePath.kind(path) == S_IFREG else { return nil }
        let fault = { (number: CInt) in ToolFailure(ExitStatus.unreadable, SystemText.of(number)) }
        var text: [UInt8] = []
        do {
            try InputFile.read(path, fault: fault) { piece throws(ToolFailure) in
                guard text.count + piece.count <= largest else { throw fault(EFBIG) }
                text += piece
            }
        } catch {
            return nil
        }
        let read = try? JSONDecoder().decode(RecordedCommand.self, from: Data(text))
        return read?.version == 1 && read?.processes.isEmpty == false ? read : nil
    }
}
