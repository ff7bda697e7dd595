//! Functions of a table of stages.

/// A function of a table: the body of `$inner` is inlined and gets the features.
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
