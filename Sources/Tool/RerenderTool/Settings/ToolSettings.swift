// SPDX-License-Identifier: MIT
// The user's settings, as this process read them.

import RerenderDaemon
import RerenderShow

/// What the user has set in a file, read once.
enum ToolSettings {
    /// The file, or where it would be; nil without a home.
    static let file = SettingsFile.current()

    private static let read = Result { () throws(SettingsFault) in try file?.settings() ?? UserSettings() }

    /// The settings; those without a file where it cannot be used.
    static var current: UserSettings { (try? read.get()) ?? UserSettings() }

    /// What is wrong with the file; nil if it can be used, or is not there.
    static var fault: String? {
        guard let file else { return nil }
        guard case .failure(let fault) = read else {
            // Which columns there are is the tool's to know.
            let fault = current.columns.flatMap { ViewTable.fault(inColumns: $0) }
            return fault.map { "\(Printable.text(file.path)): \($0.prefix { $0 != "\n" }.dropLast())" }
        }
        let line = fault.line.map { ":\($0)" } ?? ""
        return "\(Printable.text(file.path))\(line): \(Printable.text(fault.text))"
    }

    /// Throws status 78 where the file is there and cannot be used.
    static func mustBeUsable() throws(ToolFailure) {
        guard let fault else { return }
        throw ToolFailure(
            ExitStatus.configuration,
            "\(fault).\nRepair or remove the file; rerenderctl help config lists the settings.")
    }
}

/// A command that says itself what is wrong with the settings file.
protocol RunsWithoutSettings {}
