// SPDX-License-Identifier: MIT
#ifndef CSIGNPOST_H
#define CSIGNPOST_H
#endif
