(declare-const x (_ BitVec 16))
(assert (fp.lt (value.f16 x) (value.f32 (f x #x3c00 #x00000000))))
