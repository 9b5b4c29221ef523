// SPDX-License-Identifier: MIT
import RerenderShow
import Testing

@Suite("The unit of a column of durations")
struct DurationScaleTests {
    private static func texts(_ durations: UInt64...) -> [String] {
        let scale = DurationScale(durations)
        return durations.map { scale.text($0) }
    }

    @Test("is that of the longest, which has three figures; the others have as many decimals")
    func aligned() {
        #expect(Self.texts(526, 14_300) == ["0.5µs", "14.3µs"])
        #expect(Self.texts(1_580, 2_310) == ["1.58µs", "2.31µs"])
        #expect(Self.texts(1_580, 23_540, 152_000) == ["1µs", "23µs", "152µs"])
        #expect(Self.texts(7, 812) == ["7ns", "812ns"])
        #expect(Self.texts(133_000, 3_750_000) == ["0.13ms", "3.75ms"])
        #expect(Self.texts(75_000_000_000, 1_500_000_000) == ["75.0s", "1.5s"])
        #expect(Self.texts(8_390_000, 999_999_999) == ["8ms", "999ms"], "cut, and not rounded into the next unit")
    }

    @Test("none is 0, and less than has a figure is said to be less, and not to be none")
    func little() {
        #expect(Self.texts(0, 5_000, 400_000_000) == ["0", "<1ms", "400ms"])
        #expect(Self.texts(900, 3_750_000) == ["<0.01ms", "3.75ms"])
        #expect(Self.texts(7, 99_999) == ["<0.1µs", "99.9µs"])
        #expect(Self.texts(0) == ["0"])
        #expect(Self.texts() == [])
        #expect(DurationScale([]).text(12) == "12ns")
    }

    @Test("no duration is too long for it")
    func longest() {
        #expect(Self.texts(.max) == ["18446744073s"])
        #expect(Self.texts(1_000_000, .max) == ["<1s", "18446744073s"])
    }
}
