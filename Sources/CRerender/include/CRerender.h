// SPDX-License-Identifier: MIT
#ifndef CRERENDER_H
#define CRERENDER_H
#endif
