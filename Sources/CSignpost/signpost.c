// SPDX-License-Identifier: MIT
#include "CSignpost.h"
