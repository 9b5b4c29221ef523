// SPDX-License-Identifier: MIT
// Writes a macro for each number of a range: for functions that know which one of many they are.
#ifndef CREPEAT_H
#define CREPEAT_H

// `M(HEX)` for the sixteen numbers that begin with `HIGH`, such as `0x3`.
#define CREPEAT_16(M, HIGH) \
    M(HIGH##0) \
    M(HIGH##1) \
    M(HIGH##2) \
    M(HIGH##3) \
    M(HIGH##4) \
    M(HIGH##5) \
    M(HIGH##6) \
    M(HIGH##7) \
    M(HIGH##8) M(HIGH##9) M(HIGH##a) M(HIGH##b) M(HIGH##c) M(HIGH##d) M(HIGH##e) M(HIGH##f)
// For the numbers from 0x00 to 0x3f.
#define CREPEAT_64(M) CREPEAT_16(M, 0x0) CREPEAT_16(M, 0x1) CREPEAT_16(M, 0x2) CREPEAT_16(M, 0x3)
// For those from 0x00 to 0xff.
#define CREPEAT_256(M) \
    CREPEAT_64(M) \
    CREPEAT_16(M, 0x4) \
    CREPEAT_16(M, 0x5) \
    CREPEAT_16(M, 0x6) \
    CREPEAT_16(M, 0x7) \
    CREPEAT_16(M, 0x8) \
    CREPEAT_16(M, 0x9) \
    CREPEAT_16(M, 0xa) CREPEAT_16(M, 0xb) CREPEAT_16(M, 0xc) CREPEAT_16(M, 0xd) CREPEAT_16(M, 0xe) CREPEAT_16(M, 0xf)

#endif
