// SPDX-License-Identifier: MIT
import ArgumentParser
struct RunCommand: AsyncParsableCommand { 
    static let configuration = CommandConfiguration(commandName: "run")
}
