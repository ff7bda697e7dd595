//! The rules of instructions, each with the fields of an explanation that it is about.

/// Rules of vISA instructions. Fields that an explanation does not have (those of the media or of the sampler instructions) are ignored;
/// [`PARAMETERS`] means all parameter operands.
#[rustfmt::skip]
pub(crate) const VISA: &[(&str, &[&str])] = &[
    ("platform", &["opcode"]),
    ("exec-pair", &["size", "mask"]),
    ("exec-size", &["opcode", "size"]),
    ("op-reserved", &["unused"]),
    ("flag-elsewhere", &["opcode", "cps", "divS"]),
    ("pred-reserved", &["pred"]),
    ("channels-reserved", &["channels"]),
    ("aoffimmi-reserved", &["aoffimmi"]),
    ("aoffimmi-type", &["aoffimmi"]),
    ("aoffimmi-useless", &["operation", "aoffimmi"]),
    ("cps-platform", &["cps"]),
    ("cps-operation", &["operation", "cps"]),
    ("cps-exec-size", &["cps", "size"]),
    ("cps-destination", &["cps", "dst"]),
    ("lod-channels", &["operation", "channels"]),
    ("po-platform", &["operation"]),
    ("later-operation", &["operation"]),
    ("too-many-parameters", &["operation", "num_params"]),
    ("undeclared-variable", &["aoffimmi", "lod", PARAMETERS, "dst"]),
    ("undeclared-sampler", &["sampler"]),
    ("undeclared-surface", &["surface"]),
    ("undeclared-predicate", &["pred"]),
    ("slm-surface", &["surface"]),
    ("raw-alignment", &["lod", PARAMETERS, "dst"]),
    ("raw-range", &["lod", PARAMETERS, "dst"]),
    ("alias-chain", &["lod", PARAMETERS, "dst"]),
    ("parameter-type", &["operation", PARAMETERS]),
    ("mixed-widths", &[PARAMETERS]),
    ("half-platform", &[PARAMETERS]),
    ("destination-type", &["opcode", "dst"]),
    ("destination-size", &["size", "channels", "null mask", "dst"]),
    ("destination-read-only", &["dst"]),
    ("lod-type", &["lod"]),
    ("media-mode", &["mode", "channels"]),
    ("media-surface", &["surface"]),
    ("media-operand", &[PARAMETERS]),
    ("media-control", &["cntrl", "exec_mode"]),
];

/// The operands between the surface or `num_params` and the destination.
pub(crate) const PARAMETERS: &str = "parameters";

/// Rules of Gen native sends; the fields inside the descriptor are in [`super::descriptor`].
#[rustfmt::skip]
pub(crate) const SEND: &[(&str, &[&str])] = &[
    ("register-range", &["destination register", "source 0 register", "source 1 register", "descriptor", "extended descriptor"]),
    ("arch-destination", &["destination file", "destination register"]),
    ("channel-alignment", &["channel offset / 4", "execution size"]),
    ("channel-range", &["channel offset / 4", "execution size"]),
    ("reserved-bits", &["(no field)"]),
    ("access-mode", &["(no field)"]),
    ("end-of-thread", &["end of thread", "shared function"]),
    ("second-block", &["source 1 file", "source 1 register", "extended descriptor"]),
    ("message-length", &["descriptor"]),
    ("message-limit", &["descriptor", "extended descriptor"]),
    ("parameter-count", &["descriptor", "extended descriptor"]),
    ("response-length", &["descriptor"]),
    ("null-response", &["destination file", "destination register", "descriptor"]),
    ("simd-mode", &["descriptor"]),
    ("message-type", &["descriptor"]),
    ("simd8-only", &["descriptor"]),
    ("execution-size", &["execution size", "descriptor"]),
    ("half-parameters", &["descriptor"]),
    ("binding-table", &["descriptor"]),
    ("bindless-handle", &["descriptor", "extended descriptor"]),
    ("cps-operation", &["descriptor", "CPS LOD compensation"]),
    ("cps-platform", &["CPS LOD compensation"]),
    ("descriptor-bit-31", &["descriptor"]),
];

/// Rules of NVIDIA TXQ.
#[rustfmt::skip]
pub(crate) const TXQ: &[(&str, &[&str])] = &[
    ("platform-has-no-txq", &["opcode"]),
    ("rd-alignment", &["Rd", "wmsk"]),
    ("rd-range", &["Rd", "wmsk"]),
    ("ra-is-rz", &["Ra", "query"]),
    ("ra-alignment", &["Ra", "query"]),
    ("ra-range", &["Ra", "query"]),
    ("empty-write-mask", &["wmsk"]),
    ("ignored-bits", &["(no field)"]),
    ("phase", &["phase"]),
    ("scoreboard", &["wr", "rd"]),
    ("query-undocumented", &["query"]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use texwire::rules::Rule;

    fn complete<R: Rule>(table: &[(&str, &[&str])]) {
        let rules: Vec<&str> = R::ALL.iter().map(|rule| rule.name()).collect();
        let rows: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
        assert_eq!(rows, rules);
        assert!(table.iter().all(|(_, fields)| !fields.is_empty()));
    }

    #[test]
    fn every_rule_of_an_instruction_has_fields() {
        complete::<texwire::visa::VisaRule>(VISA);
        complete::<texwire::eu::GenRule>(SEND);
        complete::<texwire::txq::TxqRule>(TXQ);
        use texwire::eu::Form::{Plain, Split, Unified};
        let fields: BTreeSet<&str> = [Plain, Split, Unified]
            .iter()
            .flat_map(|form| form.fields().all())
            .map(|field| field.name)
            .chain(["(no field)"])
            .collect();
        for name in SEND.iter().flat_map(|(_, names)| *names) {
            assert!(fields.contains(name), "{name}");
        }
    }
}
