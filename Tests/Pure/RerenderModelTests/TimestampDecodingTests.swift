// SPDX-License-Identifier: MIT
// Times that come from elsewhere.

import Foundation
import RerenderModel
import Testing

@Suite("Timestamp from elsewhere")
struct TimestampDecodingTests {
    @Test(
        "a time that no timestamp can hold becomes the nearest that one can",
        arguments: [("9999-12-31T23:59:59.000Z", Int64.max), ("0001-01-01T00:00:00.000Z", Int64.min)])
    func outOfRange(text: String, nearest: Int64) throws {
        let times = try JSONDecoder().decode([Timestamp].self, from: Data("[\"\(text)\"]".utf8))
        #expect(times.map(\.nanosecondsSince1970) == [nearest])
    }

    @Test("whatever number an app sends as a time, its text can be read back", arguments: [Int64.min, .max])
    func roundTrip(number: Int64) throws {
        let text = try JSONEncoder().encode([Timestamp(nanosecondsSince1970: number)])
        let times = try JSONDecoder().decode([Timestamp].self, from: text)
        #expect(times.map(\.iso8601) == [Timestamp(nanosecondsSince1970: number).iso8601])
    }
}
