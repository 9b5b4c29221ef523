// SPDX-License-Identifier: MIT
// The program's own views.

import SwiftCrossUI

#if !HAS_NO_VIEWS
    struct Root: View {
        @State var title = "a"
        @State var rows = 3
        var body: some View {
            let _ = note("Root")
            let _ = Actions.all["title"] = { rename($0) }
            let _ = Actions.all["rows"] = { rows = 3 + $0 % 5 }
            Header(title: title)
            Rows(count: rows)
        }

        @inline(never)
        func rename(_ round: Int) { title = "t\(round)" }
    }

    struct Header: View {
        let title: String
        @State var count = 0
        var body: some View {
            let _ = note("Header")
            let _ = Actions.all["count"] = { setCount($0) }
            Text("\(title) \(count)")
            VStack {
                Group(Part(text: "left"))
                Group(Part(text: title))
            }
        }

        @inline(never)
        func setCount(_ number: Int) { count = number }
    }

    /// Has no node: `Group` shows it in its own.
    struct Part: View {
        let text: String
        var body: some View {
            let _ = note("Part")
            Text(text)
        }
    }

    struct Rows: View {
        let count: Int
        var body: some View {
            let _ = note("Rows")
            ForEach((0..<count).map { Row(number: $0) })
        }
    }

    struct Row: View {
        let number: Int
        var body: some View {
            let _ = note("Row")
            Text("row \(number)")
            Badge(number: number)
        }
    }

    struct Badge: View {
        let number: Int
        var body: some View {
            let _ = note("Badge")
            Text("\(number)")
        }
    }

    // MARK: What `panel` shows

    @MainActor
    final class Meter {
        @Published var level = 0
        @Published var unit = "V"
    }

    struct Panel: View {
        @State var meter = Meter()
        var body: some View {
            let _ = note("Panel")
            let _ = Actions.all["publish"] = { meter.level = $0 }
            Dial()
            Knob()
        }
    }

    struct Dial: View {
        @Environment(\.colour) var colour
        var body: some View {
            let _ = note("Dial")
            Text("\(colour)")
        }
    }

    struct Knob: View {
        @State var first = 0
        @State var second = 0
        var body: some View {
            let _ = note("Knob")
            let _ = Actions.all["same"] = setAgain
            let _ = Actions.all["both"] = setBoth
            Text("\(first) \(second)")
        }

        private func setAgain(_ number: Int) {
            let now = first
            first = now
        }

        private func setBoth(_ number: Int) {
            handle {
                first = number
                second = number
            }
        }
    }
#endif
