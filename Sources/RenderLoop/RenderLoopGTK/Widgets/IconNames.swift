// SPDX-License-Identifier: MIT
// Icons of the theme for the names that screens use.

#if RERENDER_GTK
    /// Names of the icon theme, as freedesktop.org and Adwaita have them.
    enum IconNames {
        /// The theme's name; one that stands for what is missing where none is known.
        static func name(of icon: String) -> String { known[icon] ?? "image-missing-symbolic" }

        private static let known: [String: String] = [
            "plus": "list-add-symbolic", "minus": "list-remove-symbolic", "xmark": "window-close-symbolic",
            "checkmark": "object-select-symbolic", "star": "non-starred-symbolic", "star.fill": "starred-symbolic",
            "heart": "emote-love-symbolic", "heart.fill": "emote-love-symbolic", "chevron.left": "go-previous-symbolic",
            "chevron.right": "go-next-symbolic", "chevron.up": "go-up-symbolic", "chevron.down": "go-down-symbolic",
            "arrow.left": "go-previous-symbolic", "arrow.right": "go-next-symbolic",
            "arrow.clockwise": "view-refresh-symbolic", "magnifyingglass": "system-search-symbolic",
            "gear": "emblem-system-symbolic", "gearshape": "emblem-system-symbolic", "house": "go-home-symbolic",
            "trash": "user-trash-symbolic", "pencil": "document-edit-symbolic", "envelope": "mail-unread-symbolic",
            "person": "avatar-default-symbolic", "play": "media-playback-start-symbolic",
            "play.fill": "media-playback-start-symbolic", "pause": "media-playback-pause-symbolic",
            "pause.fill": "media-playback-pause-symbolic", "stop.fill": "media-playback-stop-symbolic",
            "info.circle": "dialog-information-symbolic", "exclamationmark.triangle": "dialog-warning-symbolic",
            "list.bullet": "view-list-symbolic", "ellipsis": "view-more-horizontal-symbolic",
        ]
    }
#endif
