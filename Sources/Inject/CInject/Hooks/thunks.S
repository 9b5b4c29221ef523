// SPDX-License-Identifier: MIT
// What stands in witness tables: one thunk for each hook, and the code that they all go on with.
//
// Swift's calling convention for a witness: the result's address, `self` (the value's address), and the arguments, of which the
// metadata of `Self` and the table are the last. Registers: x86-64 rax, r13, rdi and the next ones of C; arm64 x8, x20, x0 and the
// next ones. Vectors and the arguments on the stack are those of C, too. The error (r12; x21) and the asynchronous context
// (r14; x22) are kept. A getter has two arguments. On x86-64, vectors are left alone where the hook says that a call has nothing in
// them: they would be a twentieth of what an evaluation costs.
//
// Frames have a frame pointer and unwind information: stacks are walked through them.

// struct crerender_call
#define RESULT 0
#define SELF 8
#define ASYNC 16
#define ERROR 24
#define ARGUMENTS 32
#define HOOK 96
#define STACK 104
#define RETURNED 112
#define VECTORS 144
#define CALL_BYTES 288
// struct crerender_hook
#define HAS_VECTORS 16
#define HOOK_BYTES 32

#if defined(__x86_64__)

// Puts into the registers what a call had in them, apart from those that its callee keeps. r11 becomes its hook.
.macro take_call call
    movq HOOK(\call), %r11
    movq RESULT(\call), %rax
    movq ARGUMENTS(\call), %rdi
    movq ARGUMENTS + 8(\call), %rsi
    movq ARGUMENTS + 16(\call), %rdx
    movq ARGUMENTS + 24(\call), %rcx
    movq ARGUMENTS + 32(\call), %r8
    movq ARGUMENTS + 40(\call), %r9
    cmpb $0, HAS_VECTORS(%r11)
    je 9f
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    movups VECTORS + 16 * \number(\call), %xmm\number
    .endr
9:
.endm

    .text
    .hidden crerender_enter
    .hidden crerender_thunks
    .globl crerender_thunks
    .p2align 4
crerender_thunks:
    .cfi_startproc
    .set index, 0
    .rept 4096
    .p2align 4
    leaq crerender_hooks + HOOK_BYTES * index(%rip), %r11
    jmp crerender_thunk_body
    .set index, index + 1
    .endr
    .cfi_endproc

    .p2align 4
    .type crerender_thunk_body, @function
crerender_thunk_body:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    subq $CALL_BYTES, %rsp
    movq %rax, RESULT(%rsp)
    movq %r13, SELF(%rsp)
    movq %r14, ASYNC(%rsp)
    movq %r12, ERROR(%rsp)
    movq %rdi, ARGUMENTS(%rsp)
    movq %rsi, ARGUMENTS + 8(%rsp)
    movq %rdx, ARGUMENTS + 16(%rsp)
    movq %rcx, ARGUMENTS + 24(%rsp)
    movq %r8, ARGUMENTS + 32(%rsp)
    movq %r9, ARGUMENTS + 40(%rsp)
    movq %r11, HOOK(%rsp)
    cmpb $0, HAS_VECTORS(%r11)
    leaq 16(%rbp), %r11
    movq %r11, STACK(%rsp)
    je 2f
    .irp number, 0, 1, 2, 3, 4, 5, 6, 7
    movups %xmm\number, VECTORS + 16 * \number(%rsp)
    .endr
2:
    movq %rsp, %rdi
    callq crerender_enter
    testb %al, %al
    jz 1f
    movq %rsp, %rdi
    callq *crerender_hook_handler(%rip)
    movq ERROR(%rsp), %r12
    movq RETURNED(%rsp), %rax
    movq RETURNED + 8(%rsp), %rdx
    movq RETURNED + 16(%rsp), %rcx
    movq RETURNED + 24(%rsp), %r8
    movq HOOK(%rsp), %r11
    cmpb $0, HAS_VECTORS(%r11)
    je 3f
    .irp number, 0, 1, 2, 3
    movups VECTORS + 16 * \number(%rsp), %xmm\number
    .endr
3:
    .cfi_remember_state
    leave
    .cfi_def_cfa %rsp, 8
    retq
    .cfi_restore_state
1:
    // As if nothing stood here: the function gets the registers and the stack of its caller.
    take_call %rsp
    leave
    .cfi_def_cfa %rsp, 8
    jmpq *(%r11)
    .cfi_endproc
    .size crerender_thunk_body, . - crerender_thunk_body

    .globl crerender_call_original
    .hidden crerender_call_original
    .p2align 4
    .type crerender_call_original, @function
crerender_call_original:
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq %rbx
    .cfi_offset %rbx, -24
    pushq %r12
    .cfi_offset %r12, -32
    pushq %r13
    .cfi_offset %r13, -40
    pushq %r14
    .cfi_offset %r14, -48
    movq %rdi, %rbx
    // The arguments on the stack, once more: below the frame of the caller's.
    testq %rsi, %rsi
    jz 1f
    movq %rsi, %rcx
    leaq (, %rsi, 8), %rax
    subq %rax, %rsp
    movq STACK(%rbx), %rsi
    movq %rsp, %rdi
    rep movsq
1:
    movq SELF(%rbx), %r13
    movq ASYNC(%rbx), %r14
    movq ERROR(%rbx), %r12
    take_call %rbx
    callq *(%r11)
    movq %r12, ERROR(%rbx)
    movq %rax, RETURNED(%rbx)
    movq %rdx, RETURNED + 8(%rbx)
    movq %rcx, RETURNED + 16(%rbx)
    movq %r8, RETURNED + 24(%rbx)
    movq HOOK(%rbx), %r11
    cmpb $0, HAS_VECTORS(%r11)
    je 2f
    .irp number, 0, 1, 2, 3
    movups %xmm\number, VECTORS + 16 * \number(%rbx)
    .endr
2:
    leaq -32(%rbp), %rsp
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    .cfi_def_cfa %rsp, 8
    retq
    .cfi_endproc
    .size crerender_call_original, . - crerender_call_original

#elif defined(__aarch64__)

// Puts into the registers what a call had in them, apart from those that its callee keeps.
.macro take_call call
    ldr x8, [\call, #RESULT]
    ldp x0, x1, [\call, #ARGUMENTS]
    ldp x2, x3, [\call, #ARGUMENTS + 16]
    ldp x4, x5, [\call, #ARGUMENTS + 32]
    ldp x6, x7, [\call, #ARGUMENTS + 48]
    ldp q0, q1, [\call, #VECTORS]
    ldp q2, q3, [\call, #VECTORS + 32]
    ldp q4, q5, [\call, #VECTORS + 64]
    ldp q6, q7, [\call, #VECTORS + 96]
.endm

    .text
    .hidden crerender_enter
    .hidden crerender_thunks
    .globl crerender_thunks
    .p2align 4
crerender_thunks:
    .cfi_startproc
    .set index, 0
    .rept 4096
    // Sixteen bytes: the number of the hook, and the way to the code that they share.
    mov w16, #index
    b crerender_thunk_body
    nop
    nop
    .set index, index + 1
    .endr
    .cfi_endproc

    .p2align 4
    .type crerender_thunk_body, %function
crerender_thunk_body:
    .cfi_startproc
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset x29, -16
    .cfi_offset x30, -8
    mov x29, sp
    .cfi_def_cfa_register x29
    sub sp, sp, #CALL_BYTES
    str x8, [sp, #RESULT]
    str x20, [sp, #SELF]
    str x22, [sp, #ASYNC]
    str x21, [sp, #ERROR]
    stp x0, x1, [sp, #ARGUMENTS]
    stp x2, x3, [sp, #ARGUMENTS + 16]
    stp x4, x5, [sp, #ARGUMENTS + 32]
    stp x6, x7, [sp, #ARGUMENTS + 48]
    stp q0, q1, [sp, #VECTORS]
    stp q2, q3, [sp, #VECTORS + 32]
    stp q4, q5, [sp, #VECTORS + 64]
    stp q6, q7, [sp, #VECTORS + 96]
    add x17, x29, #16
    str x17, [sp, #STACK]
    adrp x17, crerender_hooks
    add x17, x17, :lo12:crerender_hooks
    add x16, x17, x16, lsl #5
    str x16, [sp, #HOOK]
    mov x0, sp
    bl crerender_enter
    tbz w0, #0, 1f
    adrp x17, crerender_hook_handler
    ldr x17, [x17, :lo12:crerender_hook_handler]
    mov x0, sp
    blr x17
    ldr x21, [sp, #ERROR]
    ldr x0, [sp, #RETURNED]
    ldr x1, [sp, #RETURNED + 8]
    ldr x2, [sp, #RETURNED + 16]
    ldr x3, [sp, #RETURNED + 24]
    ldp q0, q1, [sp, #VECTORS]
    ldp q2, q3, [sp, #VECTORS + 32]
    .cfi_remember_state
    mov sp, x29
    ldp x29, x30, [sp], #16
    .cfi_def_cfa sp, 0
    ret
    .cfi_restore_state
1:
    // As if nothing stood here: the function gets the registers and the stack of its caller.
    take_call sp
    ldr x16, [sp, #HOOK]
    ldr x16, [x16]
    mov sp, x29
    ldp x29, x30, [sp], #16
    .cfi_def_cfa sp, 0
    br x16
    .cfi_endproc
    .size crerender_thunk_body, . - crerender_thunk_body

    .globl crerender_call_original
    .hidden crerender_call_original
    .p2align 4
    .type crerender_call_original, %function
crerender_call_original:
    .cfi_startproc
    stp x29, x30, [sp, #-64]!
    .cfi_def_cfa_offset 64
    .cfi_offset x29, -64
    .cfi_offset x30, -56
    mov x29, sp
    .cfi_def_cfa_register x29
    stp x19, x20, [sp, #16]
    .cfi_offset x19, -48
    .cfi_offset x20, -40
    stp x21, x22, [sp, #32]
    .cfi_offset x21, -32
    .cfi_offset x22, -24
    mov x19, x0
    // The arguments on the stack, once more: below the frame of the caller's.
    sub sp, sp, x1, lsl #3
    ldr x9, [x19, #STACK]
    mov x10, sp
    cbz x1, 2f
1:
    ldp x11, x12, [x9], #16
    stp x11, x12, [x10], #16
    subs x1, x1, #2
    b.ne 1b
2:
    ldr x17, [x19, #HOOK]
    ldr x17, [x17]
    ldr x20, [x19, #SELF]
    ldr x22, [x19, #ASYNC]
    ldr x21, [x19, #ERROR]
    take_call x19
    blr x17
    str x21, [x19, #ERROR]
    str x0, [x19, #RETURNED]
    str x1, [x19, #RETURNED + 8]
    str x2, [x19, #RETURNED + 16]
    str x3, [x19, #RETURNED + 24]
    stp q0, q1, [x19, #VECTORS]
    stp q2, q3, [x19, #VECTORS + 32]
    mov sp, x29
    ldp x21, x22, [sp, #32]
    ldp x19, x20, [sp, #16]
    ldp x29, x30, [sp], #64
    .cfi_def_cfa sp, 0
    ret
    .cfi_endproc
    .size crerender_call_original, . - crerender_call_original

#endif

    .section .note.GNU-stack, "", %progbits
