// SPDX-License-Identifier: MIT
// Where the HUD's data come from, and who does what it asks for.

#if RERENDER_GTK
    /// The stores that the HUD shows. Called on GTK's thread.
    package protocol HUDSource: AnyObject {
        /// What is shown now.
        ///
        /// - Parameters:
        ///   - store: The place of the store among the names in the content; the first store where there is no such.
        ///   - expanded: The view whose details are wanted.
        func content(store: Int, expanded: String?) -> HUDContent

        /// Whether more is to be shown soon, though nothing new is counted: rates fall.
        var isSettling: Bool { get }

        /// The export of a store as JSON.
        func export(store: Int) -> String

        /// Puts a border around the instances of a view, and returns a text that says how many; nil where that is not known.
        func pulse(_ key: String, store: Int) -> String?

        /// Prints what is known of a view to the console.
        func printStatistics(_ key: String, store: Int)

        /// Begins or ends to flash what draws again.
        func highlight(_ isOn: Bool)
    }
#endif
