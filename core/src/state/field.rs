//! Fields of state structures: a table of their positions, and typed accessors that macros generate.

use core::marker::PhantomData;

use crate::Platform;
use crate::bits;
use crate::error::{Error, Kind, Result, What};

/// A field of a state structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Field {
    /// The PRM's name.
    pub name: &'static str,
    /// The dword from whose bit 0 `hi` and `lo` count.
    pub dword: u8,
    /// The highest bit; past 31 it is in the next dword.
    pub hi: u8,
    /// The lowest bit.
    pub lo: u8,
    /// The first platform that has the field.
    pub since: Platform,
}

impl Field {
    /// The field's width in bits.
    pub const fn width(&self) -> u32 {
        self.hi as u32 + 1 - self.lo as u32
    }

    /// Returns the field's raw value in `dwords`; bits past the end of `dwords` read as 0.
    #[inline]
    pub fn get(&self, dwords: &[u32]) -> u64 {
        bits::get(self.pair(dwords), self.lo.into(), self.width())
    }

    /// Replaces the field in `dwords`; bits of `value` that do not fit the field are dropped.
    #[inline]
    pub fn put(&self, dwords: &mut [u32], value: u64) {
        let pair = bits::put(self.pair(dwords), self.lo.into(), self.width(), value);
        let parts = [pair as u32, (pair >> 32) as u32];
        for (dword, part) in dwords.iter_mut().skip(self.dword.into()).zip(parts) {
            *dword = part;
        }
    }

    /// Replaces the field by the encoding of `value`.
    ///
    /// # Errors
    /// `Invalid`, with the field's position: the field cannot hold the value. The state is unchanged.
    #[inline]
    pub(super) fn put_checked<C: FieldCodec>(
        &self,
        dwords: &mut [u32],
        value: C::Value,
        what: What,
    ) -> Result<()>
    where
        C::Value: Copy + PartialEq + Into<u64>,
    {
        let raw = C::encode(value);
        if raw > bits::mask(self.width()) || C::decode(raw) != value {
            let place = Error::new(Kind::Invalid, what).at(usize::from(self.dword) * 4).bit(self.lo);
            return Err(place.value(value.into()));
        }
        self.put(dwords, raw);
        Ok(())
    }

    fn pair(&self, dwords: &[u32]) -> u64 {
        let dword = |index: usize| u64::from(dwords.get(index).copied().unwrap_or(0));
        dword(self.dword.into()) | dword(usize::from(self.dword) + 1) << 32
    }
}

/// Returns the dwords that `bytes` hold, little-endian.
#[inline]
pub(super) fn dwords<const BYTES: usize, const N: usize>(bytes: &[u8; BYTES]) -> [u32; N] {
    let mut dwords = [0; N];
    for (dword, bytes) in dwords.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *dword = u32::from_le_bytes(*bytes);
    }
    dwords
}

/// Returns the bytes of `dwords`, little-endian.
pub(super) fn bytes<const N: usize, const BYTES: usize>(dwords: &[u32; N]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (bytes, dword) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(dwords) {
        *bytes = dword.to_le_bytes();
    }
    bytes
}

/// The encoding of a value in a raw field.
pub trait FieldCodec {
    /// The value's type.
    type Value;
    /// Returns the value of a raw field.
    fn decode(raw: u64) -> Self::Value;
    /// Returns the raw field of a value.
    fn encode(value: Self::Value) -> u64;
}

/// The field is the value.
#[derive(Debug)]
pub struct Raw<T>(PhantomData<T>);
/// The field is the value minus 1.
#[derive(Debug)]
pub struct Minus1;
/// The field is a quarter of the value.
#[derive(Debug)]
pub struct Quarter;
/// The field is a two's complement number of `WIDTH` bits.
#[derive(Debug)]
pub struct Signed<const WIDTH: u32>;
/// The field is an address or offset without its `SHIFT` low bits, which are 0.
#[derive(Debug)]
pub struct Offset<T, const SHIFT: u32>(PhantomData<T>);

/// Masks of the bits of a structure that belong to any field, and to fields that Gen9 has.
pub(crate) type FieldMasks<const N: usize> = ([u32; N], [u32; N]);

/// Returns the [`FieldMasks`] of a table of fields.
#[expect(clippy::indexing_slicing, reason = "only called in constants, where a panic stops the build")]
pub(crate) const fn field_masks<const N: usize>(mut fields: &[Field]) -> FieldMasks<N> {
    let (mut all, mut gen9) = ([0; N], [0; N]);
    while let Some((field, rest)) = fields.split_first() {
        let mut bit = field.lo;
        while bit <= field.hi {
            let dword = field.dword as usize + bit as usize / 32;
            all[dword] |= 1u32 << (bit % 32);
            if matches!(field.since, Platform::Gen9) {
                gen9[dword] |= 1u32 << (bit % 32);
            }
            bit += 1;
        }
        fields = rest;
    }
    (all, gen9)
}

macro_rules! raw {
    ($($type:ty)*) => {$(
        impl FieldCodec for Raw<$type> {
            type Value = $type;
            #[inline]
            fn decode(raw: u64) -> $type { raw as $type }
            #[inline]
            fn encode(value: $type) -> u64 { u64::from(value) }
        }
    )*};
}
raw! { u8 u32 u64 }

impl FieldCodec for Raw<bool> {
    type Value = bool;
    #[inline]
    fn decode(raw: u64) -> bool {
        raw != 0
    }
    #[inline]
    fn encode(value: bool) -> u64 {
        u64::from(value)
    }
}

impl FieldCodec for Raw<crate::enums::SurfaceFormat> {
    type Value = crate::enums::SurfaceFormat;
    #[inline]
    fn decode(raw: u64) -> Self::Value {
        crate::enums::SurfaceFormat(raw as u16)
    }
    #[inline]
    fn encode(value: Self::Value) -> u64 {
        value.0.into()
    }
}

impl FieldCodec for Minus1 {
    type Value = u32;
    #[inline]
    fn decode(raw: u64) -> u32 {
        (raw as u32).wrapping_add(1)
    }
    #[inline]
    fn encode(value: u32) -> u64 {
        value.wrapping_sub(1).into()
    }
}

impl FieldCodec for Quarter {
    type Value = u32;
    #[inline]
    fn decode(raw: u64) -> u32 {
        (raw as u32).wrapping_mul(4)
    }
    #[inline]
    fn encode(value: u32) -> u64 {
        (value / 4).into()
    }
}

impl<const WIDTH: u32> FieldCodec for Signed<WIDTH> {
    type Value = i32;
    #[inline]
    fn decode(raw: u64) -> i32 {
        bits::sign_extend(raw as u32, WIDTH)
    }
    #[inline]
    fn encode(value: i32) -> u64 {
        (value as u32).into()
    }
}

impl<const SHIFT: u32> FieldCodec for Offset<u32, SHIFT> {
    type Value = u32;
    #[inline]
    fn decode(raw: u64) -> u32 {
        (raw as u32).wrapping_shl(SHIFT)
    }
    #[inline]
    fn encode(value: u32) -> u64 {
        value.wrapping_shr(SHIFT).into()
    }
}

impl<const SHIFT: u32> FieldCodec for Offset<u64, SHIFT> {
    type Value = u64;
    #[inline]
    fn decode(raw: u64) -> u64 {
        raw.wrapping_shl(SHIFT)
    }
    #[inline]
    fn encode(value: u64) -> u64 {
        value.wrapping_shr(SHIFT)
    }
}

/// Expands to the type of a codec's value ([`FieldCodec::Value`]), written out so that documentation shows it.
macro_rules! value_of {
    (Raw $type:tt) => {
        $type
    };
    (Minus1) => {
        u32
    };
    (Quarter) => {
        u32
    };
    (Signed $width:tt) => {
        i32
    };
    (Offset $type:tt $shift:tt) => {
        $type
    };
}

/// Defines the writer of a field. With a `What`, as for sizes and positions, it refuses a value that does not fit the field,
/// with an error about that `What`; else it drops the bits that do not fit.
macro_rules! setter {
    ($get:ident $set:ident $value:ty, $codec:ty, $field:expr,) => {
        #[doc = concat!("Writes [`", stringify!($get), "`](Self::", stringify!($get), "); what does not fit the field is dropped.")]
        #[inline]
        pub fn $set(&mut self, value: $value) -> &mut Self {
            const FIELD: $crate::state::Field = $field;
            FIELD.put(&mut self.dwords, <$codec as $crate::state::FieldCodec>::encode(value));
            self
        }
    };
    ($get:ident $set:ident $value:ty, $codec:ty, $field:expr, $what:ident) => {
        #[doc = concat!("Writes [`", stringify!($get), "`](Self::", stringify!($get), ").")]
        ///
        /// # Errors
        #[doc = concat!("`Invalid` [`", stringify!($what), "`](crate::What::", stringify!($what), "): the field has no bits for the value. The state is as it was.")]
        #[inline]
        pub fn $set(&mut self, value: $value) -> $crate::Result<&mut Self> {
            const FIELD: $crate::state::Field = $field;
            FIELD.put_checked::<$codec>(&mut self.dwords, value, $crate::What::$what)?;
            Ok(self)
        }
    };
}

/// Defines a state structure: its dwords, byte conversions, the table of its fields, and a
/// reader and a writer for each field.
///
/// A field is `reader / writer: FieldCodec (or What)? => dword[hi..=lo], "PRM name" (since Platform)? = "doc";`. With `or`, the
/// writer refuses values that do not fit.
macro_rules! state {
    (
        $(#[$meta:meta])*
        $type:ident: $dwords:literal dwords;
        $($get:ident / $set:ident: $codec:ident $(<$value:tt $(, $shift:literal)?>)? $(or $what:ident)? => $dword:literal[$hi:literal..=$lo:literal], $name:literal
            $(since $since:ident)? = $doc:literal;)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub struct $type {
            /// The structure as it is in memory, as little-endian dwords.
            pub dwords: [u32; $dwords],
        }

        impl $type {
            /// The size in memory.
            pub const BYTES: usize = $dwords * 4;

            /// Every field, in order of position. Fields can overlap: which of them holds depends
            /// on other fields, as the accessors' documentation says.
            pub const FIELDS: &'static [$crate::state::Field] = &[$($crate::state::Field {
                name: $name, dword: $dword, hi: $hi, lo: $lo, since: state!(@since $($since)?),
            },)*];

            /// Masks of the bits that belong to fields.
            #[allow(dead_code, reason = "not every structure has rules")]
            pub(crate) const FIELD_MASKS: &'static $crate::state::FieldMasks<$dwords> = &$crate::state::field_masks(Self::FIELDS);

            /// Returns the structure with these bytes in memory.
            #[inline]
            pub fn from_bytes(bytes: &[u8; $dwords * 4]) -> Self {
                Self { dwords: $crate::state::field::dwords(bytes) }
            }

            /// Returns the structure's bytes in memory.
            pub fn to_bytes(&self) -> [u8; $dwords * 4] {
                $crate::state::field::bytes(&self.dwords)
            }

            /// Returns the state with every field read and written back, which changes nothing. For tests of the accessors.
            #[must_use]
            pub fn rewritten(&self) -> Self {
                let mut state = *self;
                $(let _ = state.$set(self.$get());)*
                state
            }

            $(
                #[doc = $doc]
                #[inline]
                pub fn $get(&self) -> value_of!($codec $($value $($shift)?)?) {
                    const FIELD: $crate::state::Field = $crate::state::Field {
                        name: "", dword: $dword, hi: $hi, lo: $lo, since: $crate::Platform::Gen9,
                    };
                    <$codec $(<$value $(, $shift)?>)? as $crate::state::FieldCodec>::decode(FIELD.get(&self.dwords))
                }

                setter! {
                    $get $set value_of!($codec $($value $($shift)?)?), $codec $(<$value $(, $shift)?>)?, $crate::state::Field {
                        name: "", dword: $dword, hi: $hi, lo: $lo, since: $crate::Platform::Gen9,
                    }, $($what)?
                }
            )*
        }
    };
    (@since) => { $crate::Platform::Gen9 };
    (@since $since:ident) => { $crate::Platform::$since };
}

/// Defines an enum of a field's codes. Codes that the PRM does not define are kept in the variant after `_`, if there is one.
macro_rules! codes {
    ($($(#[$meta:meta])* $type:ident { $($name:ident = $code:literal, $doc:literal;)* $(_ => $reserved:ident;)? })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub enum $type {
            $(#[doc = $doc] $name,)*
            $(
                /// A code that the PRM does not define.
                $reserved(u8),
            )?
        }

        impl $type {
            /// The field's code.
            #[inline]
            pub const fn code(self) -> u8 {
                match self { $(Self::$name => $code,)* $(Self::$reserved(code) => code,)? }
            }

            /// The code's name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* $(Self::$reserved(_) => stringify!($reserved),)? }
            }

            /// Returns the meaning of the code, in one sentence.
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $doc,)*
                    $(Self::$reserved(_) => codes!(@reserved $reserved),)?
                }
            }
        }

        impl $crate::state::FieldCodec for $crate::state::Raw<$type> {
            type Value = $type;
            #[inline]
            fn decode(raw: u64) -> $type {
                codes!(@decode raw as u8, $type, [$($code $name)*] $($reserved)?)
            }
            #[inline]
            fn encode(value: $type) -> u64 {
                value.code().into()
            }
        }
    )*};
    (@reserved $reserved:ident) => { "A code that the PRM does not define." };
    // Without a reserved variant, codes that are not listed would decode as the first one, but the
    // field is too narrow to hold any.
    (@decode $raw:expr, $type:ident, [$code:literal $name:ident $($codes:literal $names:ident)*]) => {
        match $raw { $($codes => $type::$names,)* _ => $type::$name }
    };
    (@decode $raw:expr, $type:ident, [$($codes:literal $names:ident)*] $reserved:ident) => {
        match $raw { $($codes => $type::$names,)* code => $type::$reserved(code) }
    };
}
