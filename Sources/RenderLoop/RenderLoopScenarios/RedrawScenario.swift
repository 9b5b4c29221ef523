// SPDX-License-Identifier: MIT
// The classic redraws, by their names and as a window lists them.

package import RenderLoop
package import Rerender

/// A screen that shows how a way to keep state decides which views are evaluated.
package enum RedrawScenario: String, CaseIterable, Sendable {
    case showmaxOneModel = "showmax-1"
    case showmaxSplitModels = "showmax-2"
    case showmaxSubObjects = "showmax-3"
    case showmaxSubjects = "showmax-4"
    case dashboardWasteful = "dashboard-wasteful"
    case dashboardOptimised = "dashboard-optimised"
    case isolationObservable = "isolation-observable"
    case isolationObject = "isolation-object"
    case formWasteful = "form-wasteful"
    case formIsolated = "form-isolated"
    case onAppearLoading = "on-appear"
    case flowLayout = "flow-layout"

    /// What it is, in a line.
    package var summary: String {
        switch self {
        case .showmaxOneModel: "a series screen with one ObservableObject for all of its views"
        case .showmaxSplitModels: "the series screen with an ObservableObject for each part"
        case .showmaxSubObjects: "the series screen with an object that holds an object for each part"
        case .showmaxSubjects:
            "the series screen with subjects; the view that shows a value receives it into its @State"
        case .dashboardWasteful: "a dashboard whose top view reads its ticking clock"
        case .dashboardOptimised: "the dashboard; only the label that shows the clock reads it"
        case .isolationObservable: "scopes beside direct reads of an @Observable model"
        case .isolationObject: "scopes beside direct reads of an ObservableObject"
        case .formWasteful: "a form whose top view keeps and reads all values"
        case .formIsolated: "the form; each row reads its own value"
        case .onAppearLoading: "an article that starts to load in onAppear, before the first commit"
        case .flowLayout: "words in lines, by sizes that are measured before the first commit"
        }
    }

    /// What can be operated, in the order of the screen.
    package var controls: [ScreenControl] {
        switch self {
        case .showmaxOneModel, .showmaxSplitModels, .showmaxSubObjects, .showmaxSubjects:
            [.button("heart"), .button("season")]
        case .dashboardWasteful, .dashboardOptimised: [.button("count")]
        case .isolationObservable, .isolationObject: [.button("skip"), .button("like")]
        case .formWasteful, .formIsolated: [.field("name"), .slider("volume"), .button("save")]
        case .onAppearLoading: [.button("finish")]
        case .flowLayout: [.button("grow")]
        }
    }

    /// A script that operates each control once.
    package var exampleScript: String {
        let steps = controls.map { control -> ScriptStep in
            switch control.kind {
            case .button: .tap(control.name)
            case .field: .type("abc")
            case .slider: .slide(0.7)
            }
        }
        return (steps + [.wait]).map(\.description).joined(separator: ",")
    }

    /// A new screen, with state of its own.
    @MainActor
    package func makeScreen() -> RedrawScreen {
        switch self {
        case .showmaxOneModel: RedrawScreen(OneModel.SeriesScreen())
        case .showmaxSplitModels: RedrawScreen(SplitModels.SeriesScreen())
        case .showmaxSubObjects: RedrawScreen(SubObjects.SeriesScreen())
        case .showmaxSubjects: RedrawScreen(SubjectAndState.SeriesScreen())
        case .dashboardWasteful: .ticking { RedrawScreen(WastefulDashboard.Dashboard(model: $0), beat: $0.advance) }
        case .dashboardOptimised: .ticking { RedrawScreen(OptimisedDashboard.Dashboard(model: $0), beat: $0.advance) }
        case .isolationObservable: RedrawScreen(ObservableIsolation.IsolationScreen())
        case .isolationObject: RedrawScreen(ObjectIsolation.IsolationScreen())
        case .formWasteful: RedrawScreen(WastefulForm.Form())
        case .formIsolated: RedrawScreen(IsolatedForm.Form())
        case .onAppearLoading: RedrawScreen(OnAppearLoading.Article())
        case .flowLayout: RedrawScreen(FlowLayout.FlowScreen())
        }
    }
}

/// A scenario's view, and what its own clock does.
@MainActor
package struct RedrawScreen {
    /// The view at the top.
    package let root: AnyView
    /// What happens when the scenario's clock beats; nil for one that has none.
    package let beat: (@MainActor () -> Void)?

    init(_ root: some View, beat: (@MainActor () -> Void)? = nil) {
        self.root = AnyView(root.rerender("\(type(of: root))"))
        self.beat = beat
    }

    fileprivate static func ticking(_ make: (DashboardModel) -> RedrawScreen) -> RedrawScreen { make(DashboardModel()) }
}

extension RedrawScenario {
    /// A group of scenarios that show the same screen.
    package struct Section: Sendable {
        /// What they show.
        package let title: String
        package let scenarios: [RedrawScenario]
    }

    /// All scenarios, in the order of a sidebar.
    package static let inSections = [
        Section(title: "Dashboard", scenarios: [.dashboardWasteful, .dashboardOptimised]),
        Section(title: "Isolation", scenarios: [.isolationObservable, .isolationObject]),
        Section(title: "Form", scenarios: [.formWasteful, .formIsolated]),
        Section(
            title: "Series", scenarios: [.showmaxOneModel, .showmaxSplitModels, .showmaxSubObjects, .showmaxSubjects]),
        Section(title: "In one turn", scenarios: [.onAppearLoading, .flowLayout]),
    ]

    /// What a window calls it.
    package var title: String {
        switch self {
        case .showmaxOneModel: "One model"
        case .showmaxSplitModels: "Split models"
        case .showmaxSubObjects: "Objects in an object"
        case .showmaxSubjects: "Subjects and state"
        case .dashboardWasteful: "Wasteful dashboard"
        case .dashboardOptimised: "Optimised dashboard"
        case .isolationObservable: "Observable model"
        case .isolationObject: "Observable object"
        case .formWasteful: "Wasteful form"
        case .formIsolated: "Isolated form"
        case .onAppearLoading: "Loads in onAppear"
        case .flowLayout: "Flow layout"
        }
    }
}

// A scenario in a loop, the evaluations of its steps, and its script in virtual time.

/// Which views were evaluated, how often, by their names.
package typealias Redraws = [String: Int]

/// A scenario in a loop of its own: performs steps and counts, from the loop's events, what they evaluate.
@MainActor
package final class RedrawRun {
    package let loop: RenderLoop
    /// What was evaluated since the last call of ``takeRedraws()``.
    package private(set) var redraws: Redraws = [:]
    /// What was evaluated in all.
    package private(set) var total: Redraws = [:]
    private let screen: RedrawScreen
    private let controls: [ScreenControl]

    /// Puts a scenario into a loop; its views appear in the first turn.
    ///
    /// - Parameters:
    ///   - scenario: What is shown.
    ///   - driver: What drives the loop.
    ///   - store: Counts the views, too; nil for none.
    ///   - size: The size of the screen, in character cells.
    package init(
        _ scenario: RedrawScenario, driver: any LoopDriver, store: RerenderStore? = nil,
        size: CellSize = CellSize(width: 60, height: 12)
    ) {
        screen = scenario.makeScreen()
        controls = scenario.controls
        loop = RenderLoop(screen.root.environment(\.rerenderStore, store), driver: driver, size: size)
        loop.observe { [weak self] event in
            // What a `ForEach` evaluates for each element is a view of its own, which no reader of the program knows.
            guard case .evaluated(let node, _) = event, node.name != "ForEachElement" else { return }
            self?.redraws[node.name, default: 0] += 1
            self?.total[node.name, default: 0] += 1
        }
    }

    /// What was evaluated since the last call.
    package func takeRedraws() -> Redraws {
        defer { redraws = [:] }
        return redraws
    }

    /// Sends a step's input, all of it for the next frame. ``ScriptStep/wait`` has none.
    package func send(_ step: ScriptStep) {
        for event in events(of: step) { loop.send(event) }
    }

    /// Whether the scenario has a clock of its own.
    package var hasBeat: Bool { screen.beat != nil }

    /// Lets the scenario's clock beat; to be called inside of a turn.
    package func beat() { screen.beat?() }

    /// Lets the clock beat as a timer of the main run loop does.
    package func beatInTurn() { loop.callOut(.timer, Self.beatLabel) { beat() } }

    private static let beatLabel = "beat"

    /// Calls `ended` at the end of each turn that had a step's input, a beat or a commit that counts, with what was
    /// evaluated since the last call.
    package func observeSteps(
        commitCounts: @escaping @MainActor () -> Bool, ended: @escaping @MainActor (Redraws) -> Void
    ) {
        var isReached = false
        loop.observe { [weak self] event in
            switch event {
            case .input, .callout(.timer, Self.beatLabel): isReached = true
            case .committed where commitCounts(): isReached = true
            case .waiting where isReached:
                isReached = false
                if let self { ended(takeRedraws()) }
            default: break
            }
        }
    }

    private func events(of step: ScriptStep) -> [InputEvent] {
        switch step {
        case .tap(let name): [InputEvent(.tap, target: name)]
        case .type(let text): text.map { InputEvent(.key($0), target: name(of: .field)) }
        case .slide(let value): [InputEvent(.value(value), target: name(of: .slider))]
        case .wait: []
        }
    }

    private func name(of kind: ScreenControl.Kind) -> String? { controls.first { $0.kind == kind }?.name }
}

extension RedrawRun {
    /// How long ``ScriptStep/wait`` waits, in nanoseconds: a frame.
    package static let beatInterval: UInt64 = 16_666_667

    /// Runs the turn of one step, and those that follow where handlers were cut off.
    package func perform(_ step: ScriptStep, on clock: VirtualClock) {
        if case .wait = step {
            clock.timer(after: Self.beatInterval, "beat") { self.beat() }
            clock.advance(by: Self.beatInterval)
        } else {
            send(step)
            clock.nextFrame()
        }
        clock.settle()
    }
}
