//! The dot instructions of this processor, each behind a value that exists only where the processor has it.
#![allow(
    unsafe_code,
    reason = "an instruction of the processor is what is asked; every block says what it rests on"
)]

/// VDPBF16PS (AVX512_BF16 with AVX512VL): four dot-adds of two products.
#[derive(Clone, Copy, Debug)]
pub struct Vdpbf16ps(());

/// TDPBF16PS (AMX-BF16), 16 dot-adds of 32 products: the diagonal of a product of tiles.
#[derive(Clone, Copy, Debug)]
pub struct Tdpbf16ps(());

/// A tile of 16 rows of 64 bytes.
pub type Tile = [[u32; 16]; 16];

#[cfg(not(target_arch = "x86_64"))]
impl Vdpbf16ps {
    /// None: this is another kind of processor.
    pub fn find() -> Option<Self> {
        None
    }

    /// Never called.
    pub fn run(self, _: &mut [u32; 4], _: &[u32; 4], _: &[u32; 4]) {}
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
impl Tdpbf16ps {
    /// None: this is another kind of processor or system.
    pub fn find() -> Option<Self> {
        None
    }

    /// Never called.
    pub fn run(self, _: &mut Tile, _: &Tile, _: &Tile) {}
}

#[cfg(target_arch = "x86_64")]
impl Vdpbf16ps {
    /// The instruction, if this processor has it.
    pub fn find() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512bf16") && is_x86_feature_detected!("avx512vl");
        has.then_some(Vdpbf16ps(()))
    }

    /// `c + a·b` in each of four lanes, element 0 in the low word of its pair.
    pub fn run(self, c: &mut [u32; 4], a: &[u32; 4], b: &[u32; 4]) {
        // SAFETY: the processor has the instruction, as `find` saw; each of the three arrays is 16 bytes, read
        // and written without alignment; the registers that change are said.
        unsafe {
            std::arch::asm!(
                "movdqu xmm0, [{c}]",
                "movdqu xmm1, [{a}]",
                "movdqu xmm2, [{b}]",
                // vdpbf16ps xmm0, xmm1, xmm2: older assemblers do not know it.
                ".byte 0x62, 0xf2, 0x76, 0x08, 0x52, 0xc2",
                "movdqu [{c}], xmm0",
                c = in(reg) c.as_mut_ptr(),
                a = in(reg) a.as_ptr(),
                b = in(reg) b.as_ptr(),
                out("xmm0") _, out("xmm1") _, out("xmm2") _,
                options(nostack, preserves_flags),
            );
        }
    }
}

/// What a tile is: palette, rows, bytes of a row (Intel SDM, LDTILECFG).
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
impl Tdpbf16ps {
    /// The instruction, if this processor has it and the system lets this thread use tiles.
    pub fn find() -> Option<Self> {
        /// CPUID leaf 7, EDX: AMX-BF16 and AMX-TILE.
        const HAS: u32 = 1 << 22 | 1 << 24;
        #[allow(unused_unsafe, reason = "safe from Rust 1.94 on")]
        // SAFETY: every x86-64 processor has CPUID, and leaf 7 says 0 where it is not known.
        let leaf = unsafe { std::arch::x86_64::__cpuid_count(7, 0) };
        (leaf.edx & HAS == HAS && may_use_tiles()).then_some(Tdpbf16ps(()))
    }

    /// `c + a·b`: row `m` of `a` has pairs of factors, row `k` of `b` the pairs `2k` and `2k + 1` of each column.
    pub fn run(self, c: &mut Tile, a: &Tile, b: &Tile) {
        let configuration = TileConfiguration {
            palette: 1,
            start_row: 0,
            reserved: [0; 14],
            row_bytes: std::array::from_fn(|tile| if tile < 3 { 64 } else { 0 }),
            rows: std::array::from_fn(|tile| if tile < 3 { 16 } else { 0 }),
        };
        // SAFETY: the processor has the instructions and the system lets them run, as `find` saw; each tile is 16
        // rows of 64 bytes with no more between them, the configuration the 64 bytes that LDTILECFG reads; the
        // compiler keeps nothing in tiles, and they are released.
        unsafe {
            std::arch::asm!(
                // ldtilecfg [rax]; tileloadd tmm0, [rcx+rsi]; tmm1, [rdx+rsi]; tmm2, [rdi+rsi]
                ".byte 0xc4, 0xe2, 0x78, 0x49, 0x00",
                ".byte 0xc4, 0xe2, 0x7b, 0x4b, 0x04, 0x31",
                ".byte 0xc4, 0xe2, 0x7b, 0x4b, 0x0c, 0x32",
                ".byte 0xc4, 0xe2, 0x7b, 0x4b, 0x14, 0x37",
                // tdpbf16ps tmm0, tmm1, tmm2; tilestored [rcx+rsi], tmm0; tilerelease
                ".byte 0xc4, 0xe2, 0x6a, 0x5c, 0xc1",
                ".byte 0xc4, 0xe2, 0x7a, 0x4b, 0x04, 0x31",
                ".byte 0xc4, 0xe2, 0x78, 0x49, 0xc0",
                in("rax") &raw const configuration,
                in("rcx") c.as_mut_ptr(),
                in("rdx") a.as_ptr(),
                in("rdi") b.as_ptr(),
                in("rsi") 64usize,
                options(nostack, preserves_flags),
            );
        }
    }
}

/// Asks Linux for tiles, which a process may use from then on.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn may_use_tiles() -> bool {
    /// arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA.
    const CALL: [u64; 3] = [158, 0x1023, 18];
    let result: i64;
    // SAFETY: this system call takes two numbers and touches no memory of the process; the registers that a system
    // call changes are said.
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
