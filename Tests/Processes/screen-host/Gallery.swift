// SPDX-License-Identifier: MIT
// What a window can show and no scenario has.

import RenderLoop

#if RERENDER_GTK
    /// A page with a control of each kind, a list, and colours.
    struct Gallery: View {
        @State private var isLoud = false
        @State private var taps = 0

        var body: some View {
            NavigationStack {
                VStack(alignment: .leading) {
                    HStack {
                        Toggle("loud", isOn: $isLoud)
                        Text("loud \(isLoud)")
                        Image(systemName: "star.fill").foregroundStyle(.orange)
                        Text("small and grey").font(.caption).foregroundStyle(.secondary)
                    }
                    Divider()
                    HStack {
                        Button("disabled") { taps += 100 }.disabled(true)
                        Color.red.border(.blue, width: 4).cornerRadius(12).frame(width: 10, height: 1)
                        Text("tap me").onTapGesture { taps += 1 }
                        Text("taps \(taps)")
                        NavigationLink("next") { Text("the second page").font(.title.bold()) }
                    }
                    List { ForEach(0..<200, id: \.self) { row in Button("row \(row)") { taps += 1_000 } } }
                        .frame(width: 30, height: 8)
                }
                .navigationTitle("Gallery")
            }
        }
    }
#endif
