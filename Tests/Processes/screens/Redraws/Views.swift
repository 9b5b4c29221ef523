// SPDX-License-Identifier: MIT
// Views that are redrawn for good reasons and for bad ones.

import Observation
import OpenCombine
import RenderLoop

/// How often each body ran, by the views themselves.
@MainActor
final class BodyCounts {
    private(set) var bodies: [String: UInt64] = [:]
    func note(_ view: String) { bodies[view, default: 0] += 1 }
}

@MainActor
@Observable
final class Clock {
    var tick = 0
    var slowness = 0
}

final class SeriesModel: ObservableObject {
    @Published var title = "Rick"
    @Published var isMyFavourite = false
}

final class Loader: ObservableObject {
    @Published var status = "nothing"
}

struct Screen: View {
    let truth: BodyCounts
    let clock: Clock
    let widths: Widths
    @StateObject var model = SeriesModel()
    @State private var showsArticle = false

    var body: some View {
        let _ = truth.note("Screen")
        VStack(alignment: .leading) {
            Button(model.isMyFavourite ? "<3" : "</3") { model.isMyFavourite.toggle() }.inputName("heart")
            Button("article") { showsArticle.toggle() }
            EpisodesView(truth: truth, model: model).rerender("EpisodesView")
            Ticks(truth: truth, clock: clock).padding().rerender("Ticks")
            Slow(truth: truth, clock: clock).rerender("Slow")
            if showsArticle { Article(truth: truth).rerender("Article") }
            Row(truth: truth, widths: widths).rerender("Row")
            Side(truth: truth, widths: widths).rerender("Side")
        }
    }
}

struct EpisodesView: View {
    let truth: BodyCounts
    @ObservedObject var model: SeriesModel
    var body: some View {
        let _ = truth.note("EpisodesView")
        Text("episodes of \(model.title)")
    }
}

struct Ticks: View {
    let truth: BodyCounts
    let clock: Clock
    var body: some View {
        let _ = truth.note("Ticks")
        Text("\(clock.tick)")
    }
}

struct Slow: View {
    let truth: BodyCounts
    let clock: Clock
    var body: some View {
        let _ = truth.note("Slow")
        let _ = spin(milliseconds: clock.slowness)
        Text("slow")
    }

    private func spin(milliseconds: Int) {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while ContinuousClock.now < end {}
    }
}

struct Article: View {
    let truth: BodyCounts
    @StateObject var loader = Loader()
    var body: some View {
        let _ = truth.note("Article")
        Text(loader.status).onAppear { loader.status = "loading" }
    }
}

@MainActor
@Observable
final class Widths {
    var row = 0
    var side = 0
    var mostRounds = 0
    var isGoing: Bool { row < mostRounds }
}

/// Once it is told how often, it goes round with the other one: each has a text that appears anew, and then writes what the other
/// one reads.
struct Row: View {
    let truth: BodyCounts
    let widths: Widths
    var body: some View {
        let _ = truth.note("Row")
        Text("row").onAppear { adjust() }.id(widths.side)
    }

    private func adjust() { if widths.isGoing { widths.row += 1 } }
}

struct Side: View {
    let truth: BodyCounts
    let widths: Widths
    var body: some View {
        let _ = truth.note("Side")
        Text("side").onAppear { adjust() }.id(widths.row)
    }

    private func adjust() { if widths.isGoing { widths.side += 1 } }
}
