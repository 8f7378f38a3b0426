(declare-const a (_ BitVec 16))
(assert (finite.f16 a))
(assert (<= (/ 1 3) (real.f16 a) 0.5))
(assert (= (f ((_ fp.to_ubv 16) RNE (value.f16 a)) #x3c00 #x00000000) #x00000000))
