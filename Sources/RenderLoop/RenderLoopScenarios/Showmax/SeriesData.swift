// SPDX-License-Identifier: MIT
// What the series screen shows, in each of its versions.

/// An episode of a series.
package struct Episode: Hashable, Identifiable, Sendable {
    /// Unique in the series.
    package let id: Int
    let title: String
}

/// The one series that there is.
enum SeriesData {
    static let title = "The Long Night Train"
    static let seasons = 2
    static let episodesPerSeason = 4

    /// The episodes of a season, from 1.
    static func episodes(ofSeason season: Int) -> [Episode] {
        (1...episodesPerSeason).map { number in
            let id = (season - 1) * episodesPerSeason + number
            return Episode(id: id, title: "\(season).\(number)  \(titles[(id - 1) % titles.count])")
        }
    }

    /// The season after another, round and round.
    static func season(after season: Int) -> Int { season % seasons + 1 }

    private static let titles = [
        "Departure", "The Conductor", "Two Tickets", "Border", "Snow", "The Other Train", "Brakes", "Terminus",
    ]
}
