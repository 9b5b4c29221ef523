// SPDX-License-Identifier: MIT
// The first example of "The SwiftUI render loop", in our words: what `onAppear` changes is there before anything is seen.

import OpenCombine
import RenderLoop

/// An article that begins to load when it appears. Its body is evaluated twice in its first turn, and the screen never
/// shows what the first evaluation gave.
enum OnAppearLoading {
    @MainActor
    final class Loader: ObservableObject {
        @Published private(set) var status = "nothing"

        func fetch() { status = "loading" }
        func finish() { status = "loaded" }
    }

    struct Article: View {
        @StateObject private var loader = Loader()

        var body: some View {
            VStack(alignment: .leading) {
                Text("status: \(loader.status)")
                Button(action: { loader.finish() }, label: { ButtonText("finish") }).inputName("finish")
            }
            .onAppear { loader.fetch() }
        }
    }
}
