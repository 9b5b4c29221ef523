// SPDX-License-Identifier: MIT
// Where the user's settings are.

import Glibc
import RerenderModel

/// The file of the user's settings.
package struct SettingsFile: Hashable, Sendable {
    /// Its absolute path.
    package let path: String
    /// The most that is read of it.
    static let mostBytes = 65_536

    package init(path: String) { self.path = path }

    /// `rerender/config.toml` in `$XDG_CONFIG_HOME`, or in `~/.config`; nil without a home.
    package static func current(environment: (String) -> String? = { environmentVariable($0) }) -> SettingsFile? {
        if let directory = environment("XDG_CONFIG_HOME"), PathName.isAbsolute(directory) {
            return SettingsFile(path: directory + "/rerender/config.toml")
        }
        guard let home = environment("HOME"), PathName.isAbsolute(home) else { return nil }
        return SettingsFile(path: home + "/.config/rerender/config.toml")
    }

    /// The settings in it; none where there is no such file.
    package func settings() throws(SettingsFault) -> UserSettings {
        guard let text = try text() else { return UserSettings() }
        return try UserSettings(toml: text)
    }

    private func text() throws(SettingsFault) -> String? {
        // A FIFO would be waited for.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if [ENOENT, ENOTDIR].contains(errno) { return nil }
            throw SettingsFault("the file cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var found = stat()
        // Proof: `fstat` fills the value that it is given, and `read` at most the bytes that the array has.
        guard unsafe fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            throw SettingsFault("it is no file")
        }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes + 1)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard (0...Self.mostBytes).contains(count) else {
            throw SettingsFault("the file cannot be read, or has more than \(Self.mostBytes) bytes")
        }
        let taken = bytes[..<count]
        guard let text = String(validating: taken, as: UTF8.self) else {
            let lines = taken.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
            throw SettingsFault("the file is not UTF-8", line: line.map { $0 + 1 })
        }
        return text
    }
}
