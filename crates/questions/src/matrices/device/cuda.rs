//! Products of matrices on GPUs of NVIDIA, with kernels that are printed for the model.
#![allow(
    unsafe_code,
    reason = "a kernel reads and writes where its arguments point"
)]

use super::cache::Cache;
use super::memory::{DeviceMatrix, View, address, registers};
use super::nvrtc::Nvrtc;
use super::tested::Multiplier;
use crate::matrices::{Matrix, MatrixProduct};
use crate::vectors::device::{DeviceError, Gpu};
use cudarc::driver::sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
use cudarc::driver::{
    CudaFunction, CudaSlice, CudaStream, DriverError, LaunchArgs, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::Ptx;
use mmasmt_core::batch::{ColumnData, MatrixTapes};
use mmasmt_core::machines::algorithms::{Operand, Signature};
use mmasmt_core::machines::model::Model;
use mmasmt_numbers::base::limits::Limits;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;

/// The beginning of the names of kernels.
const NAME: &str = "product";
/// The threads of a block, of kernels whose blocks may have any size.
const THREADS: u64 = 128;
/// The threads of a block of the kernel of elements.
const OF_CHAIN: u32 = 256;
/// The most bytes of the panels of some links.
const MOST_BYTES: usize = 1 << 30;

/// Kernels of one model, on one GPU.
struct Kernels {
    sides: [CudaFunction; 2],
    chain: CudaFunction,
    general: CudaFunction,
    /// The bytes of a panel of A and of B, and of shared memory; the rows and columns of a tile.
    sizes: [u32; 5],
}

/// A GPU that multiplies matrices as models do.
pub struct CudaMatrices {
    gpu: Gpu,
    stream: Arc<CudaStream>,
    compiler: Nvrtc,
    cache: Cache,
    kernels: FxHashMap<String, Arc<Kernels>>,
    seconds: f64,
}

/// The operands of a product in the memory of a GPU. C and the result lie row by row, and may be the
/// same memory.
#[derive(Clone, Debug)]
pub struct Views {
    /// M, N and K.
    pub extents: [usize; 3],
    /// A, B, and their scales if there are any.
    pub operands: Vec<(Operand, View)>,
    /// The address of C; zeros where there is none.
    pub c: Option<u64>,
    /// The address of the result.
    pub d: u64,
}

impl CudaMatrices {
    /// The GPU with a number.
    ///
    /// # Errors
    /// If there is no such GPU, or no driver or compiler.
    pub fn open(ordinal: usize) -> Result<CudaMatrices, DeviceError> {
        let gpu = Gpu::open(ordinal)?;
        let compiler = Nvrtc::load().map_err(|reason| DeviceError::Missing {
            what: format!("device {ordinal}"),
            reason,
        })?;
        let stream = gpu.context().default_stream();
        Ok(CudaMatrices {
            gpu,
            stream,
            compiler,
            cache: Cache::of_user(),
            kernels: FxHashMap::default(),
            seconds: 0.0,
        })
    }

    /// The kernels of the model, made at the first call.
    fn kernels(&mut self, model: &Model) -> Result<Arc<Kernels>, DeviceError> {
        let name = model.canonical();
        if let Some(kernels) = self.kernels.get(&name) {
            return Ok(Arc::clone(kernels));
        }
        let kernels = Arc::new(self.make(model, &name)?);
        self.kernels.insert(name, Arc::clone(&kernels));
        Ok(kernels)
    }

    fn make(&self, model: &Model, name: &str) -> Result<Kernels, DeviceError> {
        let missing = |reason: String| DeviceError::Missing {
            what: format!("kernels of {model}"),
            reason,
        };
        let tapes = MatrixTapes::new(model).ok_or_else(|| {
            let bits = model.widest();
            missing(format!("expected words of at most 128 bits, found {bits}"))
        })?;
        let source = tapes.kernels(NAME, name);
        let source = source.map_err(|error| missing(error.to_string()))?;
        let (major, minor) = self.gpu.compute_capability();
        let target = format!("sm_{major}{minor}");
        let code = self.cache.compiled(&self.compiler, &source, &target);
        let code = code.map_err(missing)?;
        let failed = |error| self.gpu.failed(error);
        self.load(code).map_err(failed)
    }

    fn load(&self, code: Vec<u8>) -> Result<Kernels, DriverError> {
        let module = self.gpu.context().load_module(Ptx::from_binary(code))?;
        let function = |kernel: &str| module.load_function(&format!("{NAME}_{kernel}"));
        let mut to = self.stream.alloc_zeros::<u32>(5)?;
        let measure = function("sizes")?;
        let mut launch = self.stream.launch_builder(&measure);
        launch.arg(&mut to);
        // SAFETY: the kernel writes five integers.
        unsafe { launch.launch(LaunchConfig::for_num_elems(1))? };
        let mut sizes = [0; 5];
        self.stream.memcpy_dtoh(&to, &mut sizes)?;
        let chain = function("chain")?;
        chain.set_attribute(
            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            sizes[2] as i32,
        )?;
        Ok(Kernels {
            sides: [function("left_side")?, function("right_side")?],
            chain,
            general: function("general")?,
            sizes,
        })
    }

    /// Multiplies matrices that are in the memory of this GPU, and waits for the result; `None` if a
    /// limit was reached before.
    ///
    /// # Errors
    /// If there are no kernels for the model, or the GPU fails.
    ///
    /// # Safety
    /// All operands and the result lie in the memory of this GPU, with the extents of a product that fits
    /// the model, and nothing else writes to them.
    pub unsafe fn multiply_views(
        &mut self,
        model: &Model,
        views: &Views,
        limits: &Limits,
    ) -> Result<Option<()>, DeviceError> {
        let kernels = self.kernels(model)?;
        let run = Run {
            stream: &self.stream,
            kernels: &kernels,
            signature: model.signature(),
            views,
        };
        let failed = |error| self.gpu.failed(error);
        // Copies that were started before do not count.
        self.stream.synchronize().map_err(failed)?;
        let start = Instant::now();
        // SAFETY: the caller says so.
        let done = unsafe { run.all(limits) }.map_err(failed)?;
        self.seconds += start.elapsed().as_secs_f64();
        Ok(done)
    }

    fn copied(
        &mut self,
        model: &Model,
        product: &MatrixProduct<'_>,
        limits: &Limits,
    ) -> Result<Option<Matrix>, DeviceError> {
        let signature = model.signature();
        let stream = Arc::clone(&self.stream);
        let copy = |matrix: &Matrix| DeviceMatrix::new(&stream, matrix);
        let failed = |gpu: &Gpu, error| gpu.failed(error);
        let mut copies = Vec::new();
        for row in signature.rows() {
            if let Some((matrix, _)) = product.source(row.operand) {
                let copied = copy(matrix).map_err(|error| failed(&self.gpu, error))?;
                copies.push((row.operand, copied));
            }
        }
        let c = product.c().map(copy).transpose();
        let c = c.map_err(|error| failed(&self.gpu, error))?;
        let extents = product.extents();
        let [rows, columns, _] = extents;
        let like = ColumnData::new(&signature.d);
        let bytes = rows * columns * like.register_bytes();
        let d = stream.alloc_zeros::<u8>(bytes.max(1));
        let d = d.map_err(|error| failed(&self.gpu, error))?;
        let views = Views {
            extents,
            operands: copies
                .iter()
                .map(|(operand, copied)| (*operand, copied.view(&stream)))
                .collect(),
            c: c.as_ref().map(|copied| copied.view(&stream).address),
            d: address(&d, &stream),
        };
        // SAFETY: the operands were copied, and the result has room for all elements.
        if unsafe { self.multiply_views(model, &views, limits)? }.is_none() {
            return Ok(None);
        }
        let found = stream.clone_dtoh(&d);
        let mut found = found.map_err(|error| failed(&self.gpu, error))?;
        found.truncate(bytes);
        Ok(Matrix::of(
            signature.d,
            [rows, columns],
            registers(like, &found),
        ))
    }
}

impl Multiplier for CudaMatrices {
    fn what(&self) -> String {
        self.gpu.name().into()
    }

    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn multiply(
        &mut self,
        model: &Model,
        product: &MatrixProduct<'_>,
        limits: &Limits,
    ) -> Result<Matrix, DeviceError> {
        let found = self.copied(model, product, limits)?;
        found.ok_or_else(|| DeviceError::Failed {
            what: self.what(),
            reason: "a limit was reached".into(),
        })
    }
}

/// A product on its way.
struct Run<'x> {
    stream: &'x Arc<CudaStream>,
    kernels: &'x Kernels,
    signature: Signature,
    views: &'x Views,
}

/// A matrix as parameters of a kernel.
struct Parameters([u64; 4]);

impl Run<'_> {
    /// All links, as many at a time as the panels have room for.
    unsafe fn all(&self, limits: &Limits) -> Result<Option<()>, DriverError> {
        let [rows, columns, depth] = self.views.extents;
        if rows * columns == 0 {
            return Ok(Some(()));
        }
        let [left_bytes, right_bytes, _, tile_rows, tile_columns] =
            self.kernels.sizes.map(|size| size as usize);
        let tiles = [rows.div_ceil(tile_rows), columns.div_ceil(tile_columns)];
        let of_link = [tiles[0] * left_bytes, tiles[1] * right_bytes];
        let links = depth.div_ceil(self.signature.products as usize).max(1);
        let at_once = (MOST_BYTES / (of_link[0] + of_link[1])).clamp(1, links);
        let room = |bytes: usize| self.stream.alloc_zeros::<u8>(bytes);
        let panels = [room(of_link[0] * at_once)?, room(of_link[1] * at_once)?];
        let stopped = room(4 * rows * columns)?;
        let zeros = match self.views.c {
            Some(_) => None,
            None => Some(room(
                rows * columns * ColumnData::new(&self.signature.c).register_bytes(),
            )?),
        };
        let c = zeros.as_ref().map(|zeros| address(zeros, self.stream));
        let mut c = c.or(self.views.c).unwrap_or_default();
        for first in (0..links).step_by(at_once) {
            if limits.stopped().is_some() {
                self.stream.synchronize()?;
                return Ok(None);
            }
            let count = at_once.min(links - first);
            // SAFETY: the memory has the sizes that the kernels said, for as many links.
            unsafe {
                for side in 0..2 {
                    let lanes = tiles[side] * [tile_rows, tile_columns][side];
                    self.side(side, first, count, lanes, &panels[side])?;
                }
                self.chain(tiles, count, &panels, c, &stopped)?;
                self.general(first, count, c, &stopped)?;
            }
            c = self.views.d;
        }
        self.stream.synchronize()?;
        Ok(Some(()))
    }

    /// The matrices of a side, in the order of the parameters.
    fn of_side(&self, side: usize) -> Vec<Parameters> {
        let own = [
            [Operand::A, Operand::AScales],
            [Operand::B, Operand::BScales],
        ][side];
        let depth = self.views.extents[2];
        let mut all = Vec::new();
        for row in self
            .signature
            .rows()
            .filter(|row| own.contains(&row.operand))
        {
            let mut views = self.views.operands.iter();
            let view = views.find(|(operand, _)| *operand == row.operand);
            let view = view.map_or(
                View {
                    address: 0,
                    down: 0,
                    along: 0,
                },
                |(_, view)| *view,
            );
            let block = self.signature.products as usize / row.length.max(1);
            let count = match row.operand {
                Operand::A | Operand::B => depth,
                _ => depth.div_ceil(
                    self.signature
                        .scales
                        .map_or(block, |scales| scales.block as usize),
                ),
            };
            // A runs along k in a row, B in a column.
            let [across, along] = match side {
                0 => [view.down, view.along],
                _ => [view.along, view.down],
            };
            all.push(Parameters([view.address, count as u64, across, along]));
        }
        all
    }

    unsafe fn side(
        &self,
        side: usize,
        first: usize,
        links: usize,
        lanes: usize,
        panels: &CudaSlice<u8>,
    ) -> Result<(), DriverError> {
        let (outer, first, links_32) =
            (self.views.extents[side] as u64, first as u64, links as u32);
        let matrices = self.of_side(side);
        let panels = address(panels, self.stream);
        let mut launch = self.stream.launch_builder(&self.kernels.sides[side]);
        launch.arg(&outer).arg(&first).arg(&links_32);
        push(&mut launch, &matrices);
        launch.arg(&panels);
        // SAFETY: as for the caller.
        unsafe { launch.launch(threads((lanes * links) as u64))? };
        Ok(())
    }

    unsafe fn chain(
        &self,
        tiles: [usize; 2],
        links: usize,
        panels: &[CudaSlice<u8>; 2],
        c: u64,
        stopped: &CudaSlice<u8>,
    ) -> Result<(), DriverError> {
        let [rows, columns, _] = self.views.extents.map(|extent| extent as u64);
        let (links, d) = (links as u32, self.views.d);
        let [left, right] = [0, 1].map(|side: usize| address(&panels[side], self.stream));
        let stopped = address(stopped, self.stream);
        let mut launch = self.stream.launch_builder(&self.kernels.chain);
        launch
            .arg(&rows)
            .arg(&columns)
            .arg(&links)
            .arg(&left)
            .arg(&right);
        launch.arg(&c).arg(&d).arg(&stopped);
        let shape = LaunchConfig {
            grid_dim: (tiles[1] as u32, tiles[0] as u32, 1),
            block_dim: (OF_CHAIN, 1, 1),
            shared_mem_bytes: self.kernels.sizes[2],
        };
        // SAFETY: as for the caller.
        unsafe { launch.launch(shape)? };
        Ok(())
    }

    unsafe fn general(
        &self,
        first: usize,
        links: usize,
        c: u64,
        stopped: &CudaSlice<u8>,
    ) -> Result<(), DriverError> {
        let [rows, columns, _] = self.views.extents.map(|extent| extent as u64);
        let (first, links, d) = (first as u64, links as u32, self.views.d);
        let matrices = [self.of_side(0), self.of_side(1)];
        let stopped = address(stopped, self.stream);
        let mut launch = self.stream.launch_builder(&self.kernels.general);
        launch.arg(&rows).arg(&columns).arg(&first).arg(&links);
        matrices.iter().for_each(|side| push(&mut launch, side));
        launch.arg(&c).arg(&d).arg(&stopped);
        // SAFETY: as for the caller.
        unsafe { launch.launch(threads(rows * columns))? };
        Ok(())
    }
}

fn push<'x>(launch: &mut LaunchArgs<'x>, matrices: &'x [Parameters]) {
    for Parameters(numbers) in matrices {
        for number in numbers {
            launch.arg(number);
        }
    }
}

/// Blocks for at least this many threads.
fn threads(count: u64) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (count.div_ceil(THREADS) as u32, 1, 1),
        block_dim: (THREADS as u32, 1, 1),
        shared_mem_bytes: 0,
    }
}
