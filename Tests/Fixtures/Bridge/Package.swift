// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// The render loop as somebody else's package. `Scripts/proof bridge` copies its sources here, with `Bridge` before the names of its
/// modules: SwiftPM takes a name once.
let settings: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .strictMemorySafety(), .define("RERENDER_PROBES", .when(configuration: .debug))]
    + ["MemberImportVisibility", "InternalImportsByDefault", "ExistentialAny"].map { .enableUpcomingFeature($0) }

let library: Target.Dependency = .product(name: "Rerender", package: "rerender")
let openCombine: Target.Dependency = .product(name: "OpenCombine", package: "OpenCombine")

let package = Package(
    name: "bridge",
    dependencies: [
        // From `.build/proof/bridge`, where the copy lies.
        .package(name: "rerender", path: "../../..", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        .target(name: "BridgeRenderLoop", dependencies: [library, openCombine], swiftSettings: settings),
        .target(
            name: "BridgeRenderLoopScenarios", dependencies: ["BridgeRenderLoop", library, openCombine],
            swiftSettings: settings),
        .target(name: "BridgeCShared"),
        .executableTarget(
            name: "bridge-demo",
            dependencies: [
                "BridgeCShared", "BridgeRenderLoop", "BridgeRenderLoopScenarios", library,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: settings),
    ]
)
