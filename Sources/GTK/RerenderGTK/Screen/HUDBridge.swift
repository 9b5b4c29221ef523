// SPDX-License-Identifier: MIT
// The HUD's values as those of C, and back.

import CRerenderGTK

#if RERENDER_GTK
    /// Operations of drawing as C takes them.
    struct HUDOperations {
        private(set) var operations: [crerender_hud_operation] = []
        /// The bytes of all texts, one after the other.
        private(set) var texts: [CChar] = []

        init(_ operations: [HUDOperation]) {
            self.operations.reserveCapacity(operations.count)
            for operation in operations { self.operations.append(converted(operation)) }
            // An empty array has no address.
            texts.append(0)
        }

        private mutating func converted(_ operation: HUDOperation) -> crerender_hud_operation {
            switch operation {
            case .fill(let rect, let radius, let color, let turned):
                var fill = Self.made(CRERENDER_FILL, rect, color)
                (fill.radius, fill.turned) = (radius, turned)
                return fill
            case .border(let rect, let radius, let width, let color):
                var border = Self.made(CRERENDER_BORDER, rect, color)
                (border.radius, border.line) = (radius, width)
                return border
            case .text(let text): return converted(text)
            case .clip(let rect, let radius):
                var clip = Self.made(CRERENDER_CLIP, rect, nil)
                clip.radius = radius
                return clip
            case .unclip: return Self.made(CRERENDER_UNCLIP, HUDRect(0, 0, 0, 0), nil)
            }
        }

        private mutating func converted(_ text: HUDText) -> crerender_hud_operation {
            var operation = Self.made(CRERENDER_TEXT, text.frame, text.color)
            let bytes = text.text.utf8.lazy.filter { $0 != 0 }.map { CChar(bitPattern: $0) }
            operation.text = UInt32(clamping: texts.count)
            texts += bytes
            operation.bytes = UInt32(clamping: texts.count) - operation.text
            (operation.size, operation.weight) = (text.size, text.weight)
            operation.alignment = text.alignment.rawValue
            operation.is_cut_in_the_middle = text.ellipsis == .middle
            return operation
        }

        private static func made(
            _ kind: crerender_hud_kind, _ rect: HUDRect, _ color: HUDColor?
        ) -> crerender_hud_operation {
            var operation = crerender_hud_operation()
            operation.kind = Int32(kind.rawValue)
            (operation.x, operation.y) = (Float(rect.x), Float(rect.y))
            (operation.width, operation.height) = (Float(rect.width), Float(rect.height))
            if let color { operation.color = (color.red, color.green, color.blue, color.alpha) }
            return operation
        }
    }

    extension HUDInput {
        /// The HUD's part of an event; nil for a key that types nothing and that it does not know.
        init?(_ event: crerender_hud_event) {
            let point = HUDPoint(event.x, event.y)
            switch event.kind {
            case Int32(CRERENDER_PRESS.rawValue): self = .press(point, button: event.button)
            case Int32(CRERENDER_MOTION.rawValue): self = .motion(point)
            case Int32(CRERENDER_RELEASE.rawValue): self = .release(point, button: event.button)
            case Int32(CRERENDER_LEAVE.rawValue): self = .leave
            case Int32(CRERENDER_CANCEL.rawValue): self = .cancel
            case Int32(CRERENDER_SCROLL.rawValue): self = .scroll(point, by: event.distance)
            case Int32(CRERENDER_SHORTCUT.rawValue): self = .shortcut
            case Int32(CRERENDER_KEY.rawValue):
                guard let key = HUDKey(event) else { return nil }
                self = .key(key)
            default: return nil
            }
        }
    }

    extension HUDKey {
        /// GDK's values of the keys that type nothing.
        private static let values: [UInt32: HUDKey] = [
            0xFF52: .up, 0xFF97: .up, 0xFF54: .down, 0xFF99: .down, 0xFF55: .pageUp, 0xFF9A: .pageUp,
            0xFF56: .pageDown, 0xFF9B: .pageDown, 0xFF50: .home, 0xFF95: .home, 0xFF57: .end, 0xFF9C: .end,
            0xFF0D: .enter, 0xFF8D: .enter, 0xFF1B: .escape,
        ]

        fileprivate init?(_ event: crerender_hud_event) {
            if let key = Self.values[event.key] {
                self = key
            } else if event.character != 0, let scalar = Unicode.Scalar(event.character) {
                self = .character(Character(scalar))
            } else {
                return nil
            }
        }
    }
#endif
