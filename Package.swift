// swift-tools-version: 6.2
import PackageDescription

// Strictness lives here, so that it holds for every target and every machine.
let strictC: [CSetting] = [.treatAllWarnings(as: .error), .enableWarning("all"), .enableWarning("extra")]

/// `Scripts/fuzz` counts the ways through our own code, and not through that of others. The compiler obeys the last `-sanitize` alone,
/// so that two of SwiftPM's `--sanitize` are one.
let counted: [SwiftSetting] =
    Context.environment["RERENDER_FUZZ"] == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer,address"])]

let strictTests: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .treatWarning("ExplicitSendable", as: .error)]
    + ["MemberImportVisibility", "InternalImportsByDefault", "ExistentialAny"].map { .enableUpcomingFeature($0) }
    + counted

/// Code that ships says `unsafe` where it is; tests may read an address without a proof beside each use.
let strict = strictTests + [.strictMemorySafety()]

/// With the probes compiled in: in debug builds, and where the trait asks for them.
let probeConditions: [BuildSettingCondition] = [.when(configuration: .debug), .when(traits: ["AlwaysOn"])]
let probed = strict + probeConditions.map { .define("RERENDER_PROBES", $0) }

// Packages of others, each fetched only with the trait that needs it.
func product(_ name: String, of package: String, trait: String = "Tools") -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: [trait]))
}

func part(_ name: String, trait: String) -> Target.Dependency { .target(name: name, condition: .when(traits: [trait])) }

let argumentParser = product("ArgumentParser", of: "swift-argument-parser")
let logging = product("Logging", of: "swift-log")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1"].map { product($0, of: "swift-nio") }
let openCombine = product("OpenCombine", of: "OpenCombine", trait: "RenderLoop")

// Targets. Each lies in a folder of its name; those that it depends on are names with spaces between them.
let (shared, app, renderLoop) = ("Sources/Shared", "Sources/App", "Sources/RenderLoop")
let (inject, daemon, tool, processes) = ("Sources/Inject", "Sources/Daemon", "Sources/Tool", "Tests/Processes")
let gtk = "Sources/GTK"

/// For what includes GTK's headers, those of later versions too: what these call deprecated is no error.
let gtkC: [CSetting] =
    strictC + [
        .define("RERENDER_GTK", .when(traits: ["GTK"])), .define("GDK_VERSION_MIN_REQUIRED", to: "GDK_VERSION_4_8"),
        .define("GLIB_VERSION_MIN_REQUIRED", to: "GLIB_VERSION_2_66"),
    ]

/// Says in Swift's sources whether the trait is on, which needs GTK's headers.
let gtkTrait: [SwiftSetting] = [.define("RERENDER_GTK", .when(traits: ["GTK"]))]

func all(_ targets: String, _ others: [Target.Dependency]) -> [Target.Dependency] {
    targets.split(separator: " ").map { .byName(name: String($0)) } + others
}

func swift(
    _ name: String, in folder: String, _ targets: String = "", _ others: [Target.Dependency] = [],
    settings: [SwiftSetting] = strict
) -> Target {
    .target(
        name: name, dependencies: all(targets, others), path: "\(folder)/\(name)",
        swiftSettings: settings)
}

func c(
    _ name: String, in folder: String, _ targets: String = "", _ others: [Target.Dependency] = [],
    libraries: [String] = [], settings: [CSetting] = strictC
) -> Target {
    .target(
        name: name, dependencies: all(targets, others), path: "\(folder)/\(name)", cSettings: settings,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

func program(
    _ name: String, in folder: String, _ targets: String, _ others: [Target.Dependency] = [],
    settings: [SwiftSetting] = strict
) -> Target {
    .executableTarget(
        name: name, dependencies: all(targets, others), path: "\(folder)/\(name)", swiftSettings: settings)
}

func process(_ name: String, _ targets: String, _ others: [Target.Dependency] = []) -> Target {
    program(name, in: processes, targets, others, settings: strictTests)
}

func tests(
    _ name: String, _ targets: String, _ others: [Target.Dependency] = [], exclude: [String] = [],
    settings: [SwiftSetting] = strictTests
) -> Target {
    .testTarget(
        name: name, dependencies: all("TestSupport TestTags " + targets, others), exclude: exclude,
        swiftSettings: settings)
}

/// What every part of the tool depends on, and all its parts.
let toolBase = "RerenderModel RerenderQuery RerenderToolBase"
let toolParts =
    toolBase + " RerenderBudgets RerenderDaemon RerenderDoctor RerenderPresentation RerenderRecording RerenderRun"
    + " RerenderSettings RerenderTop RerenderTrace"

let package = Package(
    name: "rerender",
    products: ["Rerender", "Signpost", "RenderLoop", "RerenderTesting"].map { .library(name: $0, targets: [$0]) }
        + ["RerenderInject", "RerenderGTK"].map { .library(name: $0, type: .static, targets: [$0]) }
        + ["rerenderd", "rerenderctl", "rerender-demo"].map { .executable(name: $0, targets: [$0]) },
    traits: [
        .trait(
            name: "AlwaysOn", description: "Keep probes in release builds.", enabledTraits: ["Tools", "RenderLoop"]),
        .trait(name: "Tools", description: "The daemon and the command line, with the packages that they need."),
        .trait(
            name: "GTK", description: "The widgets of GTK 4, with its headers.",
            enabledTraits: ["Tools", "RenderLoop"]),
        .trait(name: "RenderLoop", description: "The headless render loop, with the package that it needs."),
        .default(enabledTraits: ["Tools", "RenderLoop"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // Shared: what app, daemon and tool agree on.
        c("CDescriptors", in: shared),
        c("CImports", in: shared),
        c("CSignpost", in: shared, "CDescriptors CImports"),
        c("CTerminalRestore", in: shared),
        swift("Signpost", in: shared, "CSignpost"),
        swift("RerenderModel", in: shared),
        swift("RerenderQuery", in: shared, "RerenderModel"),
        // Its reader cannot outlive the bytes that it reads.
        swift(
            "RerenderWire", in: shared, "RerenderModel", settings: strict + [.enableExperimentalFeature("Lifetimes")]),

        // App: what an app and its tests link. The toolchain and nothing else.
        c("CSymbols", in: app),
        swift("RerenderSymbols", in: app, "CDescriptors CSymbols"),
        c(
            "CRerender", in: app, "CDescriptors CSymbols",
            settings: strictC + probeConditions.map { .define("RERENDER_PROBES", $0) }),
        swift("Rerender", in: app, "CRerender RerenderModel RerenderSymbols RerenderWire Signpost", settings: probed),
        swift("RerenderTesting", in: app, "Rerender"),

        // Inject: what is loaded into programs that know nothing of it. Scripts/lib/inject links it.
        c("CInject", in: inject),
        swift("RerenderInject", in: inject, "CInject Rerender RerenderModel RerenderSymbols", settings: probed),

        // GTK: the widgets of a process. Without the trait, its sources are empty. Scripts/lib/inject links it.
        .systemLibrary(name: "CGTK", path: "\(gtk)/CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        c(
            "CRerenderGTK", in: gtk, "CImports", [part("CGTK", trait: "GTK")],
            settings: gtkC),
        swift("RerenderGTK", in: gtk, "CRerenderGTK Rerender RerenderModel", settings: probed + gtkTrait),

        // RenderLoop: a view graph that behaves as SwiftUI is documented to, and the demo.
        swift("RenderLoop", in: renderLoop, "Rerender Signpost", [openCombine], settings: probed),
        swift("RenderLoopScenarios", in: renderLoop, "RenderLoop Rerender", [openCombine], settings: probed),
        c(
            "CRenderLoopGTK", in: renderLoop, "", [part("CGTK", trait: "GTK")],
            settings: gtkC),
        swift(
            "RenderLoopGTK", in: renderLoop, "CRenderLoopGTK RenderLoop RenderLoopScenarios Rerender RerenderGTK",
            settings: probed + gtkTrait),
        program(
            "rerender-demo", in: renderLoop,
            "CTerminalRestore RenderLoop RenderLoopGTK RenderLoopScenarios Rerender RerenderModel", [argumentParser],
            settings: probed + gtkTrait),

        // Daemon.
        c("CMessageBus", in: daemon),
        swift(
            "RerenderDaemon", in: daemon,
            "CMessageBus RerenderModel RerenderQuery RerenderSettings RerenderWire Signpost",
            [logging] + nio
        ),
        swift("RerenderSettings", in: daemon, "RerenderModel RerenderQuery"),
        program(
            "rerenderd", in: daemon, "RerenderDaemon RerenderModel RerenderSettings",
            [argumentParser, logging]),

        // Tool: the command line.
        .systemLibrary(
            name: "CBabeltrace2", path: "Sources/Tool/CBabeltrace2", pkgConfig: "babeltrace2",
            providers: [.apt(["libbabeltrace2-dev"])]),
        .target(name: "CPage", path: "\(tool)/CPage", exclude: ["Web"], cSettings: strictC),
        swift("RerenderTrace", in: tool, "CPage RerenderModel", [part("CBabeltrace2", trait: "Tools")]),
        c("CScreen", in: tool, "CTerminalRestore", libraries: ["ncursesw"]),
        swift("RerenderToolBase", in: tool, "RerenderModel RerenderQuery", nio),
        swift("RerenderPresentation", in: tool, toolBase),
        swift("RerenderRun", in: tool, toolBase + " RerenderDaemon RerenderSettings", [logging] + nio),
        swift("RerenderTop", in: tool, toolBase + " CScreen RerenderPresentation", nio),
        swift(
            "RerenderRecording", in: tool, toolBase + " RerenderDaemon RerenderPresentation RerenderRun RerenderTrace",
            nio),
        swift("RerenderBudgets", in: tool, toolBase),
        swift("RerenderDoctor", in: tool, toolBase + " RerenderDaemon RerenderRun", nio),
        swift("RerenderTool", in: tool, toolParts, [argumentParser] + nio),
        program("rerenderctl", in: tool, "RerenderTool"),

        // SwiftPM builds one target or one product at a time: this one is all programs, for `Scripts/demo`.
        swift("Programs", in: "Scripts/lib", "rerender-demo rerenderctl rerenderd"),

        // What `Scripts/bench` and `Scripts/soak` run.
        c("CBench", in: "Benchmarks"),
        program(
            "rerender-bench", in: "Benchmarks",
            "CBench RenderLoop Rerender RerenderInject RerenderModel RerenderQuery RerenderWire Signpost TestSupport",
            [argumentParser], settings: probed),
        program("plain-views", in: "Benchmarks", "CBench", settings: strictTests),
        program(
            "rerender-soak", in: "Benchmarks",
            "CBench RenderLoop RenderLoopScenarios Rerender RerenderModel RerenderQuery TestSupport staller",
            [argumentParser, openCombine],
            settings: strictTests + probeConditions.map { .define("RERENDER_PROBES", $0) }),

        program(
            "rerender-chaos", in: "Benchmarks", "RerenderModel RerenderQuery TestSupport chaos-app rerenderd",
            [argumentParser],
            settings: strictTests),

        // The vocabulary of the tests, and the processes that they start.
        swift("TestTags", in: "Tests", settings: strictTests),
        swift("TestSupport", in: "Tests", "RerenderModel RerenderQuery RerenderWire", settings: strictTests),
        swift("FoundationLookalikes", in: "Tests", settings: strictTests),
        swift("StateFramework", in: "Tests", settings: strictTests),
        swift(
            "CauseCorpus", in: "Tests", "FoundationLookalikes Rerender RerenderModel StateFramework",
            settings: strictTests),
        swift("TestMetadata", in: "Tests", "CInject", settings: strictTests),
        // What `Scripts/fuzz` gives bytes by the million, and `FuzzTests` those that are kept.
        swift("FuzzWire", in: "Tests", "RerenderModel RerenderWire TestSupport", settings: strictTests),
        swift(
            "FuzzTargets", in: "Tests",
            "CInject CSymbols FuzzWire RerenderBudgets RerenderDaemon RerenderModel RerenderPresentation RerenderQuery "
                + "RerenderRun RerenderSettings RerenderSymbols RerenderToolBase RerenderTrace RerenderWire TestMetadata "
                + "TestSupport",
            [logging] + nio + [product("NIOEmbedded", of: "swift-nio")], settings: strictTests),
        c("CFuzzer", in: processes),
        process("fuzzer", "CFuzzer FuzzTargets FuzzWire"),
        process("mutator", "CFuzzer FuzzWire TestSupport"),
        c("CAllocationCount", in: processes),
        c("CJumps", in: processes),
        process("jumps", "CJumps Rerender"),
        swift("WriterKit", in: processes, "Rerender", settings: strictTests),
        swift("WriterCorpus", in: processes, "Rerender WriterKit", settings: strictTests),
        swift("FoundationExtras", in: processes, settings: strictTests),
        process("chaos-app", "Rerender"),
        process("allocations", "CAllocationCount Rerender"),
        process("corpus", "CauseCorpus Rerender"),
        process("counting", "Rerender"),
        swift("PlugIn", in: processes, "Rerender", settings: strictTests),
        process("copies", "Rerender"),
        process("staller", "Rerender"),
        process("loops", "CRerender Rerender RerenderModel"),
        process("hanging", "CAllocationCount CRerender Rerender"),
        process("priority", "RerenderDaemon"),
        process("notifier", "RerenderDaemon RerenderModel", [logging]),
        process("steady", "Rerender"),
        process("signpost-probe", "Signpost"),
        process("redraws", "RenderLoop Rerender", [openCombine]),
        .executableTarget(name: "trigger-listener", path: "Tests/Processes/trigger-listener", cSettings: strictC),
        process("wire-app", "RerenderModel RerenderWire TestSupport"),
        process("turns", "RenderLoop Rerender"),
        process("writers", "CAllocationCount CRerender Rerender WriterCorpus"),
        c(
            "CHUDHost", in: processes, "CRerenderGTK", [part("CGTK", trait: "GTK")],
            settings: gtkC),
        program(
            "hud-host", in: processes, "CHUDHost CRerenderGTK Rerender RerenderGTK", settings: strictTests + gtkTrait),
        program(
            "screen-host", in: processes, "RenderLoop RenderLoopGTK RenderLoopScenarios Rerender RerenderModel",
            settings: strictTests + gtkTrait),
        program("ReleaseScreen", in: "Tests/Fixtures", "RenderLoop Rerender", settings: strictTests),
        program("LoopReasons", in: "Tests/Fixtures", "RenderLoop", [openCombine], settings: strictTests),
        program("Jumpers", in: "Tests/Fixtures", "CJumps", settings: strictTests),
        program("OwnProbes", in: "Tests/Fixtures", "Rerender", settings: strictTests),

        // Tests; what is excluded is started or read by them.
        tests("FuzzTests", "FuzzTargets FuzzWire", exclude: ["Corpora", "readers.py"]),
        tests("SignpostTests", "CSignpost Signpost signpost-probe trigger-listener", exclude: ["ABI"]),
        tests(
            "RerenderGTKTests",
            "CRerenderGTK RenderLoop RenderLoopScenarios Rerender RerenderGTK RerenderModel hud-host rerender-demo screen-host",
            settings: strictTests + gtkTrait),
        tests("RerenderModelTests", "RerenderModel"),
        tests("RerenderQueryTests", "RerenderModel RerenderQuery"),
        tests("RerenderWireTests", "RerenderModel RerenderWire"),
        tests(
            "RerenderTests",
            "CRerender CauseCorpus FoundationExtras Rerender RerenderModel RerenderSymbols RerenderWire WriterCorpus "
                + "WriterKit corpus counting hanging loops writers"),
        tests("RerenderTestingTests", "Rerender RerenderTesting"),
        tests("RenderLoopTests", "RenderLoop RenderLoopScenarios Rerender RerenderModel turns", [openCombine]),
        tests(
            "RerenderDaemonTests",
            "CRerender RerenderDaemon RerenderModel RerenderQuery RerenderSettings RerenderWire chaos-app notifier priority rerenderd steady "
                + "wire-app",
            [logging] + nio + [product("NIOEmbedded", of: "swift-nio")], exclude: ["Notifications/service.py"]),
        tests(
            "RerenderTraceTests",
            "CSignpost RerenderModel RerenderTrace counting rerender-demo rerenderctl signpost-probe",
            exclude: ["Page/selftest.js"]),
        tests(
            "RerenderToolTests",
            toolParts + " RerenderTool counting rerender-demo rerenderctl rerenderd signpost-probe staller"),
        tests(
            "EndToEndTests",
            "CInject CSignpost Jumpers LoopReasons OwnProbes PlugIn RerenderInject RerenderModel RerenderQuery RerenderWire ReleaseScreen "
                + "TestMetadata copies hud-host jumps priority redraws staller",
            exclude: ["Systemd"]),
        tests("DocumentTests", "rerender-demo rerenderctl rerenderd RerenderModel RerenderWire"),
        tests("StructureTests", ""),
    ])
