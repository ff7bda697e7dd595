//! Another process as an [`Engine`]: an RTL simulation, a C++ model, a script.
//!
//! # Protocol
//!
//! The process reads one [`Job`] a line on stdin, as JSON, and answers each with one line on stdout, flushed:
//!
//! | line | meaning |
//! |---|---|
//! | `{"writeback": [bytes], "faults": mask}` | it executed the job: an [`Outcome`] |
//! | `{"error": "why"}` | the job's state or message is not legal |
//! | `null` | the model does not do that kind of job |
//!
//! The end of stdin means that there are no more jobs. Stderr is inherited: what the model writes there reaches the terminal. [`serve`] is
//! the model's side of the protocol in Rust, `examples/external_model.py` in Python.
//!
//! A line has at most 64 MiB. A process that dies, answers something else, answers twice or does not answer in time is broken, which is not
//! the same as refusing a job: [`External::failure`] returns the reason, and the next job starts a new process. If the process cannot be
//! started at all, [`External::start`] returns an error. Ctrl-C ends the wait for an answer.
//!
//! On Unix the process leads its own process group. The group is killed when the model breaks, when it is no longer needed, and when this
//! process ends for any reason (a shell next to it waits for that).

use crate::engine::{Engine, Job, Outcome};
use crate::guarded::{Guarded, NoAnswer, answer};
use crate::lines::limited_lines;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

/// The time limit for a job, unless the caller sets another one.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// How long [`External::finish`] waits for an extra answer after the last job.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A model in another process, behind pipes.
#[derive(Debug)]
pub struct External {
    name: String,
    words: Vec<String>,
    timeout: Duration,
    state: Mutex<ModelState>,
}

#[derive(Debug, Default)]
struct ModelState {
    process: Option<Process>,
    failure: Option<String>,
}

/// A running model. Two threads write its jobs and read its answers, so that neither pipe can block the caller.
#[derive(Debug)]
struct Process {
    process: Guarded,
    jobs: Option<Sender<String>>,
    answers: Receiver<io::Result<String>>,
}

impl External {
    /// Describes a model that is started by `command`: a program and its arguments, separated by blanks; single or double quotes keep
    /// blanks. The process starts with the first job.
    ///
    /// # Errors
    /// There is no program in `command`, or a quote is not closed.
    pub fn new(command: &str) -> Result<Self, String> {
        let words = words(command)?;
        if words.is_empty() {
            return Err("no program at external engine: the command is empty".into());
        }
        let name = format!("external:{command}");
        Ok(Self { name, words, timeout: TIMEOUT, state: Mutex::default() })
    }

    /// Sets another time limit for each job.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Starts the process, unless it is running.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(&self) -> Result<(), String> {
        let Ok(mut state) = self.state.lock() else { return Err("the engine's lock is poisoned".into()) };
        if state.process.is_none() {
            let started = Process::start(&self.words);
            state.process = Some(started.map_err(|why| format!("broken model at {}: {why}", self.name))?);
        }
        Ok(())
    }

    fn ask(&self, process: &mut Process, job: &Job) -> Result<Value, String> {
        let line = serde_json::to_string(job).map_err(|why| why.to_string())?;
        let gone = || "its pipes are closed".to_owned();
        process.extra()?;
        process.jobs.as_ref().ok_or_else(gone)?.send(line).map_err(|_| gone())?;
        match answer(&process.answers, self.timeout) {
            Ok(Ok(line)) => serde_json::from_str(&line)
                .map_err(|why| format!("the answer `{}` is no JSON: {why}", shown(&line))),
            Ok(Err(why)) => Err(why.to_string()),
            Err(NoAnswer::Late) => Err(format!("no answer in {:?}", self.timeout)),
            Err(NoAnswer::Interrupted) => Err("interrupted before it answered".to_owned()),
            Err(NoAnswer::Gone) => Err(gone()),
        }
    }

    /// Sends a job and interprets the answer. The outer error means that the model broke, the inner one that it refused the job.
    fn attempt(&self, state: &mut ModelState, job: &Job) -> Result<Result<Option<Outcome>, String>, String> {
        let process = match &mut state.process {
            Some(process) => process,
            none => none.insert(Process::start(&self.words)?),
        };
        let answer = self.ask(process, job).map_err(|why| format!("{why}{}", process.end()))?;
        if let Some(why) = answer["error"].as_str() {
            return Ok(Err(shown(why)));
        }
        let outcome: Option<Outcome> = Option::deserialize(&answer)
            .map_err(|why| format!("the answer `{}` is no outcome: {why}", shown(&answer.to_string())))?;
        if let Some(outcome) = &outcome {
            let (found, expected) = (outcome.writeback.len(), job.writeback_bytes());
            if found != expected {
                return Err(format!("an answer with a writeback of {found} bytes, expected {expected}"));
            }
            if outcome.faults & !job.lanes != 0 {
                let (faults, lanes) = (outcome.faults, job.lanes);
                return Err(format!("an answer with faults {faults:#x} outside the lanes {lanes:#x}"));
            }
        }
        Ok(Ok(outcome))
    }
}

impl Engine for External {
    fn name(&self) -> &str {
        &self.name
    }

    fn execute(&self, job: &Job) -> Result<Option<Outcome>, String> {
        let Ok(mut state) = self.state.lock() else { return Err("the engine's lock is poisoned".into()) };
        state.failure = None;
        match self.attempt(&mut state, job) {
            Ok(answer) => answer,
            Err(why) => {
                // Anything that this process writes from now on could be mistaken for the answer to another job.
                state.process = None;
                let why = format!("broken model at {}: {why}", self.name);
                state.failure = Some(why.clone());
                Err(why)
            }
        }
    }

    fn failure(&self) -> Option<String> {
        self.state.lock().ok()?.failure.clone()
    }

    fn finish(&self) -> Result<(), String> {
        let Ok(mut state) = self.state.lock() else { return Ok(()) };
        let Some(mut process) = state.process.take() else { return Ok(()) };
        // Closes the model's input. If it has more answers than jobs, it writes them now.
        process.jobs = None;
        let last = process.answers.recv_timeout(self.timeout.min(LAST_WORDS));
        match last {
            Ok(Ok(line)) => {
                Err(format!("broken model at {}: it answered twice: `{}`", self.name, shown(&line)))
            }
            // Its output ends too, or it is slow to end: either way, there is no extra answer.
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }
}

impl Process {
    fn start(words: &[String]) -> Result<Self, String> {
        let (program, arguments) = words.split_first().ok_or("the command is empty")?;
        let mut command = Command::new(program);
        let started = Guarded::start(command.args(arguments));
        let (process, stdin, stdout) = started.map_err(|why| format!("cannot start {program}: {why}"))?;
        let (jobs, jobs_in) = channel();
        let (answers_out, answers) = channel();
        std::thread::spawn(move || write_jobs(&jobs_in, stdin));
        std::thread::spawn(move || read_answers(stdout, &answers_out));
        Ok(Self { process, jobs: Some(jobs), answers })
    }

    /// Returns an error if there is an answer that belongs to no job.
    fn extra(&mut self) -> Result<(), String> {
        match self.answers.try_recv() {
            Ok(Ok(line)) => Err(format!("it answered twice: `{}`", shown(&line))),
            Ok(Err(why)) => Err(why.to_string()),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => Ok(()),
        }
    }

    /// Ends the process. Returns its exit status in parentheses if it ended by itself, otherwise an empty string.
    fn end(&mut self) -> String {
        // The pipe closes a moment before the exit status is available.
        let status = self.process.end(Duration::from_millis(100));
        status.map_or(String::new(), |status| format!(" ({status})"))
    }
}

/// Writes jobs until there are no more. If the model closes its input, that shows in its answers or in the lack of them.
fn write_jobs(jobs: &Receiver<String>, mut stdin: ChildStdin) {
    for job in jobs {
        if writeln!(stdin, "{job}").and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads answers until the model's output ends. The end itself is sent as an error, after all answers.
fn read_answers(stdout: ChildStdout, answers: &Sender<io::Result<String>>) {
    let mut lines = limited_lines(BufReader::new(stdout));
    loop {
        let answer = match lines.next() {
            None => Err(io::Error::other("it ended without an answer")),
            Some(Ok(line)) if !line.ends_with('\n') => {
                Err(io::Error::other("its answer ends inside the line"))
            }
            Some(answer) => answer,
        };
        let end = answer.is_err();
        if answers.send(answer).is_err() || end {
            return;
        }
    }
}

/// Returns the beginning of a model's text with control characters escaped, so that it is safe to print on a terminal.
fn shown(text: &str) -> String {
    const MOST: usize = 300;
    let text = text.trim_end();
    let mut shown = String::new();
    for c in text.chars().take(MOST) {
        match c.is_control() {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    if text.chars().nth(MOST).is_some() {
        shown.push_str(" ...");
    }
    shown
}

/// Splits a command at blanks outside quotes.
fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        None => Ok(words),
        Some(open) => Err(format!("no closing {open} at external engine: {command}")),
    }
}

/// Executes a job with `engine`; returns the answer of the protocol.
pub fn execute(engine: &dyn Engine, job: &Job) -> Value {
    match engine.execute(job) {
        Ok(outcome) => json!(outcome),
        Err(why) => json!({"error": why}),
    }
}

/// Answers jobs with `engine` until `input` ends: the model's side of the protocol.
///
/// # Errors
/// Those of `input` and `output`. A line that is not a job is answered with an error.
pub fn serve(engine: &dyn Engine, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in limited_lines(input) {
        let answer = match serde_json::from_str::<Job>(&line?) {
            Ok(job) => execute(engine, &job),
            Err(why) => json!({"error": format!("no job: {why}")}),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_split_at_blanks_outside_quotes() {
        assert_eq!(words("a  'b c' \"d'\"e ''").unwrap(), ["a", "b c", "d'e", ""]);
        assert!(words("a 'b").is_err());
        assert!(External::new("  ").is_err());
    }

    /// An engine that executes, declines or refuses a job by the name of its operation.
    struct Model;

    impl Engine for Model {
        fn name(&self) -> &str {
            "model"
        }

        fn execute(&self, job: &Job) -> Result<Option<Outcome>, String> {
            match job.op.as_str() {
                "resinfo" => Ok(Some(Outcome { writeback: vec![1, 2, 255], faults: 4 })),
                "ld" => Ok(None),
                other => Err(format!("not {other}")),
            }
        }
    }

    #[test]
    fn every_line_is_answered() {
        let line = |op| serde_json::to_string(&Job::new(op)).unwrap();
        let input = [line("resinfo"), line("ld"), line("sample"), "nonsense".into()].join("\n");
        let mut output = Vec::new();
        serve(&Model, input.as_bytes(), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(
            lines[..3],
            [r#"{"writeback":[1,2,255],"faults":4}"#, "null", r#"{"error":"not sample"}"#]
        );
        assert!(lines[3].starts_with(r#"{"error":"no job: "#) && lines.len() == 4);
    }
}
