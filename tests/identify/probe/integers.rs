//! Units of integers: what becomes of a sum that the result does not hold, and where it is clamped.

use super::is;

#[test]
fn codes_of_factors() {
    is("int:K=4,a=u8,b=s8", "factor-a", "unsigned");
    is("int:K=4,a=u8,b=s8", "factor-b", "signed");
    is("int:K=32,a=s4,b=u4", "factor-a", "signed");
    is("int:K=128,in=b1", "bits", "AND");
    is("int:K=128,in=b1,pair=xor", "bits", "XOR");
}

#[test]
fn overflow() {
    is("int:K=4", "overflow", "wraps");
    is("int:K=4,overflow=saturate", "overflow", "saturates");
    is("int:K=4,in=u8,acc=u32", "overflow", "wraps");
    is(
        "int:K=2,in=u8,acc=u32,overflow=saturate",
        "overflow",
        "saturates",
    );
    is(
        "int:K=8,in=b1,pair=xor,overflow=saturate",
        "overflow",
        "saturates",
    );
    is("int:K=8,in=b1,pair=xor", "overflow", "wraps");
    is("int:K=4,acc=s16", "sum-of-products", "yes");
}

#[test]
fn clamps() {
    is("int:K=4", "clamps", "undecided");
    is("int:K=4,a=u8,b=s8,overflow=saturate", "clamps", "1");
    is("int:K=4,chain=3,overflow=saturate", "clamps", "3");
    is("int:K=1,chain=8,overflow=saturate", "clamps", "8");
    is(
        "int:K=4,in=u8,overflow=saturate",
        "clamps",
        "not applicable",
    );
    is("x86/vpmaddubsw.vpaddsw", "clamp-before-c", "yes");
    is(
        "int:K=2,a=u8,b=s8,acc=s16,overflow=saturate",
        "clamp-before-c",
        "no",
    );
    is(
        "int:K=4,overflow=saturate",
        "clamp-before-c",
        "not applicable",
    );
    is(
        "x86/vpmaddubsw.vpmaddwd.vpaddd",
        "sum-of-products",
        "inexact",
    );
}

/// The late addition of MI300X keeps 31 bits below the leading bit of the sum.
#[test]
fn precision_of_the_sum_of_products() {
    is("cdna3/v_mfma_f32_32x32x8_f16", "sum-precision", "31");
    is("exact:K=4", "sum-precision", ">= 58");
    is("fda:F=30,K=8,round=rne", "sum-precision", "30");
    is("hopper/HGMMA.64x8x16.F32", "sum-precision", "undecided");
}
