//! NVIDIA's compiler of CUDA C++, which is loaded on first use and needs no GPU.
#![allow(unsafe_code, reason = "the compiler is a C library")]

use super::cache::Compiler;
use cudarc::nvrtc::{result, sys};
use std::ffi::{CStr, CString};

/// What a program is compiled with.
const OPTIONS: [&str; 3] = ["--std=c++17", "-device-int128", "-ftz=false"];

/// The compiler.
#[derive(Clone, Copy, Debug)]
pub struct Nvrtc {
    version: [i32; 2],
}

impl Nvrtc {
    /// The compiler, if its library can be loaded.
    ///
    /// # Errors
    /// If there is no such library; the error says what to do.
    pub fn load() -> Result<Nvrtc, String> {
        // SAFETY: this call looks for the library and loads it; its initialisation is trusted.
        if !unsafe { sys::is_culib_present() } {
            return Err(
                "expected the compiler NVRTC, found no library libnvrtc; it comes with CUDA, or with `pip install nvidia-cuda-nvrtc-cu12`, whose folder nvidia/cuda_nvrtc/lib LD_LIBRARY_PATH has to name"
                    .into(),
            );
        }
        let [mut major, mut minor] = [0; 2];
        // SAFETY: the call writes two integers.
        let found = unsafe { sys::nvrtcVersion(&mut major, &mut minor) };
        found
            .result()
            .map_err(|error| format!("NVRTC: {:?}", error.0))?;
        Ok(Nvrtc {
            version: [major, minor],
        })
    }
}

impl Compiler for Nvrtc {
    fn version(&self) -> String {
        let [major, minor] = self.version;
        format!("NVRTC {major}.{minor} {}", OPTIONS.join(" "))
    }

    fn compile(&self, source: &str, target: &str) -> Result<Vec<u8>, String> {
        let said = |error: result::NvrtcError| format!("NVRTC: {:?}", error.0);
        let source = CString::new(source).map_err(|_| "a source without zeros expected")?;
        let program = result::create_program(&source, None).map_err(said)?;
        let mut options = vec![format!("--gpu-architecture={target}")];
        options.extend(OPTIONS.map(String::from));
        // SAFETY: the program was created above, and the source lives until it is destroyed.
        let compiled = unsafe { result::compile_program(program, &options) };
        let code = match compiled {
            Ok(()) => code(program).map_err(said),
            Err(error) => Err(format!("{} for {target}: {}", said(error), log(program))),
        };
        // SAFETY: nothing uses the program any more.
        let _ = unsafe { result::destroy_program(program) };
        code
    }
}

fn code(program: sys::nvrtcProgram) -> Result<Vec<u8>, result::NvrtcError> {
    let mut size = 0;
    // SAFETY: the program is compiled, and the code fits the memory.
    unsafe {
        sys::nvrtcGetCUBINSize(program, &mut size).result()?;
        let mut code = vec![0u8; size];
        sys::nvrtcGetCUBIN(program, code.as_mut_ptr().cast()).result()?;
        Ok(code)
    }
}

/// The first lines of what the compiler says, in one line.
fn log(program: sys::nvrtcProgram) -> String {
    // SAFETY: the program was created and is not destroyed yet.
    let Ok(mut log) = (unsafe { result::get_program_log(program) }) else {
        return "it says nothing more".into();
    };
    log.push(0);
    // SAFETY: the text ends with zero and lives until it is copied.
    let text = unsafe { CStr::from_ptr(log.as_ptr()) }.to_string_lossy();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.take(3).collect::<Vec<_>>().join(" | ")
}
