//! A campaign's report as text.

use super::finding::Finding;
use super::lane::LaneReport;
use super::report::{FindingGroup, Report, counted};
use super::settings::Settings;
use crate::compare::Disagreement;
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, group) in self.groups.iter().enumerate() {
            group.write(f, index + 1, &self.settings)?;
            writeln!(f)?;
        }
        writeln!(f, "{:24} {:>12}", "operation", "lanes")?;
        for (op, lanes) in &self.lanes_by_operation {
            writeln!(f, "{op:24} {lanes:>12}")?;
        }
        if self.settings.against.is_some() {
            self.agreement.write(f)?;
        }
        writeln!(f, "{}", self.sentence)
    }
}

impl FindingGroup {
    fn write(&self, f: &mut fmt::Formatter<'_>, number: usize, settings: &Settings) -> fmt::Result {
        let many = counted(self.findings.len() as u64, "disagreements");
        writeln!(f, "group {number}: {many} of {} and the emulator: {}", self.engine, self.kind.text())?;
        writeln!(f, "  shared: {}", self.shared.join(", "))?;
        let seeds: Vec<String> =
            self.findings.iter().filter_map(|finding| Some(finding.seed?.to_string())).collect();
        if !seeds.is_empty() {
            writeln!(f, "  seeds: {}", seeds.join(", "))?;
        }
        let Some(first) = self.findings.first() else { return Ok(()) };
        first.write(f, settings)?;
        for finding in self.findings.iter().skip(1) {
            writeln!(f, "{}", finding.heading())?;
            if !finding.command.is_empty() {
                writeln!(f, "  repeat: {}", finding.command)?;
            }
        }
        Ok(())
    }
}

impl Finding {
    /// Returns the disagreement in a line, after the job's seed or its place in a file.
    fn heading(&self) -> String {
        let origin = self.origin().map_or_else(String::new, |origin| format!("{origin}: "));
        format!("{origin}{}", self.disagreement)
    }

    /// Writes everything that is known about the disagreement.
    fn write(&self, f: &mut fmt::Formatter<'_>, settings: &Settings) -> fmt::Result {
        writeln!(f, "{}", self.heading())?;
        write_lane(f, &self.disagreement, self.lane.as_ref())?;
        self.explained.iter().try_for_each(|one| write!(f, "{one}"))?;
        if !self.command.is_empty() {
            writeln!(f, "repeat: {}", self.command)?;
        }
        let what = if self.small { "minimal job" } else { "not made smaller" };
        writeln!(f, "{what}: {}", self.minimal_disagreement)?;
        writeln!(f, "  matters: {}", self.matters.join(", "))?;
        self.touches.iter().try_for_each(|rule| writeln!(f, "  touches: {rule}"))?;
        write_lane(f, &self.minimal_disagreement, self.minimal_lane.as_ref())?;
        let json = serde_json::to_string(&self.minimal).unwrap_or_default();
        writeln!(
            f,
            "repeat the minimal job: echo '{json}' | texwire fuzz-diff{} -",
            settings.against_option()
        )
    }
}

fn write_lane(
    f: &mut fmt::Formatter<'_>,
    disagreement: &Disagreement,
    lane: Option<&LaneReport>,
) -> fmt::Result {
    let Some(values) = &disagreement.lane else { return Ok(()) };
    let who = if disagreement.engine == "core" { "core" } else { "model" };
    writeln!(f, "  lane {:<3} {who:>34} {:>36}", values.lane, "emulator")?;
    for channel in &values.channels {
        let shown = |value: &crate::compare::ResultValue| format!("{} = {}", value.bits, value.value);
        let engine = channel.engine.as_ref().map_or("not returned".to_owned(), shown);
        let mark = if channel.equal { "" } else { "  differs" };
        writeln!(f, "    {} {engine:>36} {:>36}{mark}", channel.channel, shown(&channel.emulator))?;
    }
    writeln!(
        f,
        "    tolerance {:e}, null page {:?}, fault {:?}",
        values.tolerance, values.null, values.fault
    )?;
    let Some(lane) = lane else { return Ok(()) };
    let parameters: Vec<String> =
        lane.parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
    writeln!(f, "    coordinates: {}", parameters.join(", "))?;
    lane.lod.iter().try_for_each(|line| writeln!(f, "    {line}"))?;
    writeln!(f, "    {:40} {:>12} {:>24} {:>24}  texel", "texel", "address", "weight: emulator", who)?;
    let engine = lane.engine_texels.as_deref();
    let weight = |address: Option<u64>| {
        let Some(texels) = engine else { return "?".to_owned() };
        match texels.iter().find(|texel| Some(texel.address) == address) {
            Some(texel) => texel.weight.map_or("read".to_owned(), |weight| format!("{weight:.9}")),
            None if address.is_none() => "?".to_owned(),
            None => "not read".to_owned(),
        }
    };
    for texel in &lane.texels {
        let address = texel.address.map_or("-".to_owned(), |address| format!("{address:#x}"));
        let (ours, theirs) = (format!("{:.9}", texel.weight), weight(texel.address));
        writeln!(
            f,
            "    {:40} {address:>12} {ours:>24} {theirs:>24}  {}",
            texel.place,
            texel.value.join(", ")
        )?;
    }
    for texel in engine.unwrap_or_default() {
        if lane.texels.iter().all(|ours| ours.address != Some(texel.address)) {
            let place = texel.place.as_deref().unwrap_or("no texel of the surface");
            let address = format!("{:#x}", texel.address);
            writeln!(
                f,
                "    {place:40} {address:>12} {:>24} {:>24}",
                "not read",
                weight(Some(texel.address))
            )?;
        }
    }
    Ok(())
}
