// SPDX-License-Identifier: MIT
// A dashboard that reads everything at the top and hands it down.

import RenderLoop

/// Each tick evaluates the top, and there each child that gets the tick, shown or not.
enum WastefulDashboard {
    struct Dashboard: View {
        let model: DashboardModel

        var body: some View {
            let (tick, count) = (model.tick, model.count)
            VStack(alignment: .leading) {
                Heading(title: "Dashboard").rerender("Heading")
                TickLabel(tick: tick).rerender("TickLabel")
                Counter(count: count) { model.increment() }.rerender("Counter")
                Notes(lines: model.notes, tick: tick).rerender("Notes")
            }
        }
    }

    struct TickLabel: View {
        let tick: Int
        var body: some View { Text("tick \(tick)") }
    }

    struct Counter: View {
        let count: Int
        let increment: @MainActor () -> Void

        var body: some View { Button(action: increment) { ButtonText("count \(count)") }.inputName("count") }
    }

    /// Does not show the tick that it gets.
    struct Notes: View {
        let lines: [String]
        let tick: Int

        var body: some View {
            VStack(alignment: .leading) { ForEach(lines, id: \.self) { Text("- " + $0) } }
        }
    }
}
