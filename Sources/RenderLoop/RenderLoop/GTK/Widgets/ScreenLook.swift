// SPDX-License-Identifier: MIT
// How texts look, from what the layers around them say.

#if RERENDER_GTK
    import CRerenderGTK

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
