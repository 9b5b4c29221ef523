// SPDX-License-Identifier: MIT
import ArgumentParser
struct DoctorCommand: AsyncParsableCommand { 
    static let configuration = CommandConfiguration(commandName: "doctor")
}
