// SPDX-License-Identifier: MIT
// The same dashboard, where each value is read by the view that shows it.

import RenderLoop

/// The top hands the model down and reads nothing of it that changes.
enum OptimisedDashboard {
    struct Dashboard: View {
        let model: DashboardModel

        var body: some View {
            VStack(alignment: .leading) {
                Heading(title: "Dashboard").rerender("Heading")
                TickLabel(model: model).rerender("TickLabel")
                Counter(model: model).rerender("Counter")
                Notes(lines: model.notes).rerender("Notes")
            }
        }
    }

    struct TickLabel: View {
        let model: DashboardModel
        var body: some View { Text("tick \(model.tick)") }
    }

    struct Counter: View {
        let model: DashboardModel

        var body: some View {
            Button(action: { model.increment() }, label: { ButtonText("count \(model.count)") }).inputName("count")
        }
    }

    struct Notes: View {
        let lines: [String]

        var body: some View {
            VStack(alignment: .leading) { ForEach(lines, id: \.self) { Text("- " + $0) } }
        }
    }
}
