//! The macro that makes the kernels of a table of stages.

/// Makes a kernel: a function with the target features `$feature` (if there are any), into which `$inner` is inlined.
macro_rules! kernel {
    ([$($feature:literal)?] $inner:expr, ($($arg:ident: $ty:ty),* $(,)?) $(-> $out:ty)?) => {{
        $(#[target_feature(enable = $feature)])?
        fn stage($($arg: $ty),*) $(-> $out)? {
            $inner($($arg),*)
        }
        stage
    }};
}
pub(super) use kernel;
