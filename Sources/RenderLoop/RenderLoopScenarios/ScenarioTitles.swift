// SPDX-License-Identifier: MIT
// The scenarios as a window lists them.

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
