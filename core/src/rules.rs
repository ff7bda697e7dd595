//! Named rules: what `validate` says about a thing that decodes but is not legal.
//!
//! Each dialect declares its rules with [`rules!`](crate::rules!) and answers `validate` with
//! a [`Violations`] set: fixed size, `Copy`, an iterator over the broken rules.

use core::fmt;
use core::marker::PhantomData;

/// A set of rules: implemented by [`rules!`](crate::rules!).
pub trait Rule: Copy + 'static {
    /// Every rule, in order of declaration.
    const ALL: &'static [Self];
    /// The position in [`ALL`](Self::ALL).
    fn index(self) -> u32;
    /// The stable name, kebab-case.
    fn name(self) -> &'static str;
    /// One sentence that says what is required, with its source.
    fn text(self) -> &'static str;
}

/// The broken rules of one thing, an iterator in order of declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Violations<R> {
    bits: u64,
    rules: PhantomData<R>,
}

impl<R: Rule> Violations<R> {
    /// No rule broken.
    pub const NONE: Self = Self { bits: 0, rules: PhantomData };

    /// Adds `rule` when `broken`.
    pub fn add(&mut self, rule: R, broken: bool) {
        self.bits |= u64::from(broken).wrapping_shl(rule.index());
    }

    /// No rule is broken.
    pub const fn is_empty(&self) -> bool {
        self.bits == 0
    }

    /// `rule` is broken.
    pub fn contains(&self, rule: R) -> bool {
        self.bits.wrapping_shr(rule.index()) & 1 == 1
    }
}

impl<R: Rule> Iterator for Violations<R> {
    type Item = R;
    fn next(&mut self) -> Option<R> {
        let index = self.bits.trailing_zeros();
        self.bits &= self.bits.wrapping_sub(1);
        R::ALL.get(index as usize).copied()
    }
}

impl<R: Rule> fmt::Debug for Violations<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.map(Rule::name)).finish()
    }
}

#[cfg(feature = "defmt")]
impl<R> defmt::Format for Violations<R> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "Violations({=u64:x})", self.bits);
    }
}

/// Declares an enum of at most 64 rules with their names and sentences.
#[macro_export]
macro_rules! rules {
    ($(#[$meta:meta])* pub enum $enum:ident { $($variant:ident = $name:literal, $text:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum $enum { $(#[doc = $text] $variant,)* }

        impl $crate::rules::Rule for $enum {
            const ALL: &'static [Self] = &[$(Self::$variant,)*];
            fn index(self) -> u32 { self as u32 }
            fn name(self) -> &'static str { match self { $(Self::$variant => $name,)* } }
            fn text(self) -> &'static str { match self { $(Self::$variant => $text,)* } }
        }

        const _: () = assert!(<$enum as $crate::rules::Rule>::ALL.len() <= 64);
    };
}
