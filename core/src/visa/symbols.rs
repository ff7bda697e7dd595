//! The variables, surfaces and samplers that an instruction's indices refer to: their names for the text, their
//! declarations for the rules.

use super::Routine;
use super::operand::{FIRST_VARIABLE, Type};
use super::tables::VariableFields;
use crate::error::{Error, Kind, Result, What};

/// Names of the predefined variables, 0 to 20.
pub const PREDEFINED_VARIABLES: [&str; 21] = [
    "%null",
    "%thread_x",
    "%thread_y",
    "%group_id_x",
    "%group_id_y",
    "%group_id_z",
    "%tsc",
    "%r0",
    "%arg",
    "%retval",
    "%sp",
    "%fp",
    "%hw_id",
    "%sr0",
    "%cr0",
    "%ce0",
    "%dbg0",
    "%color",
    "%impl_arg_buf_ptr",
    "%local_id_buf_ptr",
    "%msg0",
];

/// Names of the predefined surfaces, 0 to 5.
pub const PREDEFINED_SURFACES: [&str; 6] = ["%slm", "T1", "T2", "TSS", "%bss", "%scratch"];

/// A variable as its table declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Variable<'a> {
    /// The name; empty if only the index is known (the text is then `V` and four digits).
    pub name: &'a [u8],
    /// Type of the elements; `None` = not known.
    pub kind: Option<Type>,
    /// Number of elements; 0 = not known.
    pub elements: u16,
    /// An alias: the index of the variable whose bytes it shares, and its byte offset in that variable.
    pub alias: Option<(u32, u16)>,
}

/// Resolves the indices of one routine's instructions.
pub trait Symbols {
    /// Returns the variable with index `index`, 32 or more; `None` when it is not declared.
    fn variable(&self, index: u32) -> Option<Variable<'_>>;

    /// Returns the index, 32 or more, of the variable called `name`; `None` when it is not declared.
    fn find(&self, name: &[u8]) -> Option<u32>;

    /// Returns whether predicate `index` (1 and up) is declared.
    fn has_predicate(&self, index: u16) -> bool;

    /// Returns whether sampler `index` is declared (31 always is).
    fn has_sampler(&self, index: u8) -> bool;

    /// Returns whether surface `index` is declared (0 to 5 always are).
    fn has_surface(&self, index: u8) -> bool;
}

/// The symbols of an instruction without container: everything is declared, nothing has a name or type. The text of
/// variable 32 is `V0032`, as the compilers name variables of which only the index is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Anonymous;

impl Symbols for Anonymous {
    fn variable(&self, _: u32) -> Option<Variable<'_>> {
        Some(Variable { name: &[], kind: None, elements: 0, alias: None })
    }

    /// Returns the number in a name of `V` and decimal digits, if it is 32 or more.
    fn find(&self, name: &[u8]) -> Option<u32> {
        let digits = name.strip_prefix(b"V").or_else(|| name.strip_prefix(b"v"))?;
        let index = core::str::from_utf8(digits).ok()?.parse().ok()?;
        (digits.first()?.is_ascii_digit() && index >= FIRST_VARIABLE).then_some(index)
    }

    fn has_predicate(&self, _: u16) -> bool {
        true
    }

    fn has_sampler(&self, _: u8) -> bool {
        true
    }

    fn has_surface(&self, _: u8) -> bool {
        true
    }
}

/// Looks names up by walking the tables, which needs no memory, but time linear in the table.
/// [`SymbolIndex`] is faster and needs memory of the caller.
impl Symbols for Routine<'_> {
    fn variable(&self, index: u32) -> Option<Variable<'_>> {
        let record = self.variable_record(index)?;
        let name = self.strings().nth(record.name as usize).unwrap_or_default();
        variable(self, record.fields, name)
    }

    fn find(&self, name: &[u8]) -> Option<u32> {
        let mut equal = self.strings().enumerate().filter(|(_, string)| *string == name);
        let position =
            equal.find_map(|(index, _)| self.variables.iter().position(|v| v.name == index as u32))?;
        (position as u32).checked_add(FIRST_VARIABLE)
    }

    fn has_predicate(&self, index: u16) -> bool {
        index != 0 && u32::from(index) <= self.predicates.len()
    }

    fn has_sampler(&self, index: u8) -> bool {
        index == 31 || u32::from(index) < self.samplers.len()
    }

    fn has_surface(&self, index: u8) -> bool {
        u32::from(index) < self.surfaces.len().saturating_add(6)
    }
}

fn variable<'a>(routine: &Routine<'_>, fields: &[u8], name: &'a [u8]) -> Option<Variable<'a>> {
    let fields = VariableFields::read(fields, routine.version)?;
    let alias = (fields.alias != 0).then_some((fields.alias, fields.alias_offset));
    Some(Variable { name, kind: Some(fields.kind), elements: fields.elements, alias })
}

/// A routine with an index over its strings and variables in the caller's memory: finds a variable by its number, with
/// its name, in constant time.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SymbolIndex<'a, 'm> {
    routine: Routine<'a>,
    strings: &'m [u32],
    variables: &'m [u32],
}

impl<'a, 'm> SymbolIndex<'a, 'm> {
    /// Returns the number of words of memory that [`new`](Self::new) needs.
    pub const fn words(routine: &Routine<'_>) -> usize {
        (routine.string_count() as usize).saturating_add(routine.variables.len() as usize)
    }

    /// Builds the index in `memory`.
    ///
    /// # Errors
    /// `Capacity SymbolTable` when `memory` is shorter than [`words`](Self::words).
    pub fn new(routine: &Routine<'a>, memory: &'m mut [u32]) -> Result<Self> {
        let words = Self::words(routine);
        let small = Error::new(Kind::Capacity, What::SymbolTable).value((words as u64).saturating_mul(4));
        let memory = memory.get_mut(..words).ok_or(small)?;
        let (strings, variables) =
            memory.split_at_mut_checked(routine.string_count() as usize).ok_or(small)?;
        let mut position = 0usize;
        for (slot, string) in strings.iter_mut().zip(routine.strings()) {
            *slot = position as u32;
            position = position.wrapping_add(string.len()).wrapping_add(1);
        }
        for (slot, record) in variables.iter_mut().zip(routine.variables.iter()) {
            *slot = record.position as u32;
        }
        Ok(Self { routine: *routine, strings, variables })
    }

    /// The routine.
    pub const fn routine(&self) -> &Routine<'a> {
        &self.routine
    }
}

impl Symbols for SymbolIndex<'_, '_> {
    #[inline]
    fn variable(&self, index: u32) -> Option<Variable<'_>> {
        let position = *self.variables.get(index.checked_sub(FIRST_VARIABLE)? as usize)?;
        let record = self.routine.variables.at(position as usize)?;
        let name = self.strings.get(record.name as usize);
        let name = name.map_or(&[][..], |&position| self.routine.string_at(position as usize));
        variable(&self.routine, record.fields, name)
    }

    fn find(&self, name: &[u8]) -> Option<u32> {
        self.routine.find(name)
    }

    fn has_predicate(&self, index: u16) -> bool {
        self.routine.has_predicate(index)
    }

    fn has_sampler(&self, index: u8) -> bool {
        self.routine.has_sampler(index)
    }

    fn has_surface(&self, index: u8) -> bool {
        self.routine.has_surface(index)
    }
}
