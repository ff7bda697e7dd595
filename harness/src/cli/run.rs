//! `texwire run`

mod pictures;
mod table;
mod totals;

use super::inputs::{self, CommandResult, LimitArgs};
use crate::console::{complain, say};
use crate::containers::device_binary::{DeviceBinary, ImageType, Kernel};
use crate::containers::picture::Picture;
use crate::engine::Precision;
use crate::image_argument::{self, BoundPicture};
use crate::output::{OutputFile, write_picture};
use crate::run::execute::{MessageReport, Setup};
use crate::run::grid::Grid;
use crate::run::kernel_run;
use crate::run::paint::contact_sheet;
use crate::run::parameters::GridParameters;
use crate::run::plan::{self, PlannedMessage, Skip};
use crate::run::record;
use crate::trace_file::TraceWriter;
use image::RgbaImage;
use indicatif::{ProgressBar, ProgressStyle};
use pictures::Pictures;
use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use table::{Columns, TableRow, bound_line, kernel_heading, kernel_lines};
use texwire::Platform;
use texwire::trace::Record;
use totals::Totals;

/// Runs the kernels of a device binary on a picture (without FILE: the bundled demo).
///
/// FILE is an Intel device binary, or a trace to replay. Kernels of Gen9 and Gen11 run as they are, a work item for each pixel: every
/// sampler message is compared with the oracle; the results are the pictures that kernels write, a table and a trace. Of a kernel
/// that cannot run, each sampler message is executed over a grid of pixels instead.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Device binary or trace
    file: Option<PathBuf>,
    /// Pictures for the image arguments: PNG, JPEG, DDS or KTX2
    #[arg(long = "image", value_name = "PICTURE")]
    images: Vec<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Writes what was executed as a trace to this file (default: trace.twt in the output folder)
    #[arg(long, value_name = "TRACE")]
    record: Option<PathBuf>,
    /// Records at most this many messages of each instruction; 0 = all
    #[arg(long, default_value_t = 64, value_name = "N")]
    record_limit: usize,
    /// Writes a page with the recorded messages, their surfaces and samplers to this HTML file
    #[arg(long, value_name = "HTML")]
    report: Option<PathBuf>,
    /// Halves the pictures this many times
    #[arg(long, default_value_t = 0, value_name = "N")]
    shrink: u32,
    /// Folder for pictures and trace
    #[arg(short, long, default_value = "out", value_name = "DIR")]
    out: PathBuf,
}

impl Args {
    /// Returns the files that the command reads, which no output may overwrite.
    fn inputs(&self) -> Vec<&Path> {
        self.file.iter().chain(&self.images).map(PathBuf::as_path).collect()
    }
}

/// The bundled demo: built from `corpus/demo/demo.cl` by Intel's compiler.
const DEMO: &[u8] = include_bytes!("../../corpus/demo/demo.icllp.bin");

/// The address of the first texture.
const ADDRESS: u64 = 0x1_0000_0000;
/// The alignment of textures, in bytes: a page.
const PAGE: u64 = 4096;
/// The largest width and height of a result on the overview, in pixels.
const TILE: (u32, u32) = (225, 150);

pub(super) fn run(args: &Args) -> CommandResult {
    let bytes = match &args.file {
        Some(path) => inputs::read(path)?,
        None => DEMO.to_vec(),
    };
    match &args.file {
        Some(path) if crate::wires::trace::has_frame(&bytes) => replay(args, path),
        _ => run_binary(args, &bytes),
    }
}

/// Replays a trace, after writing its report if one is asked for.
fn replay(args: &Args, path: &Path) -> CommandResult {
    if !path.is_file() {
        let place = path.display();
        return Err(format!(
            "cannot replay {place}: it is read several times (texwire trace replay reads pipes)"
        )
        .into());
    }
    if let Some(report) = &args.report {
        super::report::of_trace(report, &args.inputs(), path)?;
    }
    super::trace::rerun(path)
}

/// Runs the kernels of a device binary.
fn run_binary(args: &Args, bytes: &[u8]) -> CommandResult {
    let name =
        args.file.as_ref().map_or_else(|| "the bundled demo".to_owned(), |path| path.display().to_string());
    if let Some(what) = decoded_only(bytes) {
        return Err(format!(
            "unsupported file at {name}: {what} is decoded (`texwire decode`), not run; run takes device binaries and traces"
        )
        .into());
    }
    let binary = DeviceBinary::parse(bytes).map_err(|why| format!("{name}: {why}"))?;
    let platform =
        binary.platform().ok_or_else(|| format!("device family {} at {name}: not known", binary.device))?;
    let pictures = Pictures::open(&args.images, args.limit.limits(), args.shrink)?;
    inputs::folder(&args.out)?;
    let record = args.record.clone().unwrap_or_else(|| args.out.join("trace.twt"));
    if let Some(report) = &args.report {
        super::report::check_of_trace(report, &record)?;
    }

    let (planned, skips) = plan::plan(&binary, platform);
    say!(
        "{name}: {platform}, {} kernels, {} sampler messages",
        binary.kernels.len(),
        planned.len() + skips.len()
    );
    let mut trace = TraceWriter::new(OutputFile::create(&record, &args.inputs())?);
    trace.header(platform, Precision::Float)?;
    let (textures, tiles) = (Vec::new(), Vec::new());
    let (bound, said, totals) = (Vec::new(), Vec::new(), Totals::default());
    let mut state = RunState { args, platform, pictures, textures, trace, bound, said, totals, tiles };
    let fallen_back = state.kernels(&binary)?;
    state.messages(&planned, &skips, &fallen_back)?;
    if let Some(damage) = &binary.damage {
        complain!("{damage}");
    }
    let totals = state.finish(&record)?;
    if planned.is_empty() && skips.is_empty() && fallen_back.len() == binary.kernels.len() {
        return Err(format!("nothing to execute at {name}: no kernel has a sampler message").into());
    }
    Ok(totals.all_agree() && binary.damage.is_none())
}

/// Returns the name of a container whose messages come without the registers and state to execute them; `None` for all other files.
fn decoded_only(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'C', b'I', b'S', b'A', ..] => Some("CISA (vISA)"),
        _ if crate::containers::cubin::is_cubin(bytes) => Some("a cubin"),
        _ => None,
    }
}

fn progress(length: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} kernels")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length as u64).with_style(style)
}

/// The state of a run over all kernels.
struct RunState<'a> {
    args: &'a Args,
    platform: Platform,
    pictures: Pictures,
    /// The picture and texture bound to each image type; a texture is in memory (and in the trace) once.
    textures: Vec<(ImageType, Picture, BoundPicture)>,
    trace: TraceWriter<OutputFile>,
    /// Lines of output that say which picture was bound to an image type, not printed yet.
    bound: Vec<String>,
    /// The lines of that kind so far: each is printed once.
    said: Vec<String>,
    totals: Totals,
    /// The overview: each result as a thumbnail with its caption.
    tiles: Vec<(String, RgbaImage)>,
}

impl RunState<'_> {
    /// Runs all kernels on the machine and prints their lines of the table. Returns the names of those that do not run.
    ///
    /// # Errors
    /// A picture or the trace cannot be written.
    fn kernels<'b>(&mut self, binary: &'b DeviceBinary<'_>) -> io::Result<Vec<&'b str>> {
        let width = binary.kernels.iter().map(|kernel| kernel.name.len()).fold("kernel".len(), usize::max);
        let bar = progress(binary.kernels.len());
        let mut fallen_back = Vec::new();
        say!("{}", kernel_heading(width));
        for kernel in &binary.kernels {
            match self.kernel(binary, kernel, width)? {
                Ok(lines) => lines.iter().for_each(|line| bar.suspend(|| say!("{line}"))),
                Err(why) => {
                    bar.suspend(|| say!("{:<width$} does not run on the machine: {why}", kernel.name));
                    fallen_back.push(kernel.name.as_str());
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(fallen_back)
    }

    /// Executes the sampler messages of kernels that do not run, over the grid of pixels, and prints their lines of the table.
    ///
    /// # Errors
    /// A picture or the trace cannot be written.
    fn messages(&mut self, planned: &[PlannedMessage], skips: &[Skip], kernels: &[&str]) -> io::Result<()> {
        let left: Vec<PlannedMessage> =
            planned.iter().filter(|message| kernels.contains(&message.kernel.as_str())).cloned().collect();
        let skipped: Vec<_> = skips.iter().filter(|skip| kernels.contains(&skip.kernel.as_str())).collect();
        let columns = Columns::of(&left, skipped.iter().map(|skip| skip.kernel.len()));
        if !kernels.is_empty() {
            say!("\nthe sampler messages of these kernels, over a grid of pixels:\n{}", columns.heading());
        }
        for planned in &left {
            let line = self.message(planned, columns)?;
            self.bound.drain(..).for_each(|line| say!("{line}"));
            say!("{line}");
        }
        for skip in skipped {
            say!("{:<w$} {:>6x}  not executed: {}", skip.kernel, skip.offset, skip.why, w = columns.kernel);
            self.totals.not_executed(&skip.why);
        }
        Ok(())
    }

    /// Completes the trace at `record`, writes the overview, prints the totals and writes the report, whose error loses none of these.
    /// Returns the totals.
    ///
    /// # Errors
    /// An output cannot be written.
    fn finish(self, record: &Path) -> Result<Totals, Box<dyn std::error::Error>> {
        let args = self.args;
        let messages = self.trace.messages();
        self.trace.finish()?.commit()?;
        if !self.tiles.is_empty() {
            write_picture(&args.out.join("overview.png"), &args.inputs(), &contact_sheet(&self.tiles, 4))?;
        }
        let (out, trace) = (args.out.display(), record.display());
        say!("pictures (overview.png shows all) in {out}, trace of {messages} messages in {trace}");
        self.totals.lines().iter().for_each(|line| say!("{line}"));
        if let Some(path) = &args.report {
            super::report::of_trace(path, &args.inputs(), record)?;
        }
        Ok(self.totals)
    }

    /// Runs a kernel on the machine. Returns its lines of the table, or in the inner error why it does not run.
    ///
    /// # Errors
    /// A picture or the trace cannot be written.
    fn kernel(
        &mut self,
        binary: &DeviceBinary<'_>,
        kernel: &Kernel,
        width: usize,
    ) -> io::Result<Result<Vec<String>, String>> {
        let size = self.pictures.pixels[0].dimensions();
        let bound = RefCell::new(Vec::new());
        let contents = |kind: ImageType| {
            let (picture, from) = self.pictures.contents(kind)?;
            let line = bound_line(kind, &picture, &from);
            if !bound.borrow().contains(&line) {
                bound.borrow_mut().push(line);
            }
            Ok(picture)
        };
        let done = match kernel_run::run(binary, kernel, size, &contents) {
            Ok(done) => done,
            Err(why) => return Ok(Err(why.to_string())),
        };
        let mut lines = bound.into_inner();
        lines.retain(|line| !self.said.contains(line));
        self.said.extend(lines.iter().cloned());
        for (_, agreement) in done.messages.values() {
            self.totals.ran(agreement);
        }
        self.totals.unreached += done.unreached.len();
        lines.extend(kernel_lines(&kernel.name, &done, width));
        self.write_pictures(&kernel.name, &done.pictures)?;
        self.trace.record(&Record::Text(&kernel.name))?;
        for outcome in &done.outcomes {
            let step = match self.args.record_limit {
                0 => 1,
                limit => outcome.records.len().div_ceil(limit * done.messages.len().max(1)),
            };
            kernel_run::write_trace(&mut self.trace, outcome, step)?;
        }
        Ok(Ok(lines))
    }

    /// Writes the pictures of a kernel's image arguments and adds them to the overview.
    fn write_pictures(&mut self, kernel: &str, pictures: &[(u32, RgbaImage)]) -> io::Result<()> {
        for (argument, picture) in pictures {
            let path = self.args.out.join(format!("{kernel}-{argument}.png"));
            write_picture(&path, &self.args.inputs(), picture)?;
            let small = image::imageops::thumbnail(picture, TILE.0, TILE.1);
            self.tiles.push((kernel.to_owned(), small));
        }
        Ok(())
    }

    /// Executes a message over the grid of pixels. Returns its line of the table.
    ///
    /// # Errors
    /// A picture or the trace cannot be written.
    fn message(&mut self, planned: &PlannedMessage, columns: Columns) -> io::Result<String> {
        match self.execute(planned)? {
            Ok(report) => {
                self.totals.executed(&report);
                Ok(TableRow { planned, report: &report, columns }.line())
            }
            Err(why) => {
                let (image, why) = (planned.image.kind.name(), why.to_string());
                self.totals.not_executed(&why);
                let w = columns.kernel;
                Ok(format!("{:<w$} {:>6x}  not executed ({image}): {why}", planned.kernel, planned.offset))
            }
        }
    }

    /// Executes a message over the grid of pixels, records it and writes its picture. The outer error: an output cannot be written; the
    /// inner error: the message is not executed.
    fn execute(
        &mut self,
        planned: &PlannedMessage,
    ) -> io::Result<Result<MessageReport, Box<dyn std::error::Error>>> {
        let known = match self.bind(planned) {
            Ok(known) => known,
            Err(why) => return Ok(Err(why)),
        };
        let (_, picture, texture) = &self.textures[known];
        let size = &self.pictures.pixels[0];
        let setup = Setup {
            planned,
            texture,
            parameters: parameters(planned, picture),
            grid: Grid { width: size.width(), height: size.height(), simd: self.simd(planned) },
            platform: self.platform,
        };
        record::state(&mut self.trace, &setup)?;
        let groups = setup.grid.origins().count();
        let step = match self.args.record_limit {
            0 => 1,
            limit => groups.div_ceil(limit),
        };
        let (mut group, mut failure) = (0, None);
        let report = match setup.run(|executed| {
            if group % step == 0 && failure.is_none() {
                failure = record::message(&mut self.trace, &setup, executed).err();
            }
            group += 1;
        }) {
            Ok(report) => report,
            Err(why) => return Ok(Err(why)),
        };
        if let Some(why) = failure {
            return Err(why);
        }
        let name = format!(
            "{}-{:x}-{}.png",
            planned.kernel,
            planned.offset,
            report.message.op.name().replace('+', "-")
        );
        write_picture(&self.args.out.join(name), &self.args.inputs(), &report.picture)?;
        let small = image::imageops::thumbnail(&report.picture, TILE.0, TILE.1);
        self.tiles.push((format!("{} {}", planned.kernel, report.message.op.name()), small));
        Ok(Ok(report))
    }

    /// Binds the type of the message's image argument, unless an earlier message did. Returns its index in `textures`.
    fn bind(&mut self, planned: &PlannedMessage) -> Result<usize, Box<dyn std::error::Error>> {
        let kind = planned.image.kind;
        if let Some(known) = self.textures.iter().position(|(known, ..)| *known == kind) {
            return Ok(known);
        }
        let end =
            self.textures.last().map_or(ADDRESS, |(_, _, t)| t.memory.address + t.memory.bytes.len() as u64);
        let (picture, from) = self.pictures.contents(kind)?;
        let line = bound_line(kind, &picture, &from);
        if !self.said.contains(&line) {
            self.said.push(line.clone());
            self.bound.push(line);
        }
        let texture = image_argument::bind(planned.template, kind, &picture, end.next_multiple_of(PAGE))?;
        self.textures.push((kind, picture, texture));
        Ok(self.textures.len() - 1)
    }

    fn simd(&self, planned: &PlannedMessage) -> u32 {
        planned.descriptor.simd_mode().shape(self.platform).map_or(8, |(lanes, _)| u32::from(lanes))
    }
}

/// Returns the view of the texture: a bit more than the whole of it, so that the address mode shows; the LOD runs over its levels.
fn parameters(planned: &PlannedMessage, picture: &Picture) -> GridParameters {
    let texels = planned.sampler.non_normalized();
    GridParameters {
        start: [-0.183, -0.147],
        span: [1.371, 1.293],
        lod: [0.0, 6.0_f32.min(picture.levels.len() as f32 - 1.0)],
        reference: 0.5,
        size: [picture.width, picture.height, picture.slices],
        volume: picture.volume,
        texels,
    }
}
