// Types and functions of the dot product unit: f16 factors, f32 accumulator.
package dot_pkg;
  localparam int K = 2;
  // Fraction bits that alignment keeps.
  localparam int F = 25;

  typedef struct packed {
    logic        nan;
    logic        inf;
    logic        sign;
    logic [8:0]  exponent;  // plus 126
    logic [24:0] significand;  // 23 fraction bits
  } term_t;

  function automatic term_t product(input logic [15:0] x, input logic [15:0] y);
    term_t t;
    logic x_top, y_top, x_zero, y_zero;
    logic [10:0] x_sig, y_sig;
    logic [4:0] x_exp, y_exp;
    logic [21:0] exact;
    x_top  = &x[14:10];
    y_top  = &y[14:10];
    x_zero = ~|x[14:0];
    y_zero = ~|y[14:0];
    x_sig  = {|x[14:10], x[9:0]};
    y_sig  = {|y[14:10], y[9:0]};
    x_exp  = |x[14:10] ? x[14:10] : 5'd1;
    y_exp  = |y[14:10] ? y[14:10] : 5'd1;
    exact  = x_sig * y_sig;
    t.sign = x[15] ^ y[15];
    t.nan  = (x_top & |x[9:0]) | (y_top & |y[9:0]) | (x_top & y_zero) | (x_zero & y_top);
    t.inf  = (x_top | y_top) & ~t.nan;
    t.exponent    = (x_zero | y_zero) ? 9'd0 : {4'd0, x_exp} + {4'd0, y_exp} + 9'd96;
    t.significand = {exact, 3'd0};
    return t;
  endfunction

  function automatic term_t addend(input logic [31:0] c);
    term_t t;
    t.sign = c[31];
    t.nan  = &c[30:23] & |c[22:0];
    t.inf  = &c[30:23] & ~|c[22:0];
    t.exponent    = |c[30:23] ? {1'b0, c[30:23]} - 9'd1 : 9'd0;
    t.significand = {1'b0, |c[30:23], c[22:0]};
    return t;
  endfunction

  // Shifted right by the distance, with a sticky bit in the last place.
  function automatic logic [26:0] align(input logic [24:0] significand, input logic [8:0] distance);
    logic [26:0] grid, kept;
    logic lost;
    grid = {significand, 2'b00};
    kept = grid >> distance;
    lost = (kept << distance) != grid;
`ifdef BUG
    // A term that is far below the largest leaves no sticky bit.
    lost = lost & ~|distance[8:5];
`endif
    return kept | {26'd0, lost};
  endfunction
endpackage
