// SPDX-License-Identifier: MIT
#include "CRerender.h"
