// SPDX-License-Identifier: MIT
// The series screen, third version: one model that holds others.

import OpenCombine
import RenderLoop

/// An object that another one holds announces its changes itself, and its holder announces none of them: the screen and
/// the header observe the model, and are evaluated when something of its own changes. The parts are the second version's.
enum SubObjects {
    @MainActor
    final class SeriesModel: ObservableObject {
        @Published private(set) var title = SeriesData.title
        let favourite = FavouriteModel()
        let episodes = EpisodesModel()
    }

    typealias FavouriteModel = SplitModels.FavouriteModel
    typealias EpisodesModel = SplitModels.EpisodesModel

    struct SeriesScreen: View {
        @StateObject private var model = SeriesModel()

        var body: some View {
            VStack(alignment: .leading) {
                HeaderView(model: model).rerender("HeaderView")
                SplitModels.EpisodesView(model: model.episodes).rerender("EpisodesView")
            }
        }
    }

    struct HeaderView: View {
        @ObservedObject var model: SeriesModel

        var body: some View {
            seriesHeader(model.title, SplitModels.HeartButton(model: model.favourite).rerender("HeartButton"))
        }
    }
}
