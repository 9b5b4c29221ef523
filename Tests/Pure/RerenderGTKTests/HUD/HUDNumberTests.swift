// SPDX-License-Identifier: MIT
// Numbers as the HUD writes them.

import Testing

@testable import RerenderGTK

@Suite("The HUD's numbers") struct HUDNumberTests {
    @Test(
        "Counts fit into their column",
        arguments: zip(
            [0, 99_999, 100_000, 999_999, 1_000_000, 4_560_000, 999_999_999, 1_000_000_000] as [UInt64],
            ["0", "99999", "100K", "999K", "1.0M", "4.5M", "999.9M", "1.0G"]))
    func counts(count: UInt64, text: String) { #expect(HUDNumbers.count(count) == text) }

    @Test(
        "Rates have a tenth where they are small",
        arguments: zip(
            [nil, 0, 0.04, 0.1, 2.44, 9.94, 9.96, 59.9, .nan, .infinity] as [Double?],
            ["–", "0", "<0.1", "0.1", "2.4", "9.9", "10", "60", "–", "–"]))
    func rates(rate: Double?, text: String) { #expect(HUDNumbers.rate(rate) == text) }

    @Test(
        "Times have three figures",
        arguments: zip(
            [nil, 0, 999, 1_000, 41_239, 999_999, 38_000_000, 1_504_000_000] as [UInt64?],
            ["–", "0", "999ns", "1.00µs", "41.2µs", "999µs", "38.0ms", "1.50s"]))
    func times(time: UInt64?, text: String) { #expect(HUDNumbers.time(time) == text) }

    @Test(
        "Shares have a tenth",
        arguments: zip([nil, 0, 0.04, 0.05, 12.34] as [Double?], ["–", "<0.1%", "<0.1%", "0.1%", "12.3%"]))
    func percents(percent: Double?, text: String) { #expect(HUDNumbers.percent(percent) == text) }
}
