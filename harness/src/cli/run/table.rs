//! The lines of the tables that a run prints.

use crate::containers::device_binary::ImageType;
use crate::containers::picture::Picture;
use crate::run::execute::MessageReport;
use crate::run::kernel_run::KernelRun;
use crate::run::plan::PlannedMessage;
use texwire::enums::Enumeration;

/// Returns the line that says which picture is bound to the image arguments of a type.
pub(super) fn bound_line(kind: ImageType, picture: &Picture, from: &str) -> String {
    let size = format!("{} x {} x {}", picture.width, picture.height, picture.slices);
    let format = picture.format.name().unwrap_or("unnamed format");
    format!("image arguments of type {}: {from}, {format} {size}", kind.name())
}

/// Returns the heading of the table of kernels; `width` is the width of its first column, the names.
pub(super) fn kernel_heading(width: usize) -> String {
    format!("{:<width$} {:>6}  {:<24} {:>8} {:>10}  oracle", "kernel", "offset", "message", "sent", "lanes")
}

/// The widths of the table's columns that depend on the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) kernel: usize,
    pub(super) message: usize,
    pub(super) sampler: usize,
}

impl Columns {
    pub(super) fn of(messages: &[PlannedMessage], skipped: impl Iterator<Item = usize>) -> Self {
        let widest = |least: usize, lengths: &mut dyn Iterator<Item = usize>| lengths.fold(least, usize::max);
        let kernels = &mut messages.iter().map(|planned| planned.kernel.len()).chain(skipped);
        let names = |planned: &PlannedMessage| planned.descriptor.op().map_or(0, |op| op.name().len());
        Self {
            kernel: widest("kernel".len(), kernels),
            message: widest(
                "message".len(),
                &mut messages.iter().map(|planned| names(planned) + " simd16 rgba".len()),
            ),
            sampler: widest("sampler".len(), &mut messages.iter().map(|planned| sampler(planned).len())),
        }
    }

    pub(super) fn heading(self) -> String {
        let Self { kernel, message, sampler } = self;
        format!(
            "{:<kernel$} {:>6}  {:<message$}  {:<9} {:<sampler$}  {:>7} {:>9} {:>8}  oracle",
            "kernel", "offset", "message", "image", "sampler", "lanes", "texels", "ns/lane"
        )
    }
}

/// A line of the table.
pub(super) struct TableRow<'a> {
    pub(super) planned: &'a PlannedMessage,
    pub(super) report: &'a MessageReport,
    pub(super) columns: Columns,
}

impl TableRow<'_> {
    pub(super) fn line(&self) -> String {
        let Self { planned, report, columns } = self;
        let Columns { kernel, message: text_width, sampler: state_width } = *columns;
        let message = &report.message;
        let text = format!("{} simd{} {:?}", message.op.name(), message.simd, message.channels);
        let state = if message.op.flags().sampler { sampler(planned) } else { "-".to_owned() };
        let agreement = if report.agreeing == report.lanes {
            let decided = match report.boundary + report.unbounded {
                0 => String::new(),
                lanes => format!(", {lanes} lanes at a boundary"),
            };
            format!("agrees ({:.1e}){decided}", report.worst)
        } else {
            format!("{} of {} lanes agree (worst {:.1e})", report.agreeing, report.lanes, report.worst)
        };
        format!(
            "{:<kernel$} {:>6x}  {:<text_width$}  {:<9} {:<state_width$}  {:>7} {:>9} {:>8.1}  {}",
            planned.kernel,
            planned.offset,
            text,
            planned.image.kind.name(),
            state,
            report.lanes,
            report.texels,
            report.time.as_nanos() as f64 / report.lanes.max(1) as f64,
            agreement
        )
    }
}

/// Returns the sampler state of a message in a few words: filters and address modes.
pub(super) fn sampler(planned: &PlannedMessage) -> String {
    let state = &planned.sampler;
    let [u, v, r] = state.address_modes();
    let address = if u == v && v == r { format!("{u:?}") } else { format!("{u:?} {v:?} {r:?}") };
    let texels = if state.non_normalized() { " texels" } else { "" };
    format!(
        "{:?}/{:?} mip {:?}, {address}{texels}",
        state.mag_filter(),
        state.min_filter(),
        state.mip_filter()
    )
}

/// Returns the lines of a kernel that has run: its sampler messages, those that were not reached, and its launches.
pub(super) fn kernel_lines(name: &str, run: &KernelRun, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (offset, (message, agreement)) in &run.messages {
        let text = format!("{} simd{} {:?}", message.op.name(), message.simd, message.channels);
        let verdict = if agreement.is_full() {
            "agrees".to_owned()
        } else {
            format!("{} of {} lanes agree", agreement.agreeing, agreement.lanes)
        };
        let (count, lanes) = (agreement.messages, agreement.lanes);
        lines.push(format!("{name:<width$} {offset:>6x}  {text:<24} {count:>8} {lanes:>10}  {verdict}"));
    }
    for offset in &run.unreached {
        lines.push(format!("{name:<width$} {offset:>6x}  not reached: no work item took its branch"));
    }
    for outcome in &run.outcomes {
        lines.push(format!(
            "{name:<width$}    end  {} instructions, {} groups, SIMD{}",
            outcome.instructions, outcome.groups, outcome.simd
        ));
    }
    lines
}
