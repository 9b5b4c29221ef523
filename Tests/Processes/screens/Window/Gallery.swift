// SPDX-License-Identifier: MIT
// What a window can show and no scenario has.

import RenderLoop

#if RERENDER_GTK
    /// A page with colours and a list.
    struct Gallery: View {
        var body: some View {
            VStack(alignment: .leading) {
                HStack {
                    Button("colours") {}
                    Color.red.border(.blue, width: 4).frame(width: 10, height: 1)
                }
                List { ForEach(0..<200, id: \.self) { row in Button("row \(row)") {} } }
                    .frame(width: 30, height: 8)
            }
        }
    }
#endif
