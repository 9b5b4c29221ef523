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

/// Whether the probes are compiled in: in debug builds, and where the trait asks for them.
let probes: [SwiftSetting] = [
    .define("RERENDER_PROBES", .when(configuration: .debug)),
    .define("RERENDER_PROBES", .when(traits: ["AlwaysOn"])),
]

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Tools"])),
    .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Tools"])),
    .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Tools"])),
]

/// The parts of the page that `rerenderctl report --html` writes.
let pageParts = [
    "page.html", "page.css", "text.js", "decode.js", "lanes.js", "state.js", "timeline.js", "timeline-text.js",
    "timeline-draw.js", "timeline-input.js", "overview.js", "table.js", "views.js", "hangs.js", "causes.js",
    "histogram.js", "theme.js", "summary.js", "self-test.js", "main.js",
]

let package = Package(
    name: "rerender",
    products: [
        .library(name: "Rerender", targets: ["Rerender"]),
        .library(name: "Signpost", targets: ["Signpost"]),
        .library(name: "RenderLoop", targets: ["RenderLoop"]),
        .library(name: "RerenderTesting", targets: ["RerenderTesting"]),
        .executable(name: "rerenderd", targets: ["rerenderd"]),
        .executable(name: "rerenderctl", targets: ["rerenderctl"]),
        .executable(name: "rerender-demo", targets: ["rerender-demo"]),
    ],
    traits: [
        .trait(
            name: "AlwaysOn", description: "Keep the probes in release builds, to measure there.",
            enabledTraits: ["Tools", "RenderLoop"]),
        .trait(name: "Tools", description: "The daemon and the command line, with the packages that they need."),
        .trait(name: "RenderLoop", description: "The headless render loop, with the package that it needs."),
        .default(enabledTraits: ["Tools", "RenderLoop"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // What an app links: the toolchain and nothing else.
        .target(name: "CSignpost"),
        .target(name: "Signpost", dependencies: ["CSignpost"], swiftSettings: strict),
        .target(name: "RerenderModel", swiftSettings: strict),
        .target(
            name: "RerenderWire", dependencies: ["RerenderModel"],
            // A reader that cannot outlive the bytes it reads.
            swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),
        .target(name: "CRerender"),
        .target(
            name: "Rerender",
            dependencies: ["CRerender", "CSignpost", "RerenderModel", "RerenderWire", "Signpost"],
            swiftSettings: strict + probes),

        // What an app's tests link: expectations on evaluations, for Swift Testing and XCTest.
        .target(name: "RerenderTesting", dependencies: ["Rerender"], swiftSettings: strict),

        // The reference host: a view graph and a render loop that behave as SwiftUI is documented to.
        .target(
            name: "RenderLoop",
            dependencies: [
                "CSignpost", "Rerender",
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["RenderLoop"])),
            ],
            swiftSettings: strict + probes),

        // The classic redraws: screens for the demo and the tests; not a product.
        .target(
            name: "RenderLoopScenarios",
            dependencies: [
                "RenderLoop", "Rerender",
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["RenderLoop"])),
            ],
            swiftSettings: strict + probes),

        // The daemon and the command line.
        .target(name: "CMessageBus"),
        .target(
            name: "RerenderDaemon",
            dependencies: [
                "CMessageBus", "CSignpost", "RerenderModel", "RerenderWire",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Tools"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Tools"])),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: .when(traits: ["Tools"])),
            ] + nio,
            swiftSettings: strict),
        .executableTarget(
            name: "rerenderd",
            dependencies: [
                "RerenderDaemon",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"])),
            ],
            swiftSettings: strict),
        .target(name: "CScreen", linkerSettings: [.linkedLibrary("ncursesw")]),
        // Recordings: libbabeltrace2 reads them.
        .systemLibrary(name: "CBabeltrace2", pkgConfig: "babeltrace2", providers: [.apt(["libbabeltrace2-dev"])]),
        .target(
            name: "RerenderTrace",
            dependencies: ["RerenderModel", .target(name: "CBabeltrace2", condition: .when(traits: ["Tools"]))],
            // The report's page, in the executable: the installed tool is one file.
            resources: pageParts.map { .embedInCode("Page/Web/\($0)") },
            swiftSettings: strict),
        .target(
            name: "RerenderTool",
            dependencies: [
                "CScreen", "RerenderDaemon", "RerenderModel", "RerenderTrace",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Tools"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Tools"])),
            ] + nio,
            resources: [.embedInCode("Analyses/trace-compass.xml")], swiftSettings: strict),
        .executableTarget(name: "rerenderctl", dependencies: ["RerenderTool"], swiftSettings: strict),

        .target(name: "CTerminal"),
        .executableTarget(
            name: "rerender-demo",
            dependencies: [
                "CTerminal", "Rerender",
                .target(name: "RenderLoop", condition: .when(traits: ["RenderLoop"])),
                .target(name: "RenderLoopScenarios", condition: .when(traits: ["RenderLoop"])),
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"])),
            ],
            swiftSettings: strict + probes),

        // What `Scripts/bench` runs; not a product.
        .target(name: "CBench", path: "Benchmarks/CBench"),
        .executableTarget(
            name: "rerender-bench",
            dependencies: [
                "CBench", "CSignpost", "RenderLoop", "Rerender", "RerenderModel", "RerenderWire", "Signpost",
                "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"])),
            ],
            path: "Benchmarks/rerender-bench", swiftSettings: strict + probes),

        // What `Scripts/soak` runs; not a product.
        .executableTarget(
            name: "rerender-soak",
            dependencies: [
                "RerenderModel", "TestSupport", "staller",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"])),
            ],
            path: "Benchmarks/rerender-soak", swiftSettings: strictTests),

        // Tests. `TestSupport` is the vocabulary they share; `Tests/Processes` are the real processes they start.
        .target(
            name: "TestSupport", dependencies: ["RerenderModel", "RerenderWire"], path: "Tests/TestSupport",
            swiftSettings: strictTests),
        .target(name: "CAllocationCount", path: "Tests/Processes/CAllocationCount"),
        .executableTarget(
            name: "allocations", dependencies: ["CAllocationCount", "Rerender"], path: "Tests/Processes/allocations",
            swiftSettings: strictTests),
        .target(
            name: "CauseCorpus", dependencies: ["Rerender", "RerenderModel"], path: "Tests/CauseCorpus",
            swiftSettings: strictTests),
        .executableTarget(
            name: "corpus", dependencies: ["CauseCorpus", "Rerender"], path: "Tests/Processes/corpus",
            swiftSettings: strictTests),
        .executableTarget(
            name: "counting", dependencies: ["Rerender"], path: "Tests/Processes/counting", swiftSettings: strictTests),
        .executableTarget(
            name: "staller", dependencies: ["Rerender"], path: "Tests/Processes/staller", swiftSettings: strictTests),
        .executableTarget(
            name: "loops", dependencies: ["CRerender", "Rerender", "RerenderModel"], path: "Tests/Processes/loops",
            swiftSettings: strictTests),
        .executableTarget(
            name: "hanging", dependencies: ["CAllocationCount", "CRerender", "Rerender"],
            path: "Tests/Processes/hanging", swiftSettings: strictTests),
        .executableTarget(
            name: "priority", dependencies: ["RerenderDaemon"], path: "Tests/Processes/priority",
            swiftSettings: strictTests),
        .executableTarget(
            name: "notifier",
            dependencies: [
                "RerenderDaemon", "RerenderModel",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Tools"])),
            ],
            path: "Tests/Processes/notifier", swiftSettings: strictTests),
        .executableTarget(
            name: "steady", dependencies: ["Rerender"], path: "Tests/Processes/steady", swiftSettings: strictTests),
        .executableTarget(
            name: "signpost-probe", dependencies: ["CSignpost", "Signpost"], path: "Tests/Processes/signpost-probe",
            swiftSettings: strictTests),
        .executableTarget(
            name: "redraws",
            dependencies: [
                "RenderLoop", "Rerender",
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["RenderLoop"])),
            ],
            path: "Tests/Processes/redraws", swiftSettings: strictTests),
        .executableTarget(
            name: "ReleaseScreen", dependencies: ["RenderLoop", "Rerender"],
            path: "Tests/Fixtures/ReleaseScreen/Sources/ReleaseScreen", swiftSettings: strictTests),
        .executableTarget(name: "trigger-listener", path: "Tests/Processes/trigger-listener"),
        .executableTarget(
            name: "wire-app", dependencies: ["RerenderModel", "RerenderWire", "TestSupport"],
            path: "Tests/Processes/wire-app", swiftSettings: strictTests),
        .executableTarget(
            name: "turns", dependencies: ["RenderLoop", "Rerender"], path: "Tests/Processes/turns",
            swiftSettings: strictTests),
        .target(name: "WriterKit", path: "Tests/Processes/WriterKit", swiftSettings: strictTests),
        .target(
            name: "WriterCorpus", dependencies: ["Rerender", "WriterKit"], path: "Tests/Processes/WriterCorpus",
            swiftSettings: strictTests),
        .executableTarget(
            name: "writers", dependencies: ["CAllocationCount", "CRerender", "Rerender", "WriterCorpus"],
            path: "Tests/Processes/writers",
            swiftSettings: strictTests),
        .testTarget(
            name: "SignpostTests",
            dependencies: ["CSignpost", "Signpost", "TestSupport", "signpost-probe", "trigger-listener"],
            exclude: ["ABI"], swiftSettings: strictTests),
        .testTarget(
            name: "RerenderModelTests", dependencies: ["RerenderModel", "TestSupport"], swiftSettings: strictTests),
        .testTarget(
            name: "RenderLoopTests",
            dependencies: [
                "RenderLoop", "RenderLoopScenarios", "Rerender", "RerenderModel", "TestSupport", "turns",
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "RerenderTestingTests", dependencies: ["Rerender", "RerenderTesting", "TestSupport"],
            swiftSettings: strictTests),
        .testTarget(
            name: "RerenderWireTests", dependencies: ["RerenderModel", "RerenderWire", "TestSupport"],
            swiftSettings: strictTests),
        .testTarget(
            name: "RerenderTests",
            dependencies: [
                "CRerender", "CauseCorpus", "Rerender", "RerenderModel", "RerenderWire", "TestSupport", "WriterCorpus",
                "corpus", "counting", "hanging", "loops", "writers",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "RerenderDaemonTests",
            dependencies: [
                "RerenderDaemon", "RerenderModel", "RerenderWire", "TestSupport", "notifier", "priority", "rerenderd",
                "wire-app",
                .product(name: "Logging", package: "swift-log"),
            ] + nio,
            // A program that a test starts.
            exclude: ["Notifications/service.py"], swiftSettings: strictTests),
        .testTarget(
            name: "RerenderToolTests",
            dependencies: [
                "RerenderDaemon", "RerenderModel", "RerenderTool", "TestSupport", "counting", "rerender-demo",
                "rerenderctl", "rerenderd", "signpost-probe", "staller",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "RerenderTraceTests",
            dependencies: [
                "RerenderModel", "RerenderTrace", "TestSupport", "counting", "rerender-demo", "rerenderctl",
                "signpost-probe",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["RerenderModel", "TestSupport", "ReleaseScreen", "priority", "redraws", "staller"],
            // Scripts that run inside a throw-away system; the tests find them in the checkout.
            exclude: ["Systemd"], swiftSettings: strictTests),
    ]
)
