// SPDX-License-Identifier: MIT
// The series screen, fourth version: one model with a subject for each value, and state in the view that shows it.

import OpenCombine
import RenderLoop

/// No view observes the model. A view receives the values that it shows and keeps the latest as its own state.
enum SubjectAndState {
    @MainActor
    final class SeriesModel {
        let title = SeriesData.title
        let isMyFavourite = CurrentValueSubject<Bool, Never>(false)
        let season = CurrentValueSubject<Int, Never>(1)

        func toggleFavourite() { isMyFavourite.send(!isMyFavourite.value) }
        func showNextSeason() { season.send(SeriesData.season(after: season.value)) }
    }

    struct SeriesScreen: View {
        @State private var model = SeriesModel()

        var body: some View {
            VStack(alignment: .leading) {
                HeaderView(model: model).rerender("HeaderView")
                EpisodesView(model: model).rerender("EpisodesView")
            }
        }
    }

    struct HeaderView: View {
        let model: SeriesModel

        var body: some View { seriesHeader(model.title, HeartButton(model: model).rerender("HeartButton")) }
    }

    struct HeartButton: View {
        let model: SeriesModel
        @State private var isMyFavourite = false

        var body: some View {
            heart(isFull: isMyFavourite) { model.toggleFavourite() }
                .onReceive(model.isMyFavourite) { isMyFavourite = $0 }
        }
    }

    struct EpisodesView: View {
        let model: SeriesModel
        @State private var season = 1

        var body: some View {
            episodeList(ofSeason: season) { model.showNextSeason() }
                .onReceive(model.season) { season = $0 }
        }
    }
}
