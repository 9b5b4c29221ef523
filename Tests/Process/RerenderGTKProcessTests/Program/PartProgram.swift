// SPDX-License-Identifier: MIT
// The C files of the part for GTK, as compilers and other programs of a test get them.

import Foundation
import TestSupport

enum PartProgram {
    /// Why the program cannot be made here; nil if it can.
    static let obstacle: String? = {
        if let obstacle = HUDScreen.obstacle { return obstacle }
        let missing = ["cc", "make", "pkg-config"].filter { ChildProcess.path(of: $0) == nil }
        return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) is not installed"
    }()

    private static let checkout = Checkout.root.path
    private static let part = checkout + "/Sources/GTK/CRerenderGTK"
    private static let shared = checkout + "/Sources/Shared/CShared"

    /// The files of C in a folder, and in those in it.
    private static func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".c") }.sorted()
            .map { "\(folder)/\($0)" }
    }

    /// The files of the part.
    static func files() throws -> [String] { try files(in: part) }

    /// What a compiler needs for them. Some have no annotations for nullability.
    static let options = [
        "-DRERENDER_GTK", "-D_Nullable=", "-D_Nonnull=", "-I\(part)/include", "-I\(shared)/include",
    ]

    /// The names of the functions of GTK that are called through pointers.
    static func names() throws -> Set<String> {
        let text = try String(contentsOfFile: part + "/function_names.h", encoding: .utf8)
        return Set(text.matches(of: #/ FUNCTION\((\w+)\)/#).map { String($0.1) })
    }

    /// The program of Tests/Fixtures/Ends, compiled with them.
    static func ends() async throws -> String { try await Fixture.made("c/ends") }
}
