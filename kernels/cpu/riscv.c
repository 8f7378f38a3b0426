// The widening multiply-add of bf16 of RISC-V (Zvfbfwma), run by qemu-riscv64 -cpu max or by a processor that has it. Rounding is to
// nearest, as frm is left.
#include "lines.h"

// vfwmaccbf16.vv v8, v2, v3: v8 = v2 * v3 + v8. Assemblers before binutils 2.43 do not know the name.
static uint32_t vfwmaccbf16(const Operands *x) {
    uint16_t a = (uint16_t)x->a[0], b = (uint16_t)x->b[0];
    uint32_t c = x->c, d;
    __asm__ volatile(
        ".option push\n"
        ".option arch, +v\n"
        "vsetivli zero, 1, e32, m1, ta, ma\n"
        "vle32.v v8, (%2)\n"
        "vsetivli zero, 1, e16, mf2, ta, ma\n"
        "vle16.v v2, (%0)\n"
        "vle16.v v3, (%1)\n"
        ".insn r 0x57, 1, 0x77, x8, x2, x3\n"
        "vsetivli zero, 1, e32, m1, ta, ma\n"
        "vse32.v v8, (%3)\n"
        ".option pop\n"
        :
        : "r"(&a), "r"(&b), "r"(&c), "r"(&d)
        : "memory");
    return d;
}

int main(int argc, char **argv) {
    static const Instruction all[] = {{"vfwmaccbf16.vv", 1, 16, vfwmaccbf16}};
    return serve(all, sizeof all / sizeof *all, argc, argv);
}
