// SPDX-License-Identifier: MIT
// `--sort`'s values; the conformance is seen by the whole package.

import ArgumentParser
package import RerenderQuery

extension StatsOrder: ExpressibleByArgument {}
