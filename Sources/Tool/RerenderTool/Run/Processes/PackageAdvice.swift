// SPDX-License-Identifier: MIT
// How something that is missing is installed: by Debian's packages where these are, and else by the name of what is missing.

import Glibc
import RerenderShow

/// Advice to install something.
enum PackageAdvice {
    /// The program that installs Debian's packages.
    static let installer = "/usr/bin/apt-get"

    /// Whether this machine has it.
    static var isDebian: Bool { FilePath.kind(installer) == S_IFREG }

    /// A command, or what is to be installed; without a full stop.
    ///
    /// - Parameters:
    ///   - packages: Debian's.
    ///   - thing: What other systems have under other names.
    static func command(_ packages: ShellCommand, for thing: String, onDebian: Bool = isDebian) -> String {
        let install: ShellCommand = "sudo apt-get install \(packages)"
        return onDebian ? "Run: \(install)" : "Install \(thing) with your system's packages"
    }

    /// What is to be installed, within a sentence.
    static func name(_ packages: String, for thing: String, onDebian: Bool = isDebian) -> String {
        onDebian ? packages : thing
    }
}
