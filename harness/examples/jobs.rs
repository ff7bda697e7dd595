//! Runs jobs from a file on the core and prints what each lane gets, for comparison with another model.
use texwire_harness::engine::{Engine, Job};
fn main() {
    let path = std::env::args().nth(1).unwrap();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let (id, lanes, jobs): (String, usize, Vec<Job>) = serde_json::from_str(line).unwrap();
        let mut out = String::new();
        let mut err = None;
        let mut left = lanes;
        for job in &jobs {
            match texwire_harness::core_engine::CoreEngine.execute(job) {
                Ok(Some(o)) => {
                    for lane in 0..left.min(16) {
                        for c in 0..4 {
                            let at = c * 64 + lane * 4;
                            let v = u32::from_le_bytes(o.writeback[at..at + 4].try_into().unwrap());
                            out += &format!("{v:08x}");
                        }
                    }
                    left -= left.min(16);
                    if o.faults != 0 {
                        err = Some(format!("faults {:x}", o.faults));
                    }
                }
                Ok(None) => err = Some("none".into()),
                Err(e) => err = Some(e),
            }
        }
        match err {
            Some(e) => println!("{}", serde_json::json!({"id": id, "error": e})),
            None => println!("{}", serde_json::json!({"id": id, "out": out})),
        }
    }
}
