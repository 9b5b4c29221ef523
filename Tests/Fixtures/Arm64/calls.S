// SPDX-License-Identifier: MIT
// A call with each register that arm64's convention for Swift uses, and a function that says what it got. For calls.c.

// struct registers
#define RESULT 64
#define SELF 72
#define ERROR 80
#define ASYNC 88
#define VECTORS 96
#define WORDS 224
#define KEPT 272

    .text
    // call_with(function, with, after): what is in `after` is what the registers had after the call.
    .globl call_with
    .type call_with, %function
call_with:
    stp x29, x30, [sp, #-112]!
    mov x29, sp
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    str x2, [sp, #96]
    mov x17, x0
    mov x9, x1
    sub sp, sp, #48
    .irp place, 0, 16, 32
    ldp x10, x11, [x9, #WORDS + \place]
    stp x10, x11, [sp, #\place]
    .endr
    ldr x20, [x9, #SELF]
    ldr x21, [x9, #ERROR]
    ldr x22, [x9, #ASYNC]
    ldr x19, [x9, #KEPT]
    ldp x23, x24, [x9, #KEPT + 8]
    ldp x25, x26, [x9, #KEPT + 24]
    ldp x27, x28, [x9, #KEPT + 40]
    ldp q0, q1, [x9, #VECTORS]
    ldp q2, q3, [x9, #VECTORS + 32]
    ldp q4, q5, [x9, #VECTORS + 64]
    ldp q6, q7, [x9, #VECTORS + 96]
    ldr x8, [x9, #RESULT]
    ldp x0, x1, [x9]
    ldp x2, x3, [x9, #16]
    ldp x4, x5, [x9, #32]
    ldp x6, x7, [x9, #48]
    blr x17
    ldr x9, [x29, #96]
    stp x0, x1, [x9]
    stp x2, x3, [x9, #16]
    str x20, [x9, #SELF]
    str x21, [x9, #ERROR]
    str x22, [x9, #ASYNC]
    str x19, [x9, #KEPT]
    stp x23, x24, [x9, #KEPT + 8]
    stp x25, x26, [x9, #KEPT + 24]
    stp x27, x28, [x9, #KEPT + 40]
    stp q0, q1, [x9, #VECTORS]
    stp q2, q3, [x9, #VECTORS + 32]
    mov sp, x29
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp x29, x30, [sp], #112
    ret
    .size call_with, . - call_with

    // Keeps what it got in `got`, and returns four numbers, four vectors and an error.
    .globl original
    .type original, %function
original:
    adrp x9, got
    add x9, x9, :lo12:got
    stp x0, x1, [x9]
    stp x2, x3, [x9, #16]
    stp x4, x5, [x9, #32]
    stp x6, x7, [x9, #48]
    str x8, [x9, #RESULT]
    str x20, [x9, #SELF]
    str x21, [x9, #ERROR]
    str x22, [x9, #ASYNC]
    stp q0, q1, [x9, #VECTORS]
    stp q2, q3, [x9, #VECTORS + 32]
    stp q4, q5, [x9, #VECTORS + 64]
    stp q6, q7, [x9, #VECTORS + 96]
    .irp place, 0, 16, 32
    ldp x10, x11, [sp, #\place]
    stp x10, x11, [x9, #WORDS + \place]
    .endr
    mov x0, #51
    mov x1, #52
    mov x2, #53
    mov x3, #54
    fmov d0, #1.0
    fmov d1, #2.0
    fmov d2, #3.0
    fmov d3, #4.0
    mov x21, #61
    ret
    .size original, . - original

    .section .note.GNU-stack, "", %progbits
