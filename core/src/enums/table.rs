//! Code that all enumerations share: the table, its rows, lookups, and the macro that defines the
//! type of a table.

/// A table of the PRM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Table {
    /// The PRM's name of the table.
    pub name: &'static str,
    /// The width of the field in bits.
    pub bits: u8,
    /// The PRM's "Source": the part of the hardware description that uses it.
    pub source: &'static str,
    /// The rows in the PRM's order. A value can have several rows when the meaning depends on
    /// context, and a row can be a range.
    pub rows: &'static [Row],
}

/// A row of a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Row {
    /// The first value of the row.
    pub first: u16,
    /// The last value of the row; larger than `first` only for ranges.
    pub last: u16,
    /// The PRM's name of the value.
    pub name: &'static str,
    /// The name of the associated constant; empty for reserved rows.
    pub ident: &'static str,
    /// The meaning of the value; empty for reserved rows.
    pub meaning: &'static str,
    /// The condition under which the row holds.
    pub context: Context,
    /// The third column of the tables that have one.
    pub extra: Extra,
}

/// The condition under which a row holds: some tables give a value several meanings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Context {
    /// Always.
    Any,
    /// Access mode Align1.
    Align1,
    /// Access mode Align16.
    Align16,
    /// Three-source instructions that compute integers.
    Integer,
    /// Three-source instructions that compute floats.
    Float,
    /// Execution size 4, NibCtrl 0.
    Exec4Low,
    /// Execution size 4, NibCtrl 1.
    Exec4High,
    /// Execution size 8.
    Exec8,
    /// Execution size 16.
    Exec16,
}

/// The additional column of some tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Extra {
    /// No additional column.
    None,
    /// Bits per element (SURFACE_FORMAT; 0 = the PRM gives none).
    Bits(u16),
    /// The source region that a compacted index encodes (SrcIndex).
    Region(&'static str),
}

impl Row {
    /// Returns whether the row's values are reserved.
    pub const fn is_reserved(&self) -> bool {
        self.ident.is_empty()
    }

    /// Returns whether `value` belongs to this row.
    pub const fn contains(&self, value: u16) -> bool {
        self.first <= value && value <= self.last
    }
}

impl Table {
    /// Returns whether `value` fits the field.
    pub const fn fits(&self, value: u32) -> bool {
        self.bits >= 32 || value >> self.bits == 0
    }

    /// Returns every row of `value`: several when the meaning depends on context, none when the PRM
    /// does not mention the value.
    pub fn rows_of(&self, value: u16) -> impl Iterator<Item = &'static Row> {
        self.rows.iter().filter(move |row| row.contains(value))
    }

    /// Returns the first row of `value` that holds in `context`; `None` when the value is reserved
    /// there or not mentioned.
    pub fn row_in(&self, value: u16, context: Context) -> Option<&'static Row> {
        let mut rows = self.rows_of(value);
        rows.find(|row| row.context == context || row.context == Context::Any)
            .filter(|row| !row.is_reserved())
    }

    /// Returns the first row that is called `name` (the PRM's name or the constant's).
    pub fn by_name(&self, name: &str) -> Option<&'static Row> {
        self.rows
            .iter()
            .find(|row| !row.is_reserved() && !name.is_empty() && (row.name == name || row.ident == name))
    }
}

/// The type of a [`Table`].
pub trait Enumeration: Copy + Eq + 'static {
    /// The table.
    const TABLE: &'static Table;

    /// The value as it is in the field.
    fn raw(self) -> u16;

    /// Returns the value of a field; `None` when it does not fit the field's width.
    fn from_raw(value: u32) -> Option<Self>;

    /// The PRM's name; `None` for reserved and unmentioned values. If the meaning depends on
    /// context, this is the name of the first row, and the type has a function with the context.
    fn name(self) -> Option<&'static str> {
        row(self).map(|row| row.name)
    }

    /// The meaning of the value, one sentence; `None` as for [`name`](Self::name).
    fn meaning(self) -> Option<&'static str> {
        row(self).map(|row| row.meaning)
    }

    /// Returns whether the PRM reserves the value or does not mention it.
    fn is_reserved(self) -> bool {
        row(self).is_none()
    }

    /// Returns the value called `name` (the PRM's name or the constant's).
    fn from_name(name: &str) -> Option<Self> {
        Self::TABLE.by_name(name).and_then(|row| Self::from_raw(u32::from(row.first)))
    }
}

fn row<E: Enumeration>(value: E) -> Option<&'static Row> {
    E::TABLE.rows_of(value.raw()).find(|row| !row.is_reserved())
}

/// Defines the type of a table. A row is `first..=last "name" [extra] if Context as IDENT = "meaning";`;
/// a row without `as` is reserved.
macro_rules! enumeration {
    (
        $(#[$meta:meta])*
        $type:ident($raw:ty): $table:literal, $bits:literal, $source:literal;
        $($first:literal..=$last:literal $name:literal $([$($extra:tt)*])? $(if $context:ident)? $(as $ident:ident = $meaning:literal)?;)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub struct $type(
            /// The value as it is in the field.
            pub $raw,
        );

        impl $type {
            $($(
                #[doc = $meaning]
                pub const $ident: Self = Self($first);
            )?)*
        }

        impl $crate::enums::Enumeration for $type {
            const TABLE: &'static $crate::enums::Table = &$crate::enums::Table {
                name: $table,
                bits: $bits,
                source: $source,
                rows: &[$($crate::enums::Row {
                    first: $first,
                    last: $last,
                    name: $name,
                    ident: concat!("" $(, stringify!($ident))?),
                    meaning: concat!("" $(, $meaning)?),
                    context: enumeration!(@context $($context)?),
                    extra: enumeration!(@extra $($($extra)*)?),
                },)*],
            };

            #[inline]
            fn raw(self) -> u16 {
                self.0.into()
            }

            #[inline]
            fn from_raw(value: u32) -> Option<Self> {
                if value >> $bits == 0 { value.try_into().ok().map(Self) } else { None }
            }
        }
    };
    (@context) => { $crate::enums::Context::Any };
    (@context $context:ident) => { $crate::enums::Context::$context };
    (@extra) => { $crate::enums::Extra::None };
    (@extra bits $bits:literal) => { $crate::enums::Extra::Bits($bits) };
    (@extra region $region:literal) => { $crate::enums::Extra::Region($region) };
}
