//! NVIDIA GPUs through their driver, which is loaded on first use and compiles the kernels.
#![allow(
    unsafe_code,
    reason = "the driver is a C library, and a kernel writes where its arguments point"
)]

use super::ptx::{Capability, ENTRY, PtxProgram};
use super::{Device, DeviceError, Elements};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaStream, DriverError, LaunchConfig, PushKernelArg, result, sys,
};
use cudarc::nvrtc::Ptx;
use mmasmt_core::machines::algorithms::Inputs;
use mmasmt_core::machines::algorithms::Signature;
use std::ffi::{CString, c_void};
use std::sync::Arc;

/// The bytes of operands of one launch, roughly.
const BATCH_BYTES: usize = 64 << 20;

/// A GPU, with the properties that it reports.
pub struct Gpu {
    context: Arc<CudaContext>,
    what: String,
    name: String,
    capability: (i32, i32),
}

impl Gpu {
    /// The GPU with the number `ordinal`.
    ///
    /// # Errors
    /// If there is no driver, or no such GPU.
    pub fn open(ordinal: usize) -> Result<Gpu, DeviceError> {
        let what = format!("device {ordinal}");
        let missing = |reason: String| DeviceError::Missing {
            what: what.clone(),
            reason,
        };
        // SAFETY: this call looks for the driver's library and loads it; the library's
        // initialisation is trusted.
        if !unsafe { sys::is_culib_present() } {
            let reason =
                "expected the NVIDIA driver, found no library libcuda; `model:MODEL` needs none";
            return Err(missing(reason.into()));
        }
        let said = |error: DriverError| missing(said(error));
        result::init().map_err(said)?;
        let count = CudaContext::device_count().map_err(said)?;
        if ordinal >= count.max(0) as usize {
            return Err(missing(format!(
                "expected a number below {count}, the devices there are"
            )));
        }
        let context = CudaContext::new(ordinal).map_err(said)?;
        let name = context.name().map_err(said)?;
        let capability = context.compute_capability().map_err(said)?;
        Ok(Gpu {
            context,
            what,
            name,
            capability,
        })
    }

    /// The compute capability of this GPU.
    ///
    /// # Errors
    /// If no table of instructions is for this compute capability.
    pub fn capability(&self) -> Result<Capability, DeviceError> {
        let (major, minor) = self.capability;
        format!("{major}.{minor}")
            .parse()
            .map_err(|expected| DeviceError::Missing {
                what: format!("{} ({})", self.what, self.name),
                reason: format!("{expected}; found {major}.{minor}"),
            })
    }

    /// The context of this GPU.
    pub(crate) fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    /// The name that this GPU reports.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The major and minor number of the compute capability.
    pub(crate) fn compute_capability(&self) -> (i32, i32) {
        self.capability
    }

    /// A device that runs the instruction of `program` on this GPU.
    ///
    /// # Errors
    /// If the driver rejects the program; the error has the driver's log.
    pub fn load(self, program: PtxProgram) -> Result<CudaDevice, DeviceError> {
        let module = self.context.load_module(Ptx::from_src(&program.text));
        let module = module.map_err(|error| DeviceError::Failed {
            what: format!(
                "compiling the kernel of {} for {}",
                program.instruction, program.target
            ),
            reason: format!("{}; {}", said(error), compiler_log(&program.text)),
        })?;
        let failed = |error| DeviceError::Failed {
            what: self.what.clone(),
            reason: said(error),
        };
        let kernel = module.load_function(ENTRY).map_err(failed)?;
        let stream = self.context.default_stream();
        Ok(CudaDevice {
            gpu: self,
            program,
            kernel,
            stream,
        })
    }

    pub(crate) fn failed(&self, error: DriverError) -> DeviceError {
        DeviceError::Failed {
            what: self.what.clone(),
            reason: said(error),
        }
    }

    /// A description of the GPU, without anything that depends on its clocks.
    fn describe(&self) -> Vec<String> {
        let (major, minor) = self.capability;
        let mut lines = vec![
            format!("device: {}", self.name),
            format!("compute capability: {major}.{minor}"),
        ];
        let processors = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        if let Ok(count) = self.context.attribute(processors) {
            lines.push(format!("multiprocessors: {count}"));
        }
        lines.push(format!("driver: {}", driver_version()));
        lines
    }
}

/// One instruction on one GPU.
pub struct CudaDevice {
    gpu: Gpu,
    program: PtxProgram,
    kernel: CudaFunction,
    stream: Arc<CudaStream>,
}

impl Device for CudaDevice {
    fn signature(&self) -> Signature {
        self.program.signature
    }

    fn describe(&self) -> Vec<String> {
        let mut lines = self.gpu.describe();
        lines.push(format!("kernel: PTX for {}", self.program.target));
        lines
    }

    fn run(&mut self, inputs: &[Inputs]) -> Result<Vec<u64>, DeviceError> {
        let tile = &self.program.tile;
        let tiles = (BATCH_BYTES / tile.input_bytes as usize).max(1);
        let mut results = Vec::with_capacity(inputs.len());
        for batch in inputs.chunks(tiles * tile.vectors()) {
            let memory = self
                .launch(&tile.scatter(&self.program.signature, batch)?)
                .map_err(|error| self.gpu.failed(error))?;
            results.extend(tile.gather(&memory, batch.len()));
        }
        Ok(results)
    }

    fn elements(&mut self, inputs: &[Inputs]) -> Result<Vec<Elements>, DeviceError> {
        let tile = &self.program.tile;
        let memory = tile.scatter_everywhere(&self.program.signature, inputs)?;
        let results = self
            .launch(&memory)
            .map_err(|error| self.gpu.failed(error))?;
        Ok(tile.gather_everywhere(&results))
    }
}

impl CudaDevice {
    /// Launches the kernel on the input `memory`, which consists of whole tiles, with one block of
    /// threads for each tile. Returns the output memory.
    fn launch(&self, memory: &[u8]) -> Result<Vec<u8>, DriverError> {
        let tile = &self.program.tile;
        let blocks = memory.len() / tile.input_bytes as usize;
        let from = self.stream.clone_htod(memory)?;
        let mut to = self
            .stream
            .alloc_zeros::<u8>(blocks * tile.output_bytes as usize)?;
        let shape = LaunchConfig {
            grid_dim: (blocks as u32, 1, 1),
            block_dim: (self.program.threads, 1, 1),
            shared_mem_bytes: 0,
        };
        let mut launch = self.stream.launch_builder(&self.kernel);
        launch.arg(&from).arg(&mut to);
        // SAFETY: block `i` reads tile `i` of `from` and writes tile `i` of `to`; both have the
        // sizes given above.
        unsafe { launch.launch(shape)? };
        self.stream.clone_dtoh(&to)
    }
}

/// The driver's message for an error.
fn said(error: DriverError) -> String {
    let text = error
        .error_string()
        .map(|text| text.to_string_lossy().into_owned());
    format!(
        "the driver says: {}",
        text.unwrap_or_else(|_| format!("{:?}", error.0))
    )
}

/// The CUDA version that the driver supports, and the driver's own version where the system reports
/// it.
fn driver_version() -> String {
    let mut version = 0;
    // SAFETY: the call writes one integer.
    let known = unsafe { sys::cuDriverGetVersion(&mut version) }
        .result()
        .is_ok();
    let cuda = if known {
        format!("CUDA {}.{}", version / 1000, version % 1000 / 10)
    } else {
        "CUDA of unknown version".into()
    };
    let module = std::fs::read_to_string("/proc/driver/nvidia/version").unwrap_or_default();
    let is_version = |word: &&str| {
        word.split('.').count() >= 2 && word.split('.').all(|part| part.parse::<u32>().is_ok())
    };
    match module.split_whitespace().find(is_version) {
        Some(own) => format!("{own} ({cuda})"),
        None => cuda,
    }
}

/// The log of the driver's compiler for the kernel `text`, in one line.
fn compiler_log(text: &str) -> String {
    const SIZE: usize = 8192;
    let Ok(text) = CString::new(text) else {
        return "the kernel holds a zero byte".into();
    };
    let mut log = vec![0u8; SIZE];
    let mut module = std::ptr::null_mut();
    let mut options = [
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    let mut values = [log.as_mut_ptr().cast::<c_void>(), SIZE as *mut c_void];
    // SAFETY: the text ends with zero, the log has the given size, and both live until the end.
    unsafe {
        let image = text.as_ptr().cast();
        let loaded = sys::cuModuleLoadDataEx(
            &mut module,
            image,
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        );
        if loaded.result().is_ok() {
            let _ = sys::cuModuleUnload(module);
        }
    }
    let log = String::from_utf8_lossy(&log);
    let log = log.trim_end_matches('\0');
    let lines: Vec<_> = log
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    if lines.is_empty() {
        "its compiler says nothing more".into()
    } else {
        lines.join(" | ")
    }
}
