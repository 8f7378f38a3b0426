//! The dot instructions of this processor. A value of [`PresentInstruction`] exists only if the processor has
//! the instruction.
#![allow(
    unsafe_code,
    reason = "an instruction of the processor is what is asked; every block says what it rests on"
)]

/// Instructions that compute four dot-adds `c + a·b`, one in each 32-bit word of a 16-byte
/// register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// VDPBF16PS: two products of bf16.
    Vdpbf16ps,
    /// VPDPBUSD: four products of u8 and s8.
    Vpdpbusd,
    /// VPDPBUSDS: as VPDPBUSD, with a saturated sum.
    Vpdpbusds,
    /// VPDPWSSD: two products of s16.
    Vpdpwssd,
    /// VPDPWSSDS: as VPDPWSSD, with a saturated sum.
    Vpdpwssds,
    /// VPMADDUBSW: two products of u8 and s8, in the low 16 bits of a word; `c` is not read.
    Vpmaddubsw,
    /// VPMADDWD: two products of s16; `c` is not read.
    Vpmaddwd,
    /// VPMADDWD, then VPADDD to `c`.
    VpmaddwdVpaddd,
    /// VPMADDUBSW, then VPADDSW to `c`, in the low 16 bits of a word.
    VpmaddubswVpaddsw,
    /// VPMADDUBSW, VPMADDWD by ones, then VPADDD to `c`.
    VpmaddubswVpmaddwdVpaddd,
}

/// Instructions that multiply tiles: 16 rows of words of `a` by 16 columns of words of `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileInstruction {
    /// TDPBF16PS: two products of bf16 in each word.
    Tdpbf16ps,
    /// TDPBSSD: four products of s8 in each word.
    Tdpbssd,
    /// TDPBSUD: four products of s8 and u8 in each word.
    Tdpbsud,
    /// TDPBUSD: four products of u8 and s8 in each word.
    Tdpbusd,
    /// TDPBUUD: four products of u8 in each word.
    Tdpbuud,
}

/// An instruction that this processor has.
#[derive(Clone, Copy, Debug)]
pub struct PresentInstruction<I>(I);

/// A tile of 16 rows of 64 bytes.
pub type TileRegister = [[u32; 16]; 16];

#[cfg(not(target_arch = "x86_64"))]
impl Lanes {
    /// Returns `None`, since this is another kind of processor.
    pub fn find(self) -> Option<PresentInstruction<Self>> {
        None
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl PresentInstruction<Lanes> {
    /// Never called, since `find` returns `None`.
    pub fn run(self, _: &mut [u32; 4], _: &[u32; 4], _: &[u32; 4]) {}
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
impl TileInstruction {
    /// Returns `None`, since this is another kind of processor or operating system.
    pub fn find(self) -> Option<PresentInstruction<Self>> {
        None
    }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
impl PresentInstruction<TileInstruction> {
    /// Never called, since `find` returns `None`.
    pub fn run(self, _: &mut TileRegister, _: &TileRegister, _: &TileRegister) {}
}

#[cfg(target_arch = "x86_64")]
impl Lanes {
    /// The instruction; `None` if this processor does not have it.
    pub fn find(self) -> Option<PresentInstruction<Self>> {
        let is_wide = is_x86_feature_detected!("avx512vl");
        let has = match self {
            Lanes::Vdpbf16ps => is_wide && is_x86_feature_detected!("avx512bf16"),
            Lanes::Vpdpbusd | Lanes::Vpdpbusds | Lanes::Vpdpwssd | Lanes::Vpdpwssds => {
                is_wide && is_x86_feature_detected!("avx512vnni")
            }
            _ => is_x86_feature_detected!("avx"),
        };
        has.then_some(PresentInstruction(self))
    }
}

/// Runs instructions on `c` in xmm0, `a` in xmm1 and `b` in xmm2; xmm3 has words of 1. The result is
/// xmm0.
#[cfg(target_arch = "x86_64")]
macro_rules! sequence {
    ($c:ident, $a:ident, $b:ident, $($instruction:literal),+) => {
        std::arch::asm!(
            "vmovdqu xmm0, [{c}]",
            "vmovdqu xmm1, [{a}]",
            "vmovdqu xmm2, [{b}]",
            "vpcmpeqw xmm3, xmm3, xmm3",
            "vpsrlw xmm3, xmm3, 15",
            $($instruction,)+
            "vmovdqu [{c}], xmm0",
            c = in(reg) $c.as_mut_ptr(),
            a = in(reg) $a.as_ptr(),
            b = in(reg) $b.as_ptr(),
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            options(nostack, preserves_flags),
        )
    };
}

#[cfg(target_arch = "x86_64")]
impl PresentInstruction<Lanes> {
    /// Replaces `c` by `c + a·b` in each of four lanes, with element 0 of a lane in its low bits; by
    /// `a·b` if the instruction has no accumulator.
    pub fn run(self, c: &mut [u32; 4], a: &[u32; 4], b: &[u32; 4]) {
        // SAFETY: the processor has the instruction, as `find` has checked. The opcodes are those
        // of the Intel SDM; the prefix, F3 or 66, is in the byte that also names the first source.
        unsafe {
            match self.0 {
                Lanes::Vdpbf16ps => lanes::<0x76, 0x52>(c, a, b),
                Lanes::Vpdpbusd => lanes::<0x75, 0x50>(c, a, b),
                Lanes::Vpdpbusds => lanes::<0x75, 0x51>(c, a, b),
                Lanes::Vpdpwssd => lanes::<0x75, 0x52>(c, a, b),
                Lanes::Vpdpwssds => lanes::<0x75, 0x53>(c, a, b),
                Lanes::Vpmaddubsw => sequence!(c, a, b, "vpmaddubsw xmm0, xmm1, xmm2"),
                Lanes::Vpmaddwd => sequence!(c, a, b, "vpmaddwd xmm0, xmm1, xmm2"),
                Lanes::VpmaddwdVpaddd => sequence!(
                    c,
                    a,
                    b,
                    "vpmaddwd xmm1, xmm1, xmm2",
                    "vpaddd xmm0, xmm0, xmm1"
                ),
                Lanes::VpmaddubswVpaddsw => sequence!(
                    c,
                    a,
                    b,
                    "vpmaddubsw xmm1, xmm1, xmm2",
                    "vpaddsw xmm0, xmm0, xmm1"
                ),
                Lanes::VpmaddubswVpmaddwdVpaddd => sequence!(
                    c,
                    a,
                    b,
                    "vpmaddubsw xmm1, xmm1, xmm2",
                    "vpmaddwd xmm1, xmm1, xmm3",
                    "vpaddd xmm0, xmm0, xmm1"
                ),
            }
        }
    }
}

/// Runs the instruction `OPCODE` on xmm0, xmm1 and xmm2.
///
/// # Safety
/// The processor must have the instruction, which must change no other registers.
#[cfg(target_arch = "x86_64")]
unsafe fn lanes<const SOURCE: u8, const OPCODE: u8>(c: &mut [u32; 4], a: &[u32; 4], b: &[u32; 4]) {
    // SAFETY: each of the three arrays is 16 bytes, read and written without alignment; all
    // registers that change are declared; the caller guarantees the instruction.
    unsafe {
        std::arch::asm!(
            "movdqu xmm0, [{c}]",
            "movdqu xmm1, [{a}]",
            "movdqu xmm2, [{b}]",
            // The instruction is given as bytes, since older assemblers do not know it.
            ".byte 0x62, 0xf2, {source}, 0x08, {opcode}, 0xc2",
            "movdqu [{c}], xmm0",
            c = in(reg) c.as_mut_ptr(),
            a = in(reg) a.as_ptr(),
            b = in(reg) b.as_ptr(),
            source = const SOURCE,
            opcode = const OPCODE,
            out("xmm0") _, out("xmm1") _, out("xmm2") _,
            options(nostack, preserves_flags),
        );
    }
}

/// The tile configuration: palette, rows, bytes of a row (Intel SDM, LDTILECFG).
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[repr(C)]
struct TileConfiguration {
    palette: u8,
    start_row: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
impl TileInstruction {
    /// The instruction; `None` if this processor does not have it, or the system does not let this
    /// thread use tiles.
    pub fn find(self) -> Option<PresentInstruction<Self>> {
        /// A bit of EDX in CPUID leaf 7: the processor has AMX-BF16. The next two constants are the
        /// bits for AMX-TILE and AMX-INT8.
        const BF16: u32 = 1 << 22;
        const TILE: u32 = 1 << 24;
        const INT8: u32 = 1 << 25;
        let needed = match self {
            TileInstruction::Tdpbf16ps => TILE | BF16,
            _ => TILE | INT8,
        };
        #[allow(unused_unsafe, reason = "safe from Rust 1.94 on")]
        // SAFETY: every x86-64 processor has CPUID; on one without leaf 7, `may_use_tiles` is
        // false.
        let leaf = unsafe { std::arch::x86_64::__cpuid_count(7, 0) };
        (leaf.edx & needed == needed && may_use_tiles()).then_some(PresentInstruction(self))
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
impl PresentInstruction<TileInstruction> {
    /// Replaces `c` by `c + a·b`. Word `k` of row `m` of `a` holds a few factors of row `m` of A;
    /// word `n` of row `k` of `b` holds the factors of column `n` of B that they are multiplied by.
    pub fn run(self, c: &mut TileRegister, a: &TileRegister, b: &TileRegister) {
        // SAFETY: the processor has the instruction, as `find` has checked. The opcodes are those
        // of the Intel SDM; the prefix (none, 66, F3 or F2) is in the byte that also names the
        // second source.
        unsafe {
            match self.0 {
                TileInstruction::Tdpbf16ps => tiles::<0x6a, 0x5c>(c, a, b),
                TileInstruction::Tdpbssd => tiles::<0x6b, 0x5e>(c, a, b),
                TileInstruction::Tdpbsud => tiles::<0x6a, 0x5e>(c, a, b),
                TileInstruction::Tdpbusd => tiles::<0x69, 0x5e>(c, a, b),
                TileInstruction::Tdpbuud => tiles::<0x68, 0x5e>(c, a, b),
            }
        }
    }
}

/// Runs the instruction `OPCODE` on tmm0, tmm1 and tmm2.
///
/// # Safety
/// The processor must have the instruction, the system must let it run, and it must change no other
/// registers.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
unsafe fn tiles<const SOURCE: u8, const OPCODE: u8>(
    c: &mut TileRegister,
    a: &TileRegister,
    b: &TileRegister,
) {
    let configuration = TileConfiguration {
        palette: 1,
        start_row: 0,
        reserved: [0; 14],
        row_bytes: std::array::from_fn(|tile| if tile < 3 { 64 } else { 0 }),
        rows: std::array::from_fn(|tile| if tile < 3 { 16 } else { 0 }),
    };
    // SAFETY: each tile is 16 contiguous rows of 64 bytes, and the configuration is the 64 bytes
    // that LDTILECFG reads; the compiler keeps nothing in tiles, and the code releases them; the
    // caller guarantees the instruction.
    unsafe {
        std::arch::asm!(
            // ldtilecfg [rax]; tileloadd tmm0, [rcx+rsi]; tmm1, [rdx+rsi]; tmm2, [rdi+rsi]
            ".byte 0xc4, 0xe2, 0x78, 0x49, 0x00",
            ".byte 0xc4, 0xe2, 0x7b, 0x4b, 0x04, 0x31",
            ".byte 0xc4, 0xe2, 0x7b, 0x4b, 0x0c, 0x32",
            ".byte 0xc4, 0xe2, 0x7b, 0x4b, 0x14, 0x37",
            // The instruction; tilestored [rcx+rsi], tmm0; tilerelease
            ".byte 0xc4, 0xe2, {source}, {opcode}, 0xc1",
            ".byte 0xc4, 0xe2, 0x7a, 0x4b, 0x04, 0x31",
            ".byte 0xc4, 0xe2, 0x78, 0x49, 0xc0",
            source = const SOURCE,
            opcode = const OPCODE,
            in("rax") &raw const configuration,
            in("rcx") c.as_mut_ptr(),
            in("rdx") a.as_ptr(),
            in("rdi") b.as_ptr(),
            in("rsi") 64usize,
            options(nostack, preserves_flags),
        );
    }
}

/// Asks Linux for permission to use tiles, which then holds for the whole process.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn may_use_tiles() -> bool {
    /// The numbers of the system call arch_prctl, of ARCH_REQ_XCOMP_PERM, and of
    /// XFEATURE_XTILEDATA.
    const CALL: [u64; 3] = [158, 0x1023, 18];
    let result: i64;
    // SAFETY: this system call takes two numbers and touches no memory of the process; all
    // registers that a system call changes are declared.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") CALL[0] => result,
            in("rdi") CALL[1],
            in("rsi") CALL[2],
            out("rcx") _, out("r11") _,
            options(nostack),
        );
    }
    result == 0
}
