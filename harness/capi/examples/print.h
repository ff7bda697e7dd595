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
static void print_number(const char *name, uint32_t number) {
    char digits[12] = {0}, *first = digits + sizeof digits - 1;
    do *--first = '0' + number % 10; while ((number /= 10) != 0);
    print(name), print(first), print("\n");
}
uint32_t stack_used(void);
/* Lines that only firmware has begin with `#`. */
static void finish(int failed) {
    print_number("# bytes of stack, all calls: ", stack_used());
    print_number("# bytes of a device: ", (uint32_t)texwire_device_size());
    print_number("# bytes of a prepared message: ", (uint32_t)texwire_prepared_size());
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
