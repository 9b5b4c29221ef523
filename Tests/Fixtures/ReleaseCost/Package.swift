// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// An app that links Rerender as any other would, and its twin that does not.
///
/// The twins are modules of their own, or the compiler would merge functions that it finds the same.
let package = Package(
    name: "ReleaseCost",
    traits: [.trait(name: "AlwaysOn", description: "Keep the probes in.")],
    dependencies: [
        .package(
            name: "rerender", path: "../../..",
            traits: [.trait(name: "AlwaysOn", condition: .when(traits: ["AlwaysOn"]))])
    ],
    targets: [
        .target(name: "Bare"),
        .target(name: "Probed", dependencies: [.product(name: "Rerender", package: "rerender")]),
        .executableTarget(name: "ReleaseCost", dependencies: ["Bare", "Probed"]),
    ]
)
