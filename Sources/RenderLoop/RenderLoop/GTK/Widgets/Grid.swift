// SPDX-License-Identifier: MIT
// How large character cells are in a window, and what takes how many of them.

#if RERENDER_GTK
    import CRerenderGTK

    /// A rectangle in pixels.
    struct PixelRect: Hashable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int

        /// The rectangle, smaller by so much on each side; larger where that is negative.
        func inset(_ horizontally: Int, _ vertically: Int) -> PixelRect {
            PixelRect(
                x: x + horizontally, y: y + vertically, width: max(0, width - 2 * horizontally),
                height: max(0, height - 2 * vertically))
        }
    }

    /// The cells of a window: about a digit wide, and as high as a control, so that texts beside controls are level with them.
    enum Grid {
        static let width = 8
        static let height = 38
        /// What a text may be higher than its cells: the distance of lines.
        private static let slack = 6
        /// No window has more; sums of it are still numbers of GTK's.
        private static let most = 1 << 20

        static func rect(_ cells: CellRect) -> PixelRect {
            PixelRect(
                x: pixels(cells.origin.x, width), y: pixels(cells.origin.y, height),
                width: pixels(cells.size.width, width), height: pixels(cells.size.height, height))
        }

        private static func pixels(_ cells: Int, _ size: Int) -> Int { min(max(cells, -most), most) * size }

        /// The whole cells that are in so many pixels.
        static func size(inWidth width: Int, height: Int) -> CellSize {
            CellSize(width: width / Self.width, height: height / Self.height)
        }

        /// The cells that a text of so many pixels takes.
        static func size(aroundWidth width: Int, height: Int) -> CellSize {
            CellSize(
                width: (width + Self.width - 1) / Self.width,
                height: max(1, (height - slack + Self.height - 1) / Self.height))
        }

        static func point(x: Double, y: Double) -> CellPoint {
            func cell(_ place: Double, _ size: Int) -> Int {
                place.isFinite ? Int((min(max(place, 0), Double(most)) / Double(size)).rounded(.down)) : 0
            }
            return CellPoint(x: cell(x, width), y: cell(y, height))
        }
    }

    /// Sizes by GTK's fonts, in cells of the grid.
    @MainActor
    package final class GridMetrics: LayerMetrics {
        private static let fieldWidth = 32
        /// GTK's own distance of a button's label from its edge, on both sides.
        private static let buttonEdges = 4

        /// Makes metrics; the window has to be there.
        package init() {}

        /// Proof: the numbers are lent for the call.
        package func size(of text: String, _ look: TextLook) -> CellSize {
            var native = look.native
            var (width, height) = (Int32(0), Int32(0))
            unsafe render_loop_measure(text, &native, &width, &height)
            return text.isEmpty
                ? CellSize(width: 0, height: 1) : Grid.size(aroundWidth: Int(width), height: Int(height))
        }

        package func size(of face: ControlFace, label: CellSize) -> CellSize {
            switch face {
            case .button: CellSize(width: label.width + Self.buttonEdges, height: label.height)
            case .field, .slider: CellSize(width: Self.fieldWidth, height: 1)
            }
        }
    }
#endif
