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
let (pure, process) = ("Pure", "Process")
let releaseCost = "Tests/Fixtures/ReleaseCost/Sources"

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

func started(_ name: String, _ targets: String, _ others: [Target.Dependency] = []) -> Target {
    program(name, in: processes, targets, others, settings: strictTests)
}

/// What tests share, and no app links.
func support(_ name: String, _ targets: String = "", _ others: [Target.Dependency] = [], exclude: [String] = [])
    -> Target
{
    .target(
        name: name, dependencies: all(targets, others), path: "Tests/Support/\(name)", exclude: exclude,
        swiftSettings: strictTests)
}

func tests(
    _ name: String, in folder: String, _ targets: String, _ others: [Target.Dependency] = [], exclude: [String] = [],
    settings: [SwiftSetting] = strictTests
) -> Target {
    .testTarget(
        name: name, dependencies: all("TestSupport TestTraits " + targets, others), path: "Tests/\(folder)/\(name)",
        exclude: exclude, swiftSettings: settings)
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
        swift(
            "Rerender", in: app, "CRerender CSignpost RerenderModel RerenderSymbols RerenderWire Signpost",
            settings: probed),
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
        swift("RenderLoop", in: renderLoop, "Rerender", [openCombine], settings: probed),
        swift("RenderLoopScenarios", in: renderLoop, "RenderLoop Rerender", [openCombine], settings: probed),
        c(
            "CRenderLoopGTK", in: renderLoop, "", [part("CGTK", trait: "GTK")],
            settings: gtkC),
        swift(
            "RenderLoopGTK", in: renderLoop, "CRenderLoopGTK RenderLoop RenderLoopScenarios Rerender RerenderGTK",
            settings: probed + gtkTrait),
        program(
            "rerender-demo", in: renderLoop,
            "CTerminalRestore RenderLoop RenderLoopGTK RenderLoopScenarios Rerender", [argumentParser],
            settings: probed + gtkTrait),

        // Daemon.
        c("CMessageBus", in: daemon),
        swift(
            "RerenderDaemon", in: daemon,
            "CMessageBus CSignpost RerenderModel RerenderQuery RerenderSettings RerenderWire Signpost",
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
        swift("RerenderTrace", in: tool, "CPage CSignpost RerenderModel", [part("CBabeltrace2", trait: "Tools")]),
        c("CScreen", in: tool, "CTerminalRestore", libraries: ["ncursesw"]),
        swift("RerenderToolBase", in: tool, "RerenderModel RerenderQuery", nio),
        swift("RerenderPresentation", in: tool, toolBase),
        swift("RerenderRun", in: tool, toolBase + " RerenderDaemon RerenderSettings", [logging] + nio),
        swift("RerenderTop", in: tool, toolBase + " CScreen RerenderPresentation", nio),
        .target(
            name: "CAnalyses", path: "\(tool)/CAnalyses", exclude: ["rerender-trace-compass.xml"], cSettings: strictC),
        swift(
            "RerenderRecording", in: tool,
            toolBase + " CAnalyses RerenderDaemon RerenderPresentation RerenderRun RerenderTrace", nio),
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
        support("TestTraits"),
        support("TestSupport", "RerenderModel RerenderQuery RerenderWire"),
        support(
            "DaemonSupport", "RerenderDaemon RerenderModel RerenderQuery RerenderSettings RerenderWire TestSupport",
            [logging] + nio),
        support("DocumentSupport", "RerenderModel TestSupport"),
        support(
            "RenderLoopSupport", "RenderLoop RenderLoopScenarios Rerender RerenderModel TestSupport", [openCombine]),
        support("SignpostSupport", "Signpost TestSupport"),
        support("ToolSupport", toolParts + " RerenderTool TestSupport", nio),
        support("TraceSupport", "CPage CSignpost RerenderModel RerenderTrace TestSupport", exclude: ["selftest.js"]),
        support("FoundationLookalikes"),
        support("StateFramework"),
        support("CauseCorpus", "FoundationLookalikes Rerender RerenderModel StateFramework"),
        support("TestMetadata", "CInject"),
        // What `Scripts/fuzz` gives bytes by the million, and `FuzzTests` those that are kept.
        support("FuzzWire", "RerenderModel RerenderWire TestSupport"),
        support(
            "FuzzTargets",
            "CInject CSignpost CSymbols FuzzWire RerenderBudgets RerenderDaemon RerenderModel RerenderPresentation RerenderQuery "
                + "RerenderRun RerenderSettings RerenderSymbols RerenderToolBase RerenderTrace RerenderWire TestMetadata "
                + "TestSupport",
            [logging] + nio + [product("NIOEmbedded", of: "swift-nio")]),
        c("CFuzzer", in: processes),
        started("fuzzer", "CFuzzer FuzzTargets FuzzWire"),
        started("mutator", "CFuzzer FuzzWire TestSupport"),
        c("CAllocationCount", in: processes),
        c("CJumps", in: processes),
        started("jumps", "CJumps Rerender"),
        swift("WriterKit", in: processes, "Rerender", settings: strictTests),
        swift("WriterCorpus", in: processes, "Rerender WriterKit", settings: strictTests),
        swift("FoundationExtras", in: processes, settings: strictTests),
        started("chaos-app", "Rerender"),
        started("allocations", "CAllocationCount Rerender"),
        started("corpus", "CauseCorpus Rerender"),
        started("counting", "Rerender"),
        swift("PlugIn", in: processes, "Rerender", settings: strictTests),
        started("copies", "Rerender"),
        started("staller", "Rerender"),
        started("loops", "CRerender Rerender RerenderModel"),
        started("hanging", "CAllocationCount CRerender Rerender"),
        started("priority", "RerenderDaemon"),
        started("notifier", "RerenderDaemon RerenderModel", [logging]),
        started("steady", "Rerender"),
        started("signpost-probe", "CSignpost Signpost"),
        started("redraws", "RenderLoop Rerender", [openCombine]),
        .executableTarget(name: "trigger-listener", path: "Tests/Processes/trigger-listener", cSettings: strictC),
        started("wire-app", "RerenderModel RerenderWire TestSupport"),
        started("turns", "RenderLoop Rerender"),
        started("writers", "CAllocationCount CRerender Rerender WriterCorpus"),
        c(
            "CHUDHost", in: processes, "CRerenderGTK", [part("CGTK", trait: "GTK")],
            settings: gtkC),
        program(
            "hud-host", in: processes, "CHUDHost CRerenderGTK Rerender RerenderGTK", settings: strictTests + gtkTrait),
        program(
            "screen-host", in: processes, "RenderLoop RenderLoopGTK RenderLoopScenarios Rerender RerenderModel",
            settings: strictTests + gtkTrait),
        program("ReleaseScreen", in: "Tests/Fixtures", "RenderLoop Rerender", settings: strictTests),
        // A package of its own, too, as a user has one: with no settings of ours.
        swift("Bare", in: releaseCost, settings: []),
        swift("Probed", in: releaseCost, "Rerender", settings: []),
        program("ReleaseCost", in: releaseCost, "Bare Probed", settings: []),
        program("LoopReasons", in: "Tests/Fixtures", "RenderLoop", [openCombine], settings: strictTests),
        program("Jumpers", in: "Tests/Fixtures", "CJumps", settings: strictTests),
        program("OwnProbes", in: "Tests/Fixtures", "Rerender", settings: strictTests),

        // Pure tests: they start no process, and open no socket. What is excluded is read by them.
        tests(
            "DocumentTests", in: pure,
            "DocumentSupport RerenderModel RerenderTool RerenderWire rerender-demo rerenderd", [argumentParser]),
        tests("FuzzTests", in: pure, "FuzzTargets FuzzWire", exclude: ["Corpora", "readers.py"]),
        tests(
            "RenderLoopTests", in: pure,
            "RenderLoop RenderLoopScenarios RenderLoopSupport Rerender RerenderModel rerender-demo",
            [argumentParser, openCombine]),
        tests(
            "RerenderDaemonTests", in: pure,
            "CRerender DaemonSupport RerenderDaemon RerenderModel RerenderQuery RerenderSettings RerenderWire",
            [logging] + nio + [product("NIOEmbedded", of: "swift-nio")]),
        tests(
            "RerenderGTKTests", in: pure,
            "CRerenderGTK RenderLoop RenderLoopScenarios Rerender RerenderGTK RerenderModel",
            settings: strictTests + gtkTrait),
        tests("RerenderInjectTests", in: pure, "CInject RerenderInject RerenderModel TestMetadata"),
        tests("RerenderModelTests", in: pure, "RerenderModel"),
        tests("RerenderQueryTests", in: pure, "RerenderModel RerenderQuery"),
        tests("RerenderTestingTests", in: pure, "Rerender RerenderTesting"),
        tests(
            "RerenderTests", in: pure,
            "CRerender CauseCorpus FoundationExtras Rerender RerenderModel RerenderSymbols RerenderWire WriterCorpus WriterKit"
        ),
        tests("RerenderToolTests", in: pure, toolParts + " RerenderTool ToolSupport"),
        tests("RerenderTraceTests", in: pure, "CSignpost RerenderModel RerenderTrace TraceSupport"),
        tests("RerenderWireTests", in: pure, "RerenderModel RerenderWire"),
        tests("SignpostTests", in: pure, "CSignpost Signpost"),
        tests("StructureTests", in: pure, ""),

        // Tests with real processes. What is excluded is started by them.
        tests(
            "EndToEndTests", in: process,
            "CInject CSignpost DocumentSupport Jumpers LoopReasons OwnProbes PlugIn RerenderInject RerenderModel RerenderQuery RerenderWire "
                + "ReleaseScreen TestMetadata copies counting hud-host jumps priority redraws rerender-demo rerenderctl rerenderd staller",
            exclude: ["Systemd"]),
        tests(
            "RerenderDaemonProcessTests", in: process,
            "CRerender DaemonSupport RerenderDaemon RerenderModel RerenderQuery RerenderSettings RerenderWire chaos-app notifier priority "
                + "rerenderd steady wire-app",
            [logging] + nio + [product("NIOEmbedded", of: "swift-nio")], exclude: ["Notifications/service.py"]),
        tests(
            "RerenderGTKProcessTests", in: process,
            "CRerenderGTK RenderLoop RenderLoopScenarios Rerender RerenderGTK RerenderModel hud-host rerender-demo screen-host",
            settings: strictTests + gtkTrait),
        tests(
            "RerenderProcessTests", in: process,
            "CRerender CauseCorpus FoundationExtras RenderLoop RenderLoopScenarios RenderLoopSupport Rerender RerenderModel RerenderSymbols "
                + "RerenderWire WriterCorpus WriterKit corpus counting hanging loops turns writers",
            [openCombine]),
        tests(
            "RerenderToolProcessTests", in: process,
            toolParts + " RerenderTool ToolSupport counting rerender-demo rerenderctl rerenderd signpost-probe staller"),
        tests(
            "RerenderTraceProcessTests", in: process,
            "RerenderModel RerenderTrace TraceSupport counting rerender-demo rerenderctl signpost-probe"),
        tests(
            "SignpostProcessTests", in: process,
            "Signpost SignpostSupport signpost-probe trigger-listener",
            exclude: ["ABI"]),
    ])
