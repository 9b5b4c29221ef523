// SPDX-License-Identifier: MIT
// Programs of this package as they are shipped: optimised, and without probes.

import Foundation
import TestSupport

/// Programs of a release build without the trait `AlwaysOn`, made once for all tests.
enum ReleaseProduct {
    private static let names = ["rerender-demo", "ReleaseScreen"]

    /// Kept between runs: a second build takes seconds.
    private static let directory = Task {
        let root = Checkout.root.path
        let scratch = root + "/.build/release-products"
        // The plan of the last build does not know of files that the package has got since.
        try? FileManager.default.removeItem(atPath: scratch + "/release.yaml")
        for name in names {
            try await ReleaseCost.succeed(
                [
                    try ReleaseCost.path("swift"), "build", "--configuration", "release", "--package-path", root,
                    "--scratch-path", scratch, "--product", name,
                ])
        }
        return scratch + "/release"
    }

    /// Where the program of that name is.
    static func path(_ name: String) async throws -> String {
        precondition(names.contains(name), "it is not built")
        return try await directory.value + "/" + name
    }
}
