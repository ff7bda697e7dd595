//! The NDRange of a launch.

/// The work items of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NdRange {
    /// Dimensions, 1 to 3.
    pub dimensions: u32,
    /// Work items in each dimension.
    pub global: [u32; 3],
    /// Work items of a group in each dimension; `None`: the kernel's required size, or else the machine chooses.
    pub local: Option<[u32; 3]>,
    /// Global offset in each dimension.
    pub offset: [u32; 3],
}
