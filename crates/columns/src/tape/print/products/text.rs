//! The whole text of the kernels of a model's products.

use super::operands::ProductPrograms;
use super::panel::Panel;
use super::plan::{ElementInputs, Plan};
use super::routines::of_products;
use super::tile::ThreadTile;
use super::{chain, general, sides};
use crate::tape::element::Type;
use crate::tape::lower::Tape;
use crate::tape::print::cuda;
use crate::tape::print::error::PrintError;
use crate::tape::print::kernel::{TYPES_OF_128, comment, is_wide};
use crate::tape::print::routine::{called, of_integers, of_reals};
use crate::tape::side::Side;

/// The most bytes of panels that a block has in its shared memory at once, on any GPU.
const MOST_SHARED: usize = 96 << 10;
/// The most registers of a thread that hold what it knows of its elements and their operands.
const MOST_REGISTERS: usize = 260;
/// The most statements of a link of one thread: more take the compiler minutes.
const MOST_STATEMENTS: usize = 8_000;

impl ProductPrograms<'_> {
    /// The kernels in CUDA C++.
    ///
    /// # Errors
    /// If a program has an operation that no text has.
    pub fn text(&self) -> Result<String, PrintError> {
        let [left, right] = &self.split.sides;
        let counts = [left, right].map(|side| side.results.len());
        let [lefts, rights] =
            [0, 1].map(|side: usize| counts[side] - usize::from(self.split.has_guard[side]));
        let inputs = ElementInputs {
            first: self.split.rest.inputs - lefts - rights,
            lefts,
        };
        let plan = Plan::new(&self.split.rest, inputs);
        let panels = |tile: ThreadTile| {
            let [down, across] = tile.of_block();
            [
                Panel::new(&plan, Side::Left, down, &types(left)),
                Panel::new(&plan, Side::Right, across, &types(right)),
            ]
        };
        let statements = chain::statements(&plan)?;
        let fits = |tile: &ThreadTile| {
            let bytes: usize = panels(*tile).iter().map(Panel::bytes).sum();
            // Beside the values that are kept: the state, and what products are added to.
            let registers = tile.elements() * (plan.words() + 2) + 5 * (tile.rows + tile.columns);
            bytes <= MOST_SHARED
                && registers <= MOST_REGISTERS
                && statements * tile.elements() <= MOST_STATEMENTS
        };
        let tile = ThreadTile::ALL.into_iter().find(fits);
        let tile = tile.unwrap_or(ThreadTile::ALL[ThreadTile::ALL.len() - 1]);
        let panels = panels(tile);
        let mut code = String::new();
        for (number, side) in [Side::Left, Side::Right].into_iter().enumerate() {
            code += &sides::kernel(
                self,
                side,
                &self.split.sides[number],
                self.split.has_guard[number],
                &panels[number],
                tile.of_block()[number],
            )?;
        }
        code += &chain::kernel(self, &plan, tile)?;
        code += &general::kernel(self)?;
        let mut routines = cuda::routines();
        routines.extend(of_integers());
        routines.extend(of_reals());
        routines.extend(cuda::roundings());
        routines.extend(of_products());
        let functions = called(&routines, &code);
        let functions = functions.replace("FN ", &format!("{} ", cuda::FUNCTION));
        let tapes = [left, right, &self.split.rest, self.whole];
        let wide = if tapes.into_iter().any(is_wide) {
            TYPES_OF_128
        } else {
            ""
        };
        let structures: String = panels.iter().map(Panel::structure).collect();
        let [down, across] = tile.of_block();
        let source = format!(
            "{}\n{}{wide}{HEAD}{structures}{BUFFERS}{functions}\n{code}{SIZES}    to[3] = {down};\n    to[4] = {across};\n}}\n",
            comment(&format!("{}\n{ABOUT}", self.about)),
            cuda::TYPES,
        );
        Ok(source.replace('@', &format!("{}_", self.name)))
    }
}

/// What the kernels do, for who starts them.
const ABOUT: &str = "\
Products of matrices, D = A B + C, each element a chain of links along k. For some links at a time:

@sizes, one thread: the bytes of a panel of A and of one of B, and of the shared memory of @chain; the rows and columns of a tile.
@left_side, @right_side, blocks of any size, a thread for each link and each row of A (column of B), these rounded up to whole tiles:
a panel for each tile and link, the links of a tile one behind the other. `outer` is the number of rows (columns), `first` the first link.
Of a matrix: its elements, their number along k, the distance of two neighbours across k, and along it.
@chain, 256 threads a block, a block for each tile, columns along x: c and d are row by row and may be the same.
@general, blocks of any size, a thread for each element: goes on where @chain had to stop.

CUDA C++ for NVRTC or nvcc: -std=c++17, -device-int128 where it has integers of 128 bits, -ftz=false, never -use_fast_math.
";

/// Which GPUs compute in f64 half as fast as in f32 and need not convert products one by one, and how
/// much shared memory a block can have.
const HEAD: &str = "\
#if __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000
#define @IN_F64
#endif
#ifdef @IN_F64
typedef double @wide;
#else
typedef float @wide;
#endif
#if __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000
#define @SHARED 232448
#elif __CUDA_ARCH__ == 800
#define @SHARED 166912
#else
#define @SHARED 101376
#endif

";

/// Two buffers, so that one is filled while the other is read, where both fit.
const BUFFERS: &str = "\
#define @BUFFERS (2 * (sizeof(@left) + sizeof(@right)) <= @SHARED ? 2u : 1u)
extern __shared__ uint4 @memory[];

";

const SIZES: &str = "\
extern \"C\" __global__ void @sizes(u32 *to)
{
    to[0] = sizeof(@left);
    to[1] = sizeof(@right);
    to[2] = @BUFFERS * (to[0] + to[1]);
";

fn types(side: &Tape) -> Vec<Type> {
    let results = side.results.iter();
    results.map(|value| side.instructions[*value].to).collect()
}
