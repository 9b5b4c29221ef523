// SPDX-License-Identifier: MIT
// A dashboard that reads everything at its top, and the same one where each view reads the value that it shows.

import Observation
import RenderLoop

/// The dashboard's state.
@MainActor
@Observable
final class DashboardModel {
    private(set) var tick = 0
    private(set) var count = 0
    let notes = ["Tickets are checked on board.", "The dining car closes at ten.", "Doors open on the left."]

    nonisolated init() {}

    func advance() { tick += 1 }
    func increment() { count += 1 }
}

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
