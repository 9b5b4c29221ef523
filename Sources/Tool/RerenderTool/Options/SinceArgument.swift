// SPDX-License-Identifier: MIT
// The value of `--since`.

import ArgumentParser
import RerenderShow

extension SinceTime: ExpressibleByArgument {}
