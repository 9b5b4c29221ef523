// SPDX-License-Identifier: MIT
// A program that leaves evaluations by longjmp, through the C interface. It prints what it counted, as `linked` does; `left` are those
// that it did not end.

#include <pthread.h>
#include <rerender.h>
#include <setjmp.h>
#include <stdio.h>

static __thread jmp_buf outside;
static unsigned left, good, around, inner;

static void __attribute__((noinline)) leave(uint64_t instance) {
    rerender_evaluate_begin("Left", instance);
    left++;
    longjmp(outside, 1);
}

static void __attribute__((noinline)) leave_many(unsigned count) {
    for (volatile unsigned number = 0; number < count; number++)
        if (setjmp(outside) == 0) leave(number % 3);
}

static void __attribute__((noinline)) evaluate(void) {
    rerender_evaluate_begin("Good", 0);
    rerender_evaluate_begin("Inner", 1);
    inner++;
    rerender_evaluate_end("Inner", 1);
    good++;
    rerender_evaluate_end("Good", 0);
}

static void *run(void *context) {
    leave_many(600);
    for (int round = 0; round < 250; round++) evaluate();
    return context;
}

int main(void) {
    rerender_evaluate_begin("Around", 0);
    leave_many(10);
    for (int round = 0; round < 250; round++) evaluate();
    around++;
    rerender_evaluate_end("Around", 0);
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    printf("Good\t%u\nInner\t%u\nAround\t%u\nleft\t%u\n", good, inner, around, left);
    return 0;
}
