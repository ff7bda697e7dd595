//! Named rules: `validate` returns those that an instruction or state breaks although it decodes.
//!
//! Each wire format and each state declares its rules with [`rules!`](crate::rules!), and its `validate` returns a [`Violations`] set:
//! of fixed size, `Copy`, and an iterator over the broken rules.

use core::fmt;
use core::marker::PhantomData;

/// An enum whose variants are rules: implemented by [`rules!`](crate::rules!).
pub trait Rule: Copy + 'static {
    /// Every rule, in order of declaration.
    const ALL: &'static [Self];
    /// Returns the position in [`ALL`](Self::ALL).
    fn index(self) -> u32;
    /// Returns the stable name, in kebab-case.
    fn name(self) -> &'static str;
    /// Returns one sentence that says what is required, with its source.
    fn text(self) -> &'static str;
}

/// The set of rules that an instruction or state breaks: what `validate` returns.
///
/// The set is one word, and it is the iterator over its own rules in order of declaration: `for rule in state.validate(platform)`.
/// It is `Copy`, so that [`is_empty`](Self::is_empty), [`contains`](Self::contains) and a loop can use the same value; a loop consumes a
/// copy. `Display` prints one line for each rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[must_use = "the rules that are broken are in the value"]
pub struct Violations<R> {
    bits: u64,
    rules: PhantomData<R>,
}

impl<R: Rule> Violations<R> {
    /// The empty set: no rule is broken.
    pub const NONE: Self = Self { bits: 0, rules: PhantomData };

    /// Adds `rule` if `broken` is true.
    pub fn add(&mut self, rule: R, broken: bool) {
        self.bits |= u64::from(broken).wrapping_shl(rule.index());
    }

    /// Returns true if no rule is broken.
    pub const fn is_empty(&self) -> bool {
        self.bits == 0
    }

    /// Returns true if `rule` is broken.
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

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.bits.count_ones() as usize;
        (left, Some(left))
    }
}

impl<R: Rule> ExactSizeIterator for Violations<R> {}

impl<R: Rule> core::iter::FusedIterator for Violations<R> {}

/// Prints a line `name: sentence` for each rule; nothing if no rule is broken.
impl<R: Rule> fmt::Display for Violations<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = "";
        for rule in *self {
            write!(f, "{line}{}: {}", rule.name(), rule.text())?;
            line = "\n";
        }
        Ok(())
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

        /// Prints `name: sentence`.
        impl ::core::fmt::Display for $enum {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                use $crate::rules::Rule;
                write!(f, "{}: {}", self.name(), self.text())
            }
        }

        const _: () = assert!(<$enum as $crate::rules::Rule>::ALL.len() <= 64);
    };
}
