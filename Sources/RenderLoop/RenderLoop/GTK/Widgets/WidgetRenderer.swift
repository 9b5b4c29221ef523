// SPDX-License-Identifier: MIT
// Draws committed layers as widgets.

#if RERENDER_GTK
    import CRerenderGTK

    /// Shows each layer as a widget that stays as long as the layer does, with its focus and its cursor.
    ///
    /// A layer that only arranges others has none. A commit costs a look at every layer, and GTK hears of what changed.
    @MainActor
    final class WidgetRenderer: LayerRenderer {
        private struct Key: Hashable {
            let layer: Layer
            /// Whether it is the canvas around those in the layer.
            let isGroup: Bool
        }

        /// Where layers are drawn.
        private struct Place {
            let canvas: ScreenWidget
            /// From the canvas's corner.
            var corner: CellPoint
            var look = ScreenLook()
            var isCentred = false
            /// How many pixels further up than the grid says: a button has less room around its label than a line.
            var raised = 0
        }

        /// What a line of text has above and below it, in pixels.
        private static let lineEdge = 8

        private let canvas: ScreenWidget
        private var widgets: [Key: ScreenWidget] = [:]
        private var numbered: [UInt64: Layer] = [:]
        private var numbers: UInt64 = 0
        private var commit: UInt64 = 0

        /// What scripts call a layer's control.
        private let name: @MainActor (Layer) -> String?

        /// Draws into a canvas, with names for the controls.
        init(_ canvas: ScreenWidget, name: @escaping @MainActor (Layer) -> String?) {
            self.canvas = canvas
            self.name = name
        }

        /// Draws a commit.
        func render(_ commit: Commit) {
            self.commit += 1
            draw(commit.root, in: Place(canvas: canvas, corner: .zero))
            for (key, widget) in widgets where widget.commit != self.commit { remove(key, widget) }
        }

        /// Takes all widgets away.
        func end() {
            for (key, widget) in widgets { remove(key, widget) }
        }

        private func remove(_ key: Key, _ widget: ScreenWidget) {
            widget.remove()
            widgets[key] = nil
            numbered[widget.number] = nil
        }

        // MARK: Input

        /// The layer of a widget that the user did something with, which is ahead of the loop from now on.
        func takeInput(ofWidget number: UInt64) -> Layer? {
            guard let layer = numbered[number] else { return nil }
            widgets[Key(layer: layer, isGroup: false)]?.takeInput()
            return layer
        }

        /// The loop has heard of all that the user did: what a control shows now is what the loop says.
        func catchUp() {
            for (key, widget) in widgets where widget.isAhead {
                widget.isAhead = false
                if case .control(let face) = key.layer.committed.content { widget.show(face) }
            }
        }

        // MARK: Drawing

        private func draw(_ layer: Layer, in outer: Place) {
            let values = layer.committed
            guard values.opacity > 0 else { return }
            var place = outer
            place.corner = CellPoint(
                x: outer.corner.x + values.frame.origin.x, y: outer.corner.y + values.frame.origin.y)
            place.look.enter(values.content)
            let cells = CellRect(origin: place.corner, size: values.frame.size)
            var rect = Grid.rect(cells)
            rect.y -= place.raised
            if values.clipsSublayers || values.opacity < 1 { place = group(layer, at: rect, in: place) }
            switch values.content {
            case .control(let face): return draw(face, layer, at: rect, in: place)
            case .border(let color, let points):
                for sublayer in values.sublayers { draw(sublayer, in: place) }
                drawBorder(color, points, layer, at: rect, in: place)
            default:
                drawContent(values.content, layer, at: rect, in: place)
                for sublayer in values.sublayers { draw(sublayer, in: place) }
            }
        }

        /// A canvas for what is in a layer that cuts it off or lets something through.
        private func group(_ layer: Layer, at rect: PixelRect, in place: Place) -> Place {
            let values = layer.committed
            let group = widget(.canvas, of: layer, isGroup: true)
            var paint = CanvasPaint()
            paint.clips = values.clipsSublayers
            paint.letsClicksThrough = layer.isOfTool
            group.show(paint)
            group.setOpacity(values.opacity)
            place.canvas.add(group, at: rect, in: commit)
            return Place(canvas: group, corner: .zero, look: place.look, isCentred: place.isCentred)
        }

        private func drawContent(_ content: LayerContent, _ layer: Layer, at rect: PixelRect, in place: Place) {
            let shown: ScreenWidget
            switch content {
            case .text(let text) where !text.isEmpty:
                shown = widget(.label, of: layer)
                shown.show(text, place.look, isCentred: place.isCentred)
            case .fill(let color) where color.parts[3] > 0:
                shown = widget(.canvas, of: layer)
                var paint = CanvasPaint()
                paint.fill = color.parts
                paint.letsClicksThrough = true
                shown.show(paint)
            default: return
            }
            place.canvas.add(shown, at: moved(rect, of: layer, in: place), in: commit)
        }

        private func drawBorder(_ color: Color, _ points: Int, _ layer: Layer, at rect: PixelRect, in place: Place) {
            let shown = widget(.canvas, of: layer)
            var paint = CanvasPaint()
            paint.border = color.parts
            paint.line = Float(points)
            paint.letsClicksThrough = true
            shown.show(paint)
            // A tool's border is around a view, and another one is over its edges.
            let moved = moved(rect, of: layer, in: place)
            place.canvas.add(shown, at: layer.isOfTool ? moved.inset(-6, 0) : moved, in: commit)
        }

        /// In a canvas of its own, a layer begins at the corner.
        private func moved(_ rect: PixelRect, of layer: Layer, in place: Place) -> PixelRect {
            widgets[Key(layer: layer, isGroup: true)]?.commit == commit
                ? PixelRect(x: 0, y: 0, width: rect.width, height: rect.height) : rect
        }

        private func draw(_ face: ControlFace, _ layer: Layer, at rect: PixelRect, in place: Place) {
            let kind: ScreenWidget.Kind =
                switch face {
                case .button: .button
                case .field: .entry
                case .slider: .scale
                }
            let isNew = widgets[Key(layer: layer, isGroup: false)] == nil
            let control = widget(kind, of: layer)
            if isNew, let name = name(layer) { control.setName(name) }
            control.show(face)
            place.canvas.add(control, at: moved(rect, of: layer, in: place).inset(0, 1), in: commit)
            if case .button = kind { drawLabel(of: layer, in: control.content, place.look) }
        }

        private func drawLabel(of layer: Layer, in canvas: ScreenWidget, _ look: ScreenLook) {
            let label = layer.committed.sublayers
            let bounds = label.map(\.committed.frame).reduce(nil) { $0?.union($1) ?? $1 } ?? .zero
            let rect = Grid.rect(bounds).inset(0, Self.lineEdge)
            canvas.setSize(rect.width, rect.height)
            let corner = CellPoint(x: -bounds.origin.x, y: -bounds.origin.y)
            for sublayer in label {
                draw(
                    sublayer,
                    in: Place(canvas: canvas, corner: corner, look: look, isCentred: true, raised: Self.lineEdge))
            }
        }

        /// The widget of a layer, made anew where it has another kind.
        private func widget(_ kind: ScreenWidget.Kind, of layer: Layer, isGroup: Bool = false) -> ScreenWidget {
            let key = Key(layer: layer, isGroup: isGroup)
            if let known = widgets[key] {
                known.commit = commit
                if known.kind == kind { return known }
                remove(key, known)
            }
            numbers += 1
            let made = ScreenWidget(kind, number: numbers)
            made.commit = commit
            widgets[key] = made
            numbered[numbers] = layer
            return made
        }
    }

    // How texts look, from what the layers around them say.

    /// What the layers around a text say of it.
    struct ScreenLook: Hashable {
        private(set) var text = TextLook()
        private(set) var foreground: Color?

        /// Takes up what a layer says of those in it.
        mutating func enter(_ content: LayerContent) {
            switch content {
            case .foreground(let foreground): self.foreground = foreground
            default: text.enter(content)
            }
        }

        /// As GTK takes it.
        var native: render_loop_look {
            var look = text.native
            look.opacity = 1
            if let foreground { Self.apply(foreground, to: &look) }
            return look
        }

        private static func apply(_ color: Color, to look: inout render_loop_look) {
            switch color.role {
            case .primary: break
            case .secondary: look.opacity = 0.6
            case .clear: look.opacity = 0
            case .fixed:
                let parts = color.parts
                look.has_color = true
                (look.red, look.green, look.blue) = (parts[0], parts[1], parts[2])
            }
        }
    }

    extension TextLook {
        /// As GTK takes it, without a colour.
        var native: render_loop_look {
            var look = render_loop_look()
            look.scale = font.map { $0.textStyle.points / Font.TextStyle.body.points } ?? 1
            // A point of SwiftUI's is a pixel, and Pango's are three quarters of an inch's 96.
            look.points = (font?.size ?? 0) * 0.75
            look.weight = Int32((font?.weight ?? font?.textStyle.weight)?.rawValue ?? 0)
            look.is_monospaced = font?.design == .monospaced
            return look
        }
    }

    extension Font.TextStyle {
        /// SwiftUI's size of the style, in points.
        fileprivate var points: Double {
            switch self {
            case .largeTitle: 34
            case .title: 28
            case .title2: 22
            case .title3: 20
            case .headline, .body: 17
            case .callout: 16
            case .subheadline: 15
            case .footnote: 13
            case .caption: 12
            case .caption2: 11
            }
        }

        fileprivate var weight: Font.Weight? { self == .headline ? .semibold : nil }
    }

    extension Color {
        /// Red, green, blue and alpha.
        var parts: [Float] { [Float(red), Float(green), Float(blue), role == .clear ? 0 : 1] }
    }
#endif
