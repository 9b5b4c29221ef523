// SPDX-License-Identifier: MIT
// The classic redraws, by their names and as a window lists them.

package import RenderLoop

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
