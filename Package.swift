// swift-tools-version: 6.2
import PackageDescription

// Strictness lives here, so that it holds for every target and every machine.

let strictC: [CSetting] = [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]

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

/// A reader that cannot outlive the bytes it reads.
let lifetimes: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

// Packages of others, each fetched only with the trait that needs it.

func tools(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Tools"]))
}

func loop(_ target: String) -> Target.Dependency {
    .target(name: target, condition: .when(traits: ["RenderLoop"]))
}

let argumentParser = tools("ArgumentParser", of: "swift-argument-parser")
let logging = tools("Logging", of: "swift-log")
let lifecycle = tools("ServiceLifecycle", of: "swift-service-lifecycle")
let unixSignals = tools("UnixSignals", of: "swift-service-lifecycle")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1"].map { tools($0, of: "swift-nio") }
let openCombine = Target.Dependency.product(
    name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["RenderLoop"]))

// Targets, by the folder of `Sources` that says where they run.

func swift(
    _ name: String, in folder: String, _ dependencies: [Target.Dependency] = [],
    resources: [Resource] = [], settings: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", resources: resources,
        swiftSettings: strict + settings)
}

func c(
    _ name: String, in folder: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", cSettings: strictC,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

func program(
    _ name: String, in folder: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", swiftSettings: strict + settings)
}

/// A process that tests start, or a library of several such.
func process(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Tests/Processes/\(name)", swiftSettings: strictTests)
}

func testLibrary(_ name: String, in folder: String = "Tests", _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: strictTests)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport", "TestTags"], exclude: exclude,
        swiftSettings: strictTests)
}

/// What every part of the tool stands on, and all parts together.
let toolBase: [Target.Dependency] = ["RerenderModel", "RerenderQuery", "RerenderToolBase"]
let toolParts: [Target.Dependency] =
    toolBase + [
        "RerenderBudgets", "RerenderDaemon", "RerenderDoctor", "RerenderPresentation", "RerenderRecording",
        "RerenderRun", "RerenderTop", "RerenderTrace",
    ]

/// What is embedded of the page that `rerenderctl report --html` writes; its order stands in PageHTML.swift.
let pageParts = [
    "page.html", "page.css", "causes.js", "data.js", "draw.js", "histograms.js", "input.js", "main.js", "state.js",
    "tables.js", "text.js", "timeline.js",
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
        // Shared: what app, daemon and tool agree on.
        c("CSignpost", in: "Shared"),
        c("CTerminalRestore", in: "Shared"),
        swift("Signpost", in: "Shared", ["CSignpost"]),
        swift("RerenderModel", in: "Shared"),
        swift("RerenderQuery", in: "Shared", ["RerenderModel"]),
        swift("RerenderWire", in: "Shared", ["RerenderModel"], settings: lifetimes),

        // App: what an app and its tests link. The toolchain and nothing else.
        c("CRerender", in: "App"),
        swift(
            "Rerender", in: "App", ["CRerender", "CSignpost", "RerenderModel", "RerenderWire", "Signpost"],
            settings: probes),
        swift("RerenderTesting", in: "App", ["Rerender"]),

        // RenderLoop: a view graph that behaves as SwiftUI is documented to, and the demo.
        swift("RenderLoop", in: "RenderLoop", ["CSignpost", "Rerender", openCombine], settings: probes),
        swift("RenderLoopScenarios", in: "RenderLoop", ["RenderLoop", "Rerender", openCombine], settings: probes),
        c("CTerminal", in: "RenderLoop", ["CTerminalRestore"]),
        program(
            "rerender-demo", in: "RenderLoop",
            ["CTerminal", "Rerender", loop("RenderLoop"), loop("RenderLoopScenarios"), argumentParser],
            settings: probes),

        // Daemon.
        c("CMessageBus", in: "Daemon"),
        swift(
            "RerenderDaemon", in: "Daemon",
            [
                "CMessageBus", "CSignpost", "RerenderModel", "RerenderQuery", "RerenderWire", logging, lifecycle,
                unixSignals,
            ] + nio),
        program("rerenderd", in: "Daemon", ["RerenderDaemon", argumentParser]),

        // Tool: the command line.
        .systemLibrary(
            name: "CBabeltrace2", path: "Sources/Tool/CBabeltrace2", pkgConfig: "babeltrace2",
            providers: [.apt(["libbabeltrace2-dev"])]),
        swift(
            "RerenderTrace", in: "Tool",
            ["RerenderModel", .target(name: "CBabeltrace2", condition: .when(traits: ["Tools"]))],
            // In the executable: the installed tool is one file.
            resources: pageParts.map { .embedInCode("Page/Web/\($0)") }),
        c("CScreen", in: "Tool", ["CTerminalRestore"], libraries: ["ncursesw"]),
        swift("RerenderToolBase", in: "Tool", ["RerenderModel", "RerenderQuery"] + nio),
        swift("RerenderPresentation", in: "Tool", toolBase),
        swift("RerenderRun", in: "Tool", toolBase + ["RerenderDaemon", logging, lifecycle] + nio),
        swift("RerenderTop", in: "Tool", toolBase + ["CScreen", "RerenderPresentation"] + nio),
        swift(
            "RerenderRecording", in: "Tool",
            toolBase + ["RerenderDaemon", "RerenderPresentation", "RerenderRun", "RerenderTrace"] + nio,
            resources: [.embedInCode("Analyses/trace-compass.xml")]),
        swift("RerenderBudgets", in: "Tool", toolBase),
        swift("RerenderDoctor", in: "Tool", toolBase + ["RerenderDaemon", "RerenderRun"] + nio),
        swift("RerenderTool", in: "Tool", toolParts + [argumentParser] + nio),
        program("rerenderctl", in: "Tool", ["RerenderTool"]),

        // What `Scripts/bench` and `Scripts/soak` run.
        .target(name: "CBench", path: "Benchmarks/CBench"),
        .executableTarget(
            name: "rerender-bench",
            dependencies: [
                "CBench", "CSignpost", "RenderLoop", "Rerender", "RerenderModel", "RerenderQuery", "RerenderWire",
                "Signpost",
                "TestSupport", argumentParser,
            ],
            path: "Benchmarks/rerender-bench", swiftSettings: strict + probes),
        .executableTarget(
            name: "rerender-soak",
            dependencies: ["RerenderModel", "RerenderQuery", "TestSupport", "staller", argumentParser],
            path: "Benchmarks/rerender-soak", swiftSettings: strictTests),

        // The vocabulary of the tests, and the processes that they start.
        testLibrary("TestTags"),
        testLibrary("TestSupport", ["RerenderModel", "RerenderQuery", "RerenderWire"]),
        testLibrary("CauseCorpus", ["Rerender", "RerenderModel"]),
        .target(name: "CAllocationCount", path: "Tests/Processes/CAllocationCount", cSettings: strictC),
        testLibrary("WriterKit", in: "Tests/Processes"),
        testLibrary("WriterCorpus", in: "Tests/Processes", ["Rerender", "WriterKit"]),
        process("allocations", ["CAllocationCount", "Rerender"]),
        process("corpus", ["CauseCorpus", "Rerender"]),
        process("counting", ["Rerender"]),
        process("staller", ["Rerender"]),
        process("loops", ["CRerender", "Rerender", "RerenderModel"]),
        process("hanging", ["CAllocationCount", "CRerender", "Rerender"]),
        process("priority", ["RerenderDaemon"]),
        process("notifier", ["RerenderDaemon", "RerenderModel", logging]),
        process("steady", ["Rerender"]),
        process("signpost-probe", ["CSignpost", "Signpost"]),
        process("redraws", ["RenderLoop", "Rerender", openCombine]),
        .executableTarget(
            name: "ReleaseScreen", dependencies: ["RenderLoop", "Rerender"],
            path: "Tests/Fixtures/ReleaseScreen/Sources/ReleaseScreen", swiftSettings: strictTests),
        .executableTarget(name: "trigger-listener", path: "Tests/Processes/trigger-listener", cSettings: strictC),
        process("wire-app", ["RerenderModel", "RerenderWire", "TestSupport"]),
        process("turns", ["RenderLoop", "Rerender"]),
        process("writers", ["CAllocationCount", "CRerender", "Rerender", "WriterCorpus"]),

        // Tests; what is excluded is started or read by them.
        tests("SignpostTests", ["CSignpost", "Signpost", "signpost-probe", "trigger-listener"], exclude: ["ABI"]),
        tests("RerenderModelTests", ["RerenderModel"]),
        tests("RerenderQueryTests", ["RerenderModel", "RerenderQuery"]),
        tests("RerenderWireTests", ["RerenderModel", "RerenderWire"]),
        tests(
            "RerenderTests",
            [
                "CRerender", "CauseCorpus", "Rerender", "RerenderModel", "RerenderWire", "WriterCorpus", "corpus",
                "counting", "hanging", "loops", "writers",
            ]),
        tests("RerenderTestingTests", ["Rerender", "RerenderTesting"]),
        tests(
            "RenderLoopTests",
            ["RenderLoop", "RenderLoopScenarios", "Rerender", "RerenderModel", "turns", openCombine]),
        tests(
            "RerenderDaemonTests",
            [
                "RerenderDaemon", "RerenderModel", "RerenderQuery", "RerenderWire", "notifier", "priority", "rerenderd",
                "wire-app", logging,
            ] + nio,
            exclude: ["Notifications/service.py"]),
        tests(
            "RerenderTraceTests",
            ["RerenderModel", "RerenderTrace", "counting", "rerender-demo", "rerenderctl", "signpost-probe"],
            exclude: ["Page/selftest.js"]),
        tests(
            "RerenderToolTests",
            toolParts + [
                "RerenderTool", "counting", "rerender-demo", "rerenderctl", "rerenderd", "signpost-probe", "staller",
            ]),
        tests(
            "EndToEndTests", ["RerenderModel", "RerenderQuery", "ReleaseScreen", "priority", "redraws", "staller"],
            exclude: ["Systemd"]),
        tests("DocumentTests", ["rerender-demo", "rerenderctl", "rerenderd"]),
    ]
)
