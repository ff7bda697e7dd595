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
//! Stdin at its end means: no more jobs. Stderr is the model's own and reaches the terminal. [`serve`] is the other side
//! for models in Rust, `examples/external_model.py` is one in Python.
//!
//! A process that dies, answers something else or does not answer in time is broken, which is not the same as refusing a job:
//! [`External::failure`] says so, and the next job starts the process anew.

use crate::engine::{Engine, Job, Outcome};
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How long a job may take unless the caller says otherwise.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// Longest answer: the largest writeback needs a few kilobytes.
const MAX_ANSWER: u64 = 1 << 20;

/// A model behind a pipe.
#[derive(Debug)]
pub struct External {
    name: String,
    words: Vec<String>,
    timeout: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    process: Option<Process>,
    failure: Option<String>,
}

/// A running model: one thread of ours writes its jobs and reads its answers, so that neither can block us.
#[derive(Debug)]
struct Process {
    child: Child,
    jobs: Sender<String>,
    answers: Receiver<io::Result<String>>,
}

impl External {
    /// A model started by `command`: a program and its arguments, separated by blanks; quotes of either kind keep blanks.
    /// It starts with the first job.
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

    /// With another time limit per job.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    fn ask(&self, process: &mut Process, job: &Job) -> Result<Value, String> {
        let line = serde_json::to_string(job).map_err(|why| why.to_string())?;
        let gone = || "its pipes are closed".to_owned();
        process.jobs.send(line).map_err(|_| gone())?;
        match process.answers.recv_timeout(self.timeout) {
            Ok(Ok(line)) => serde_json::from_str(&line)
                .map_err(|why| format!("the answer `{}` is no JSON: {why}", beginning(&line))),
            Ok(Err(why)) => Err(why.to_string()),
            Err(RecvTimeoutError::Timeout) => Err(format!("no answer in {:?}", self.timeout)),
            Err(RecvTimeoutError::Disconnected) => Err(gone()),
        }
    }

    /// The answer's meaning; the outer error is a broken model, the inner one a refused job.
    fn attempt(&self, state: &mut State, job: &Job) -> Result<Result<Option<Outcome>, String>, String> {
        let process = match &mut state.process {
            Some(process) => process,
            none => none.insert(Process::start(&self.words)?),
        };
        let answer = self.ask(process, job).map_err(|why| format!("{why}{}", process.end()))?;
        if let Some(why) = answer["error"].as_str() {
            return Ok(Err(why.to_owned()));
        }
        let text = answer.to_string();
        let outcome: Option<Outcome> = serde_json::from_value(answer)
            .map_err(|why| format!("the answer `{}` is no outcome: {why}", beginning(&text)))?;
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
                // Whatever it writes from here on would be taken for the answer to another job.
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
}

impl Process {
    fn start(words: &[String]) -> Result<Self, String> {
        let (program, arguments) = words.split_first().ok_or("the command is empty")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|why| format!("cannot start {program}: {why}"))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("cannot start {program}: no pipes"));
        };
        let (jobs, jobs_in) = channel();
        let (answers_out, answers) = channel();
        std::thread::spawn(move || talk(&jobs_in, stdin, stdout, &answers_out));
        Ok(Self { child, jobs, answers })
    }

    /// Ends the process; says how it ended when it did so by itself.
    fn end(&mut self) -> String {
        // A closed pipe comes a moment before the status.
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return format!(" ({status})");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        String::new()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes jobs and reads answers until either side ends.
fn talk(
    jobs: &Receiver<String>,
    mut stdin: ChildStdin,
    stdout: ChildStdout,
    answers: &Sender<io::Result<String>>,
) {
    let mut stdout = BufReader::new(stdout);
    let mut exchange = |job: &str| -> io::Result<String> {
        writeln!(stdin, "{job}").and_then(|()| stdin.flush())?;
        let mut answer = String::new();
        match (&mut stdout).take(MAX_ANSWER).read_line(&mut answer)? {
            0 => Err(io::Error::other("it ended without an answer")),
            _ if !answer.ends_with('\n') => Err(io::Error::other("its answer ends inside the line")),
            _ => Ok(answer),
        }
    };
    for job in jobs {
        let answer = exchange(&job);
        let end = answer.is_err();
        if answers.send(answer).is_err() || end {
            return;
        }
    }
}

fn beginning(text: &str) -> String {
    text.trim_end().chars().take(60).collect()
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

/// Answers jobs with `engine` until `input` ends: the model's side of the protocol.
///
/// # Errors
/// Those of `input` and `output`. A line that is no job is answered with an error.
pub fn serve(engine: &dyn Engine, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.lines() {
        let answer = match serde_json::from_str::<Job>(&line?) {
            Ok(job) => match engine.execute(&job) {
                Ok(outcome) => json!(outcome),
                Err(why) => json!({"error": why}),
            },
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

    /// An engine that shows which case it was.
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
