// A dot product unit in three stages: products, alignment to the largest exponent with sticky bits, sum and rounding to
// nearest even. The result is there three cycles after its operands.
module dot
  import dot_pkg::*;
(
    input  logic               clk,
    input  logic [K-1:0][15:0] a,
    input  logic [K-1:0][15:0] b,
    input  logic        [31:0] c,
    output logic        [31:0] d
);
  // Stage 1: products and addend.
  term_t [K:0] terms, terms_q;
  for (genvar i = 0; i < K; i++) begin : g_products
    assign terms[i] = product(a[i], b[i]);
  end
  assign terms[K] = addend(c);
  always_ff @(posedge clk) terms_q <= terms;

  // Stage 2: the largest exponent, aligned terms, special values.
  logic [8:0] largest, largest_q;
  logic [K:0][26:0] aligned;
  logic signed [29:0] sum, sum_q;
  logic nan, plus, minus, nan_q, plus_q, minus_q;
  always_comb begin
    largest = '0;
    nan = 1'b0;
    plus = 1'b0;
    minus = 1'b0;
    for (int i = 0; i <= K; i++) begin
      if (terms_q[i].exponent > largest) largest = terms_q[i].exponent;
      nan = nan | terms_q[i].nan;
      plus = plus | (terms_q[i].inf & ~terms_q[i].sign);
      minus = minus | (terms_q[i].inf & terms_q[i].sign);
    end
    sum = '0;
    for (int i = 0; i <= K; i++) begin
      aligned[i] = align(terms_q[i].significand, largest - terms_q[i].exponent);
      sum = terms_q[i].sign ? sum - $signed({3'd0, aligned[i]}) : sum + $signed({3'd0, aligned[i]});
    end
  end
  always_ff @(posedge clk) begin
    largest_q <= largest;
    sum_q <= sum;
    {nan_q, plus_q, minus_q} <= {nan | (plus & minus), plus, minus};
  end

  // Stage 3: normalisation, rounding to nearest even, packing.
  logic negative, half, below, up;
  logic [29:0] magnitude, normalised, placed;
  logic [4:0] zeros;
  logic signed [10:0] field;
  logic [10:0] shift;
  logic [23:0] kept;
  logic [33:0] packed_bits;
  logic [31:0] result;
  always_comb begin
    negative = sum_q[29];
    magnitude = negative ? -sum_q : sum_q;
    zeros = '0;
    for (int i = 0; i < 30; i++) if (magnitude[i]) zeros = 5'(29 - i);
    normalised = magnitude << zeros;
    field = $signed({2'b00, largest_q}) + 11'sd5 - $signed({6'd0, zeros});
    shift = field < 11'sd1 ? 11'(11'sd1 - field) : 11'd0;
    placed = normalised >> shift;
    kept = placed[29:6];
    half = placed[5];
    below = |placed[4:0] | ((placed << shift) != normalised);
    up = half & (below | kept[0]);
    packed_bits = {(field < 11'sd1 ? 11'd0 : 11'(field - 11'sd1)), 23'd0} + {10'd0, kept} + {33'd0, up};
    if (packed_bits >= 34'h7f800000) packed_bits = 34'h7f800000;
    if (magnitude == '0) result = 32'd0;
    else result = {negative, packed_bits[30:0]};
    if (plus_q | minus_q) result = {minus_q, 31'h7f800000};
    if (nan_q) result = 32'h7fc00000;
  end
  always_ff @(posedge clk) d <= result;
endmodule
