//! Register banks: registers of all threads in memory, register by register, and the PTX that moves
//! them.

/// `count` registers of each of `threads` threads, in memory from byte `start` on: register 0 of
/// every thread, then register 1, and so on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bank {
    /// The name of the registers in PTX.
    pub name: &'static str,
    /// The type of the registers in PTX: `b32`, `f32`, `f64`.
    pub kind: &'static str,
    pub count: u32,
    pub threads: u32,
    pub start: u32,
}

impl Bank {
    /// The size of a register in bytes.
    pub fn size(&self) -> u32 {
        if self.kind == "f64" { 8 } else { 4 }
    }

    /// The first byte after the bank.
    pub fn end(&self) -> u32 {
        self.start + self.count * self.threads * self.size()
    }

    /// The offset of a register, in bits.
    pub fn bit(&self, thread: u32, register: u32) -> u32 {
        8 * (self.start + (register * self.threads + thread) * self.size())
    }

    /// Every element of `width` bits as (thread, number within the thread, offset in bits).
    pub fn elements(self, width: u32) -> impl Iterator<Item = (u32, u32, u32)> {
        let per_register = 8 * self.size() / width;
        (0..self.threads).flat_map(move |thread| {
            (0..self.count * per_register).map(move |i| {
                let (register, within) = (i / per_register, i % per_register);
                (thread, i, self.bit(thread, register) + within * width)
            })
        })
    }

    /// PTX that declares the registers.
    pub fn declare(&self) -> String {
        format!(".reg .{} {}<{}>;\n", self.kind, self.name, self.count)
    }

    /// PTX that declares and loads the registers; the register `from` points at the thread's place
    /// in the input memory.
    pub fn load(&self) -> String {
        let one = |register| {
            let offset = self.start + register * self.threads * self.size();
            let (kind, name) = (self.kind, self.name);
            format!("ld.global.{kind} {name}{register}, [from+{offset}];\n")
        };
        self.declare() + &(0..self.count).map(one).collect::<String>()
    }

    /// PTX that stores the registers; the register `to` points at the thread's place in the output
    /// memory.
    pub fn store(&self) -> String {
        let one = |register| {
            let offset = self.start + register * self.threads * self.size();
            let (kind, name) = (self.kind, self.name);
            format!("st.global.{kind} [to+{offset}], {name}{register};\n")
        };
        (0..self.count).map(one).collect()
    }

    /// The registers as an operand in PTX: `{d0, d1}`.
    pub fn braced(&self) -> String {
        let names: Vec<_> = (0..self.count)
            .map(|register| format!("{}{register}", self.name))
            .collect();
        format!("{{{}}}", names.join(", "))
    }
}
