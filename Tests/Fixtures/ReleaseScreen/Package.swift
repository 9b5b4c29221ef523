// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// An app with a screen in a render loop and all of the loop's debugging tools on it, built as an app is built.
let package = Package(
    name: "ReleaseScreen",
    dependencies: [.package(name: "rerender", path: "../../..", traits: ["RenderLoop"])],
    targets: [
        .executableTarget(
            name: "ReleaseScreen",
            dependencies: [
                .product(name: "RenderLoop", package: "rerender"), .product(name: "Rerender", package: "rerender"),
            ])
    ]
)
