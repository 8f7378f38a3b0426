//! The domains on which units and models are compared, and which domain contains which.

use mmasmt_core::machines::algorithms::Signature;

/// A single domain of the atlas; the domains of a `Family` grow with a number.
pub(super) struct DomainPlace {
    pub name: &'static str,
    /// The text of the domain, for `--where`.
    pub assume: &'static str,
    /// The indices, in `PLACES`, of the larger domains that contain this one.
    pub inside: &'static [usize],
    /// Whether all products but the first are zero.
    pub one_product: bool,
}

impl DomainPlace {
    const fn new(
        name: &'static str,
        assume: &'static str,
        inside: &'static [usize],
    ) -> DomainPlace {
        DomainPlace {
            name,
            assume,
            inside,
            one_product: false,
        }
    }

    const fn of_one_product(self) -> DomainPlace {
        DomainPlace {
            one_product: true,
            ..self
        }
    }
}

/// The places of the atlas, the largest first. The first place has all finite operands.
pub(super) const PLACES: [DomainPlace; 9] = [
    DomainPlace::new("all finite operands", "", &[]),
    DomainPlace::new("no subnormal number", "zero-or-normal", &[0]),
    DomainPlace::new("no negative number", "positive", &[0]),
    DomainPlace::new("c = 0", "c = 0", &[0]),
    DomainPlace::new(
        "no negative or subnormal number",
        "zero-or-normal, positive",
        &[0, 1, 2],
    ),
    DomainPlace::new("no negative number, c = 0", "positive, c = 0", &[0, 2, 3]),
    DomainPlace::new("one product", "a[1..] = 0, b[1..] = 0", &[0]).of_one_product(),
    DomainPlace::new(
        "one product, c = 0",
        "a[1..] = 0, b[1..] = 0, c = 0",
        &[0, 3, 6],
    )
    .of_one_product(),
    DomainPlace::new(
        "one product, no subnormal number, c = 0",
        "a[1..] = 0, b[1..] = 0, c = 0, zero-or-normal",
        &[0, 1, 3, 6, 7],
    )
    .of_one_product(),
];

/// The name and the text of each domain that `agree` asks about, apart from the domains of
/// `ASKED_BITS`.
pub(super) const ASKED_PLACES: [(&str, &str); 11] = [
    ("all finite operands", ""),
    ("no negative number", "positive"),
    ("no negative number but c", "factors positive, c negative"),
    ("c = 0", "c = 0"),
    ("one product", "a[1..] = 0, b[1..] = 0"),
    ("one product, c = 0", "a[1..] = 0, b[1..] = 0, c = 0"),
    ("normal, all exponents 0", "normal, exp 0..0"),
    (
        "normal, factors of exponent 0, c of 12",
        "normal, factors exp 0..0, c exp 12..12",
    ),
    ("factors that e4m3 has, c = 0", "factors in e4m3, c = 0"),
    ("factors that e5m2 has, c = 0", "factors in e5m2, c = 0"),
    ("factors that e2m1 has, c = 0", "factors in e2m1, c = 0"),
];

/// For each of these numbers of significant bits, `agree` searches the greatest exponent up to
/// which the models agree. `ASKED_EXPONENT` is the greatest exponent that it tries.
pub(super) const ASKED_BITS: [u32; 6] = [1, 2, 3, 4, 8, 11];
pub(super) const ASKED_EXPONENT: i64 = 40;

/// Kinds of domains that grow with a whole number n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// The factors are integers of at most n bits; c is an integer of at most p - 1 bits, where p
    /// is the number of significant bits of its format.
    Integers,
    /// The factors are integers of at most n bits; c = 0.
    IntegersWithoutC,
    /// The magnitudes of all operands are below 2^n.
    Below,
    /// The factors have magnitudes from 1 to below 2^(n + 1) and any significand bits; c = 0.
    Within,
    /// The operands have this many significant bits and exponents from 0 to n.
    Bits(u32),
}

impl Family {
    pub const ALL: [Family; 8] = [
        Family::Integers,
        Family::IntegersWithoutC,
        Family::Below,
        Family::Within,
        Family::Bits(1),
        Family::Bits(2),
        Family::Bits(4),
        Family::Bits(8),
    ];

    /// The least and the greatest n for which the domain is asked about; `None` if the format of
    /// the factors has no numbers of this kind.
    pub fn range(self, signature: &Signature) -> Option<[i64; 2]> {
        let format = &signature.a;
        let (most, precision) = (i64::from(format.max_exponent()), format.precision());
        let range = match self {
            Family::Integers | Family::IntegersWithoutC => [1, most.min(i64::from(precision) + 8)],
            Family::Below => [i64::from(format.min_exponent()) + 1, most],
            Family::Within => [0, most.min(24)],
            Family::Bits(bits) if bits > precision => return None,
            Family::Bits(_) => [0, most.min(40)],
        };
        (range[0] <= range[1]).then_some(range)
    }

    pub fn name(self, n: i64) -> String {
        let plural = |count: i64| if count == 1 { "" } else { "s" };
        match self {
            Family::Integers => format!("integers of {n} bit{}", plural(n)),
            Family::IntegersWithoutC => format!("integers of {n} bit{}, c = 0", plural(n)),
            Family::Below => format!("magnitudes below 2^{n}"),
            Family::Within => format!("factors from 1 to below 2^{}, c = 0", n + 1),
            Family::Bits(bits) => {
                let plural = plural(bits.into());
                format!("{bits} significant bit{plural}, exponents 0 to {n}")
            }
        }
    }

    /// The text of the domain with the number `n`, for `--where`.
    pub fn assume(self, n: i64, signature: &Signature) -> String {
        let most = (1i64 << n.clamp(0, 62)) - 1;
        let least =
            i64::from(signature.a.min_exponent()).min(i64::from(signature.c.min_exponent()));
        match self {
            Family::Integers => {
                let c = (1i64 << (signature.c.precision() - 1).min(52)) - 1;
                format!("factors from -{most}..{most}, c from -{c}..{c}")
            }
            Family::IntegersWithoutC => format!("factors from -{most}..{most}, c = 0"),
            Family::Below => format!("exp {least}..{}", n - 1),
            Family::Within => format!("factors exp 0..{n}, c = 0"),
            Family::Bits(bits) => format!("bits {bits}, exp 0..{n}"),
        }
    }

    /// The texts of parts of the domain in which sums are greatest. In the first part, no number is
    /// negative; for integers, the factors have exactly n bits; for `Within` and `Bits`, the
    /// factors of the middle half of the products have the greatest exponent. In the second part,
    /// all products but the first have the greatest factors. In each other part, all products but
    /// the last quarter, or but the last two, have the greatest factors, and the last ones have low
    /// factors or any factors: by then the sum is so great that low bits of the last products are
    /// lost.
    pub fn greatest_sums(self, n: i64, signature: &Signature) -> Vec<String> {
        let assume = self.assume(n, signature);
        let half = self.half_greatest(n, signature);
        let half = half.map_or(assume.clone(), |half| format!("{assume}, {half}"));
        let mut parts = vec![format!("{half}, positive")];
        let Some([greatest, low]) = self.greatest_and_low(n, signature) else {
            return parts;
        };
        let rows = |from: u32, to: u32, numbers: &str| {
            format!("a[{from}..{to}] {numbers}, b[{from}..{to}] {numbers}")
        };
        let all = signature.products;
        let but_first = rows(1, all, &greatest);
        parts.push(format!("{assume}, positive, {but_first}"));
        let mut lasts = vec![all / 4, 2];
        lasts.dedup();
        for last in lasts.into_iter().filter(|last| (2..all).contains(last)) {
            let first = all - last;
            let but_last = format!("{assume}, {}", rows(0, first, &greatest));
            parts.push(format!("{but_last}, {}", rows(first, all, &low)));
            parts.push(but_last);
        }
        parts
    }

    fn half_greatest(self, n: i64, signature: &Signature) -> Option<String> {
        let most = (1i64 << n.clamp(0, 62)) - 1;
        match self {
            Family::Integers | Family::IntegersWithoutC => {
                Some(format!("factors from {}..{most}", most / 2 + 1))
            }
            Family::Below => None,
            Family::Within | Family::Bits(_) => {
                let [from, to] = [1, 3].map(|quarter| quarter * signature.products / 4);
                let middle = |row: &str| format!("{row}[{from}..{to}] exp {n}..{n}");
                (from < to).then(|| format!("{}, {}", middle("a"), middle("b")))
            }
        }
    }

    /// The texts of the greatest factor and of a range of low factors. If the greatest factor is an
    /// integer, the low factors are integers with at most as many bits as it has significant bits;
    /// otherwise they have magnitudes from 1 to below 2. `None` for `Below`.
    fn greatest_and_low(self, n: i64, signature: &Signature) -> Option<[String; 2]> {
        let precision = i64::from(signature.a.precision());
        // The greatest factor consists of `bits` ones, the highest of them just below `2^top`.
        let (bits, top) = match self {
            Family::Integers | Family::IntegersWithoutC => (precision.min(n), n),
            Family::Bits(bits) => (i64::from(bits), n + 1),
            Family::Within => (precision, n + 1),
            Family::Below => return None,
        };
        let ones = (1i64 << bits.clamp(0, 62)) - 1;
        let low = if top < bits {
            "exp 0..0".into()
        } else {
            format!("from -{ones}..{ones}")
        };
        Some([format!("= 0x{ones:x}p{}", top - bits), low])
    }
}
