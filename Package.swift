// swift-tools-version: 6.2
import Foundation
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

/// A build that names no trait has GTK's part where GTK's headers are. SwiftPM keeps what it read here: where they came later, the trait
/// has to be named once.
let partsByHeaders =
    FileManager.default.fileExists(atPath: "/usr/include/gtk-4.0/gtk/gtk.h")
    ? ["Tools", "RenderLoop", "GTK"] : ["Tools", "RenderLoop"]

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
    exclude: [String] = [], libraries: [String] = [], settings: [CSetting] = strictC
) -> Target {
    .target(
        name: name, dependencies: all(targets, others), path: "\(folder)/\(name)", exclude: exclude,
        cSettings: settings, linkerSettings: libraries.map { .linkedLibrary($0) })
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

/// What the commands depend on, and the tests of them.
let toolParts = "RerenderDaemon RerenderModel RerenderShow RerenderTrace"

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
        .default(enabledTraits: Set(partsByHeaders)),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // Shared: what app, daemon and tool agree on.
        c("CShared", in: shared),
        swift("Signpost", in: shared, "CShared"),
        swift("RerenderModel", in: shared),
        // Its reader cannot outlive the bytes that it reads.
        swift(
            "RerenderWire", in: shared, "RerenderModel", settings: strict + [.enableExperimentalFeature("Lifetimes")]),

        // App: what an app and its tests link. The toolchain and nothing else.
        c(
            "CRerender", in: app, "CShared",
            settings: strictC + probeConditions.map { .define("RERENDER_PROBES", $0) }),
        swift("Rerender", in: app, "CRerender CShared RerenderModel RerenderWire Signpost", settings: probed),
        swift("RerenderTesting", in: app, "Rerender"),

        // Inject: what is loaded into programs that know nothing of it. Scripts/lib/inject links it.
        c("CInject", in: inject),
        swift("RerenderInject", in: inject, "CInject Rerender RerenderModel", settings: probed),

        // GTK: the widgets of a process. Without the trait, its sources are empty. Scripts/lib/inject links it.
        .systemLibrary(name: "CGTK", path: "\(gtk)/CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        c("CRerenderGTK", in: gtk, "CShared", [part("CGTK", trait: "GTK")], settings: gtkC),
        swift("RerenderGTK", in: gtk, "CRerenderGTK Rerender RerenderModel", settings: probed + gtkTrait),

        // RenderLoop: a view graph that behaves as SwiftUI is documented to, and the demo. Its folder GTK is empty without the trait. The
        // scenarios are a module of their own: views of RenderLoop's own module are a framework's, which are not counted.
        swift(
            "RenderLoop", in: renderLoop, "Rerender",
            [openCombine, part("CRerenderGTK", trait: "GTK"), part("RerenderGTK", trait: "GTK")],
            settings: probed + gtkTrait),
        swift(
            "RenderLoopScenarios", in: renderLoop, "RenderLoop Rerender", [openCombine], settings: probed + gtkTrait),
        program(
            "rerender-demo", in: renderLoop, "CShared RenderLoop RenderLoopScenarios Rerender", [argumentParser],
            settings: probed + gtkTrait),

        // Daemon.
        swift("RerenderDaemon", in: daemon, "CShared RerenderModel RerenderWire Signpost", [logging] + nio),
        program("rerenderd", in: daemon, "RerenderDaemon RerenderModel", [argumentParser, logging]),

        // Tool: the command line. What is excluded is compiled into the program by `#embed`.
        c(
            "CScreen", in: tool, "CShared", exclude: ["Analyses/rerender-trace-compass.xml", "Page/Web"],
            libraries: ["babeltrace2", "ncursesw"]),
        swift("RerenderTrace", in: tool, "CScreen CShared RerenderModel"),
        swift("RerenderShow", in: tool, "CScreen RerenderModel", nio),
        swift("RerenderTool", in: tool, "CScreen " + toolParts, [argumentParser, logging] + nio),
        program("rerenderctl", in: tool, "RerenderTool"),

        // SwiftPM builds one target or one product at a time: this one is all programs, for `Scripts/demo`.
        swift("Programs", in: "Scripts/lib", "rerender-demo rerenderctl rerenderd"),

        // What `Scripts/bench`, `Scripts/soak` and `Scripts/chaos` run. What is excluded is compiled by them.
        c("CBench", in: "Benchmarks", exclude: ["Programs"]),
        program(
            "rerender-bench", in: "Benchmarks",
            "CBench RenderLoop Rerender RerenderInject RerenderModel RerenderWire Signpost TestSupport",
            [argumentParser], settings: probed),
        program(
            "rerender-soak", in: "Benchmarks",
            "CBench RenderLoop RenderLoopScenarios Rerender RerenderModel TestSupport counting daemon-lab loops",
            [argumentParser, openCombine],
            settings: strictTests + probeConditions.map { .define("RERENDER_PROBES", $0) }),
        program(
            "rerender-chaos", in: "Benchmarks", "RerenderModel TestSupport counting rerenderd", [argumentParser],
            settings: strictTests),

        // The vocabulary of the tests.
        support("TestTraits"),
        support("TestSupport", "CShared RerenderModel RerenderWire"),
        support("DaemonSupport", "RerenderDaemon RerenderModel RerenderWire TestSupport", [logging] + nio),
        support("DocumentSupport", "RerenderModel TestSupport"),
        support(
            "RenderLoopSupport", "RenderLoop RenderLoopScenarios Rerender RerenderModel TestSupport", [openCombine]),
        support("SignpostSupport", "CShared Signpost TestSupport"),
        support("ToolSupport", toolParts + " RerenderTool TestSupport", nio),
        support("TraceSupport", "CShared RerenderModel RerenderTrace TestSupport", exclude: ["selftest.js"]),
        support("FoundationLookalikes"),
        support("StateFramework"),
        support("CauseCorpus", "FoundationLookalikes Rerender RerenderModel StateFramework"),
        support("TestMetadata", "CInject"),
        // What `Scripts/fuzz` gives bytes by the million, and `FuzzTests` those that are kept.
        support("FuzzWire", "RerenderModel RerenderWire TestSupport"),
        support(
            "FuzzTargets",
            "CInject CRerender CShared FuzzWire Rerender RerenderDaemon RerenderModel RerenderShow RerenderTool RerenderTrace "
                + "RerenderWire TestMetadata TestSupport",
            [logging] + nio + [product("NIOEmbedded", of: "swift-nio")]),

        // The programs that tests start, and what they need. Most do what their first argument says; a test counts them.
        c("CAllocationCount", in: processes),
        c("CFuzzer", in: processes),
        c("CHUDHost", in: processes, "CRerenderGTK", [part("CGTK", trait: "GTK")], settings: gtkC),
        c("CJumps", in: processes),
        swift("FoundationExtras", in: processes, settings: strictTests),
        swift("PlugIn", in: processes, "Rerender", settings: strictTests),
        swift("WriterKit", in: processes, "Rerender", settings: strictTests),
        swift("WriterCorpus", in: processes, "Rerender WriterKit", settings: strictTests),
        started("corpus", "CauseCorpus Rerender WriterCorpus"),
        started("counting", "Rerender Signpost"),
        started("daemon-lab", "RerenderDaemon RerenderModel RerenderWire TestSupport", [logging]),
        started("fuzzer", "CFuzzer FuzzTargets FuzzWire"),
        started("loops", "CRerender Rerender RerenderModel"),
        started("measured", "CAllocationCount CRerender Rerender WriterCorpus"),
        // Small, so that it is built in a minute for `Scripts/fuzz --mutations`.
        started("mutator", "CFuzzer FuzzWire TestSupport"),
        // Knows nothing of Rerender.
        started("plain-views", "CBench CJumps"),
        started("probes", "CJumps Rerender"),
        program(
            "screens", in: processes,
            "CHUDHost CRerenderGTK RenderLoop RenderLoopScenarios Rerender RerenderGTK RerenderModel", [openCombine],
            settings: strictTests + gtkTrait),
        // Links nothing that loads LTTng.
        started("signpost-probe", "CShared Signpost"),
        // A package of its own, too, as a user has one: with no settings of ours.
        swift("Bare", in: releaseCost, settings: []),
        swift("Probed", in: releaseCost, "Rerender", settings: []),
        program("ReleaseCost", in: releaseCost, "Bare Probed", settings: []),

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
            "CRerender DaemonSupport RerenderDaemon RerenderModel RerenderWire",
            [logging] + nio + [product("NIOEmbedded", of: "swift-nio")]),
        tests(
            "RerenderGTKTests", in: pure,
            "CRerenderGTK RenderLoop RenderLoopScenarios Rerender RerenderGTK RerenderModel",
            settings: strictTests + gtkTrait),
        tests("RerenderInjectTests", in: pure, "CInject RerenderInject RerenderModel TestMetadata"),
        tests("RerenderModelTests", in: pure, "RerenderModel"),
        tests("RerenderQueryTests", in: pure, "RerenderModel"),
        tests("RerenderTestingTests", in: pure, "Rerender RerenderTesting"),
        tests(
            "RerenderTests", in: pure,
            "CRerender CauseCorpus FoundationExtras Rerender RerenderModel RerenderWire WriterCorpus WriterKit"),
        tests("RerenderToolTests", in: pure, toolParts + " RerenderTool ToolSupport"),
        tests("RerenderTraceTests", in: pure, "CShared RerenderModel RerenderTrace TraceSupport"),
        tests("RerenderWireTests", in: pure, "RerenderModel RerenderWire"),
        tests("SignpostTests", in: pure, "CShared Signpost"),
        tests("StructureTests", in: pure, ""),

        // Tests with real processes. What is excluded is started by them.
        tests(
            "EndToEndTests", in: process,
            "CInject CShared DocumentSupport PlugIn RerenderInject RerenderModel RerenderWire "
                + "SignpostSupport TestMetadata counting daemon-lab loops measured plain-views probes rerender-demo rerenderctl rerenderd screens "
                + "signpost-probe",
            exclude: ["Systemd"]),
        tests(
            "RerenderDaemonProcessTests", in: process,
            "CRerender DaemonSupport RerenderDaemon RerenderModel RerenderWire counting daemon-lab rerenderd",
            [logging] + nio + [product("NIOEmbedded", of: "swift-nio")], exclude: ["Notifications/service.py"]),
        tests(
            "RerenderGTKProcessTests", in: process,
            "CRerenderGTK RenderLoop RenderLoopScenarios Rerender RerenderGTK RerenderModel rerender-demo screens",
            settings: strictTests + gtkTrait),
        tests(
            "RerenderProcessTests", in: process,
            "CRerender CauseCorpus FoundationExtras RenderLoop RenderLoopScenarios RenderLoopSupport Rerender RerenderModel RerenderWire "
                + "WriterCorpus WriterKit corpus counting loops measured screens",
            [openCombine]),
        tests(
            "RerenderToolProcessTests", in: process,
            toolParts
                + " FuzzTargets FuzzWire RerenderTool ToolSupport counting daemon-lab loops rerender-demo rerenderctl rerenderd signpost-probe"
        ),
        tests(
            "RerenderTraceProcessTests", in: process,
            "RerenderModel RerenderTrace TraceSupport counting rerender-demo rerenderctl signpost-probe"),
        tests(
            "SignpostProcessTests", in: process,
            "Signpost SignpostSupport signpost-probe",
            exclude: ["ABI"]),
    ])
