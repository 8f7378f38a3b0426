//! Names of instructions: groups of them, sizes left open, and the formats read off them.

use mmasmt_core::machines::model::name::{NameFields, expand, matches, table_spelling};

#[test]
fn brace_groups_expand_in_order() {
    assert_eq!(
        expand("q.{a,b}.{c,d}"),
        ["q.a.c", "q.a.d", "q.b.c", "q.b.d"]
    );
    assert_eq!(expand("plain"), ["plain"]);
}

#[test]
fn free_dimensions_match_numbers_and_themselves() {
    assert!(matches("wgmma.m64nNk16.f32", "wgmma.m64n8k16.f32"));
    assert!(matches("wgmma.m64nNk16.f32", "wgmma.m64nNk16.f32"));
    assert!(!matches("wgmma.m64nNk16.f32", "wgmma.m64nk16.f32"));
    assert!(!matches("wgmma.m64nNk16.f32", "wgmma.m64n8k32.f32"));
    assert!(!matches("mma.m16n8k16", "mma.m16n8k16.f32"));
}

#[test]
fn operands_are_read_off_the_name() {
    let read = |name: &str| {
        let n = NameFields::read(name).unwrap();
        let formats = [n.d, n.a, n.b, n.c].map(|format| format.name()).join(" ");
        (
            formats,
            n.products,
            n.scales.map(|(format, block)| (format.name(), block)),
        )
    };
    let plain = |formats: &str, products| (formats.to_owned(), products, None);
    assert_eq!(
        read("mma.m16n8k16.f32.f16.f16.f32"),
        plain("f32 f16 f16 f32", 16)
    );
    assert_eq!(
        read("wgmma.m64nNk32.f16.e4m3.e5m2"),
        plain("f16 e4m3 e5m2 f16", 32)
    );
    assert_eq!(
        read("mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3"),
        ("f32 e2m1 e2m1 f32".to_owned(), 64, Some(("ue4m3", 16)))
    );
    let amd = [
        ("f32_32x32x8_f16", plain("f32 f16 f16 f32", 8)),
        ("f32_4x4x4_16b_bf16", plain("f32 bf16 bf16 f32", 4)),
        ("f32_32x32x4bf16_1k", plain("f32 bf16 bf16 f32", 4)),
        ("f32_16x16x8_xf32", plain("f32 tf32 tf32 f32", 8)),
        ("f64_16x16x4f64", plain("f64 f64 f64 f64", 4)),
        (
            "f32_16x16x32_bf8_fp8",
            plain("f32 e5m2fnuz e4m3fnuz f32", 32),
        ),
    ];
    for (name, expected) in amd {
        assert_eq!(read(&format!("v_mfma_{name}")), expected, "{name}");
    }
    let integers = [
        (
            "mma.m16n8k32.satfinite.s32.u8.s8.s32",
            plain("s32 u8 s8 s32", 32),
        ),
        (
            "mma.m8n8k128.s32.b1.b1.s32.xor.popc",
            plain("s32 b1 b1 s32", 128),
        ),
        ("wgmma.m64nNk32.s32.s8.u8", plain("s32 s8 u8 s32", 32)),
        ("v_mfma_i32_32x32x8i8", plain("s32 s8 s8 s32", 8)),
        ("v_mfma_i32_16x16x4_4b_i8", plain("s32 s8 s8 s32", 4)),
        (
            "v_wmma_i32_16x16x32_iu4.u4.s4.clamp",
            plain("s32 u4 s4 s32", 32),
        ),
        ("mma.sp.m16n8k64.s32.s8.u8.s32", plain("s32 s8 u8 s32", 32)),
        ("v_smfmac_i32_16x16x64_i8", plain("s32 s8 s8 s32", 32)),
        ("v_dot4_i32_iu8.s8.s8", plain("s32 s8 s8 s32", 4)),
        (
            "v_swmmac_i32_16x16x64_iu4.u4.s4",
            plain("s32 u4 s4 s32", 32),
        ),
    ];
    for (name, expected) in integers {
        assert_eq!(read(name), expected, "{name}");
    }
    assert_eq!(NameFields::read("HMMA.16816.F32"), None);
    assert_eq!(NameFields::read("v_mfma_f32_x"), None);
}

#[test]
fn ptx_as_compilers_write_it_is_shortened() {
    let spelled = [
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
            "mma.m16n8k16.f32.f16.f16.f32",
        ),
        (
            "mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3",
            "mma.block_scale.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3",
        ),
        (
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
            "wgmma.m64n8k16.f32.f16.f16",
        ),
    ];
    for (name, short) in spelled {
        assert_eq!(table_spelling(name), short);
        assert_eq!(table_spelling(short), short);
    }
}
