// SPDX-License-Identifier: MIT
// The daemon's log: one line per event on stderr, for a person or for the journal.

internal import Glibc
package import Logging
import RerenderModel

/// Writes a line per event to stderr.
///
/// In the foreground with time and level; under a service manager with the `<N>` prefix by which the journal knows
/// priorities. Text is made printable here, so that nothing an app sends can forge a line or move a cursor.
package struct DaemonLog: LogHandler {
    /// The format of a line.
    package enum Style: Sendable {
        case readable
        case journal
    }

    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let style: Style
    private let write: @Sendable (String) -> Void

    package init(style: Style, level: Logger.Level, write: @escaping @Sendable (String) -> Void = Self.toStandardError)
    {
        self.style = style
        self.logLevel = level
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { $1 }
        var line = Printable.text("\(event.message)")
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            line += " \(name)=\(Printable.text("\(value)"))"
        }
        write(prefix(event.level) + line + "\n")
    }

    private func prefix(_ level: Logger.Level) -> String {
        switch style {
        case .readable: "\(Timestamp.now.iso8601.dropFirst(11).dropLast()) \(level.rawValue) "
        case .journal: "<\(level.priority)>"
        }
    }

    /// Writes a whole line in one call; a line that does not get out is lost.
    package static let toStandardError: @Sendable (String) -> Void = { line in
        let bytes = Array(line.utf8)
        // Safe: `write` reads the array.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension Logger.Level {
    /// The priority of syslog(3).
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
