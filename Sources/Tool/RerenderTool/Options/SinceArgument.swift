// SPDX-License-Identifier: MIT
// The value of `--since`.

import ArgumentParser
import RerenderToolBase

extension SinceTime: ExpressibleByArgument {}
