/* Output of the C example: the standard library on hosts, semihosting on bare metal. */
#ifndef PRINT_H
#define PRINT_H
#include <stdint.h>

#ifdef BARE_METAL
static int semihost(int operation, const void *argument) {
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}
static void print(const char *text) { semihost(4, text); }
static void finish(int failed) {
    /* ADP_Stopped_ApplicationExit or ADP_Stopped_RunTimeErrorUnknown. */
    semihost(0x18, (const void *)(failed ? 0x20023 : 0x20026));
    for (;;) {}
}
#else
#include <stdio.h>
#include <stdlib.h>
static void print(const char *text) { fputs(text, stdout); }
static void finish(int failed) { exit(failed); }
#endif

static void print_hex(uint8_t byte) {
    const char *digits = "0123456789abcdef";
    const char text[] = {digits[byte >> 4], digits[byte & 15], 0};
    print(text);
}
#endif
