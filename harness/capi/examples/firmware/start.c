/* Start-up of a Cortex-M4F: vectors, memory, floating point. */
#include <stdint.h>

extern uint32_t _stack[], _painted[], _data[], _data_end[], _data_load[], _bss[], _bss_end[];
int main(void);

/* The last bytes of the stack are painted, to see afterwards how many were used. */
enum { PAINT = 0x5ca1ab1e };

uint32_t stack_used(void) {
    const volatile uint32_t *lowest = _painted;
    while (*lowest == PAINT) lowest++;
    return (uint32_t)_stack - (uint32_t)lowest;
}

void reset(void) {
    uint32_t *top;
    __asm__ volatile("mov %0, sp" : "=r"(top));
    for (volatile uint32_t *word = _painted; word < top; word++) *word = PAINT;
    uint32_t *from = _data_load;
    for (uint32_t *to = _data; to < _data_end;) *to++ = *from++;
    for (uint32_t *to = _bss; to < _bss_end;) *to++ = 0;
    *(volatile uint32_t *)0xe000ed88 |= 0xf << 20; /* CPACR: coprocessors 10 and 11 */
    __asm__ volatile("dsb\nisb");
    main();
    for (;;) {}
}

static void fault(void) {
    register int r0 __asm__("r0") = 0x18;
    register uint32_t r1 __asm__("r1") = 0x20023;
    __asm__ volatile("bkpt 0xab" : : "r"(r0), "r"(r1));
    for (;;) {}
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    _stack, (const void *)reset, (const void *)fault, (const void *)fault, (const void *)fault, (const void *)fault,
    (const void *)fault};
