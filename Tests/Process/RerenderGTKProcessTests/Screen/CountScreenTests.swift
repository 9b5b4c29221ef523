// SPDX-License-Identifier: MIT
// The numbers of highlights in fonts of any width.

import Foundation
import RerenderGTK
import TestSupport
import Testing

@Suite(
    "The numbers of highlights",
    .enabled(if: HUDScreen.obstacle == nil, Comment(rawValue: HUDScreen.obstacle ?? "")))
struct CountScreenTests {
    /// A font that stands for sans-serif, and how much wider it is made.
    struct Font: Sendable, CustomTestStringConvertible {
        let name: String
        let width: Double

        var testDescription: String { "\(name), \(width) times as wide" }

        /// The settings of fontconfig for it.
        func settings(cache: String) -> String {
            """
            <?xml version="1.0"?>
            <!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
            <fontconfig>
              <dir>/usr/share/fonts</dir>
              <cachedir>\(cache)</cachedir>
              <match target="pattern">
                <edit name="family" mode="prepend" binding="strong"><string>\(name)</string></edit>
              </match>
              <match target="font">
                <edit name="matrix" mode="assign"><times><name>matrix</name>
                  <matrix><double>\(width)</double><double>0</double><double>0</double><double>1</double></matrix>
                </times></edit>
              </match>
            </fontconfig>
            """
        }
    }

    @Test(
        "Each digit is drawn in full",
        arguments: [
            Font(name: "DejaVu Sans", width: 1), Font(name: "DejaVu Sans Mono", width: 1),
            Font(name: "Inter", width: 1), Font(name: "DejaVu Sans", width: 1.25), Font(name: "DejaVu Sans", width: 2),
        ])
    func digits(font: Font) async throws {
        let directory = try TemporaryDirectory(), settings = directory.path + "/fonts.conf"
        try font.settings(cache: directory.path).write(toFile: settings, atomically: true, encoding: .utf8)
        let screen = try await HUDScreen.start(["FONTCONFIG_FILE": settings])
        let bounds = try await screen.bounds("target")
        let cells = try await eventually("a number") { () -> [[[Int]]]? in
            try await screen.ask("redraw target 1234567890")
            let picture = try await screen.picture()
            guard picture.pixel(bounds.x, bounds.y + 1).allSatisfy({ $0 < 110 }) else { return nil }
            return digits(in: picture, x: bounds.x, y: bounds.y)
        }
        // Ten that are not the same, none of them empty: what is cut off is three dots.
        #expect(cells.count == 10 && Set(cells).count == 10)
        for cell in cells { #expect(cell.contains { $0.allSatisfy { $0 > 150 } }) }
        withExtendedLifetime(directory) {}
    }

    /// The pixels of each digit of a number of ten, which is white on black.
    private func digits(in picture: ScreenPicture, x: Double, y: Double) -> [[[Int]]] {
        // The digits do not reach the lowest line.
        let width = (0..<400).prefix { picture.pixel(x + Double($0), y + 11).allSatisfy { $0 < 110 } }.count
        let digit = (width - 4) / 10
        #expect(width == 10 * digit + 4)
        return (0..<10).map { index in
            (0..<12).flatMap { line in
                (0..<digit).map { picture.pixel(x + 2 + Double(index * digit + $0), y + Double(line)) }
            }
        }
    }
}
