// SPDX-License-Identifier: MIT
// The option for colours.

import ArgumentParser
import RerenderShow

extension ColorChoice: ExpressibleByArgument {}

/// `--color`.
struct ColorOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use colours: auto, always, or never. (default: auto: on a terminal, or where FORCE_COLOR has a value)",
            valueName: "when"))
    var color: ColorChoice?

    func validate() {
        if let color { ColorChoice.choose(color) }
    }
}
