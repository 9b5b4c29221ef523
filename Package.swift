// swift-tools-version: 6.2
import PackageDescription

/// Strictness lives here, so that it holds for every target and every machine.
let strictTests: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .treatWarning("ExplicitSendable", as: .error),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Code that ships says `unsafe` where it is; tests may read an address without a proof beside each use.
let strict = strictTests + [.strictMemorySafety()]

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
]

let package = Package(
    name: "rerender",
    products: [
        .library(name: "Rerender", targets: ["Rerender"]),
        .library(name: "Signpost", targets: ["Signpost"]),
        .executable(name: "rerenderd", targets: ["rerenderd"]),
        .executable(name: "rerenderctl", targets: ["rerenderctl"]),
        .executable(name: "rerender-demo", targets: ["rerender-demo"]),
    ],
    traits: [
        .trait(name: "AlwaysOn", description: "Keep the probes in release builds, to measure there."),
        .default(enabledTraits: []),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // What an app links: the toolchain and nothing else.
        .target(name: "CSignpost"),
        .target(name: "Signpost", dependencies: ["CSignpost"], swiftSettings: strict),
        .target(name: "RerenderModel", swiftSettings: strict),
        .target(name: "RerenderWire", dependencies: ["RerenderModel"], swiftSettings: strict),
        .target(name: "CRerender"),
        .target(
            name: "Rerender",
            dependencies: ["CRerender", "CSignpost", "RerenderModel", "RerenderWire", "Signpost"],
            swiftSettings: strict),

        // The daemon and the command line.
        .target(
            name: "RerenderDaemon",
            dependencies: [
                "RerenderModel", "RerenderWire",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ] + nio,
            swiftSettings: strict),
        .executableTarget(
            name: "rerenderd",
            dependencies: [
                "RerenderDaemon",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .target(
            name: "RerenderTool",
            dependencies: [
                "RerenderDaemon", "RerenderModel",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + nio,
            swiftSettings: strict),
        .executableTarget(name: "rerenderctl", dependencies: ["RerenderTool"], swiftSettings: strict),

        .executableTarget(name: "rerender-demo", dependencies: ["Rerender"], swiftSettings: strict),

        // Tests. `TestSupport` is the vocabulary they share; `Tests/Processes` are the real processes they start.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strictTests),
        .executableTarget(
            name: "signpost-probe", dependencies: ["CSignpost", "Signpost"], path: "Tests/Processes/signpost-probe",
            swiftSettings: strictTests),
        .executableTarget(name: "trigger-listener", path: "Tests/Processes/trigger-listener"),
        .testTarget(
            name: "SignpostTests",
            dependencies: ["CSignpost", "Signpost", "TestSupport", "signpost-probe", "trigger-listener"],
            exclude: ["ABI"], swiftSettings: strictTests),
        .testTarget(name: "RerenderModelTests", dependencies: ["RerenderModel"], swiftSettings: strictTests),
        .testTarget(
            name: "RerenderWireTests", dependencies: ["RerenderModel", "RerenderWire"], swiftSettings: strictTests),
        .testTarget(
            name: "RerenderTests", dependencies: ["Rerender", "RerenderModel", "RerenderWire", "TestSupport"],
            swiftSettings: strictTests),
        .testTarget(
            name: "RerenderDaemonTests",
            dependencies: ["RerenderDaemon", "RerenderModel", "RerenderWire", "TestSupport"],
            swiftSettings: strictTests),
        .testTarget(
            name: "RerenderToolTests", dependencies: ["RerenderTool", "RerenderModel", "TestSupport"],
            swiftSettings: strictTests),
        .testTarget(
            name: "EndToEndTests", dependencies: ["RerenderModel", "TestSupport"], swiftSettings: strictTests),
    ]
)
