//! Vulkan devices as engines: the emulator beside them, crashes, missing drivers. Without a device the tests say so and pass.

mod command;
#[cfg(all(feature = "vulkan", unix))]
mod faulty_driver;

#[cfg(not(feature = "vulkan"))]
#[test]
fn a_build_without_the_feature_says_so() {
    use command::texwire;
    let said = texwire(&["serve", "--engine", "vulkan:0"]);
    assert_eq!(said.status, Some(2));
    assert!(
        said.err.contains("error: no engine at vulkan:0: texwire was built without feature vulkan"),
        "{}",
        said.err
    );
    assert!(texwire(&["engines"]).out.contains("built without feature vulkan"));
}

#[cfg(feature = "vulkan")]
mod device {
    use super::command::{self, said, texwire};
    #[cfg(unix)]
    use super::faulty_driver;
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::time::Duration;
    use texwire_harness::emulator::Emulator;
    use texwire_harness::emulator::formats::code;
    use texwire_harness::emulator::sample::BoundJob;
    use texwire_harness::emulator::state::{set_sampler, set_surface};
    use texwire_harness::engine::{Answer, Engine, Job, Outcome, Region};
    use texwire_harness::generators::job::seeded;
    use texwire_harness::vulkan::{ABORT_AT, DeviceOptions, HANG_AT, VulkanModel};

    const PROGRAM: &str = env!("CARGO_BIN_EXE_texwire");

    /// A device, or the reason why there is none.
    fn device(program: &Path, options: DeviceOptions) -> Option<VulkanModel> {
        match VulkanModel::start_program(program, "", options) {
            Ok(model) => Some(model),
            Err(why) => {
                println!("skipped: {why}");
                None
            }
        }
    }

    /// Bytes that texels are made of: a slope, so that a coordinate that is a little off is a value that is a little off.
    fn memory() -> Region {
        let byte = |at: usize| (at % 256 / 2 + at / 256 % 64) as u8;
        Region { address: 0x10_0000, bytes: (0..0x4_0000).map(byte).collect() }
    }

    /// A message of 8 lanes on a surface of 16 x 16 texels (faces, slices) with 4 levels.
    fn job(op: &str, kind: u64, format: &str, fields: &[(&str, u64)], params: &[[f32; 8]]) -> Job {
        let mut job = Job { memory: vec![memory()].into(), ..Job::new(op) };
        let array = fields.iter().any(|(name, _)| *name == "Surface Array");
        for (name, value) in [
            ("Surface Type", kind),
            ("Surface Format", code(format).unwrap()),
            ("Width", 15),
            ("Height", if kind == 0 { 0 } else { 15 }),
            ("Depth", if kind == 2 { 7 } else { 1 }),
            ("Surface Pitch", 255),
            ("Surface QPitch", if kind == 0 { 32 } else { 8 }),
            ("Surface Horizontal Alignment", 1),
            ("Surface Vertical Alignment", 1),
            ("MIP Count / LOD", 3),
            ("Surface Base Address", 0x10_0000),
            ("Surface Array", u64::from(array)),
        ] {
            set_surface(&mut job.surface, name, value);
        }
        for (channel, select) in ["Red", "Green", "Blue", "Alpha"].iter().zip(4..) {
            set_surface(&mut job.surface, &format!("Shader Channel Select {channel}"), select);
        }
        for (name, value) in
            [("Max LOD", 14 * 256), ("LOD PreClamp Mode", 2), ("TCX Address Control Mode", 2)]
        {
            set_sampler(&mut job.sampler, name, value);
        }
        for (name, value) in fields.iter().filter(|(name, _)| *name != "Surface Array") {
            set_sampler(&mut job.sampler, name, *value);
        }
        job.params = params.iter().map(|values| values.map(f32::to_bits).to_vec()).collect();
        job
    }

    /// A message on an array of 2D layers with 4 samples and one level.
    fn four_samples(op: &str, params: &[[f32; 8]]) -> Job {
        let mut job = job(op, 1, "R8G8B8A8_UNORM", &[("Surface Array", 1)], params);
        set_surface(&mut job.surface, "Number of Multisamples", 2);
        set_surface(&mut job.surface, "MIP Count / LOD", 0);
        job
    }

    const LINEAR: [(&str, u64); 2] = [("Mag Mode Filter", 1), ("Min Mode Filter", 1)];
    const U: [f32; 8] = [0.13, 0.42, 0.17, 0.46, 0.71, 0.78, 0.74, 0.81];
    const V: [f32; 8] = [0.21, 0.24, 0.53, 0.56, 0.11, 0.16, 0.43, 0.48];
    const R: [f32; 8] = [0.31, 0.34, 0.63, 0.66, 0.29, 0.36, 0.63, 0.68];
    const LAYER: [f32; 8] = [0.0, 1.0, 1.2, 0.3, -4.0, 9.0, 0.0, 1.0];
    const LOD: [f32; 8] = [0.0, 0.5, 1.0, 1.5, 2.25, 3.0, 5.0, -2.0];
    const REFERENCE: [f32; 8] = [0.1, 0.3, 0.2, 0.9, 0.05, 0.6, 0.4, 0.0];

    fn whole(values: [u32; 8]) -> [f32; 8] {
        values.map(f32::from_bits)
    }

    /// The states that are compared, with how far a result may be off.
    fn states() -> Vec<(Job, f64)> {
        let rgba = "R8G8B8A8_UNORM";
        let bilinear = &LINEAR[..];
        let trilinear = &[LINEAR[0], LINEAR[1], ("Mip Mode Filter", 3)][..];
        let array = &[LINEAR[0], LINEAR[1], ("Surface Array", 1)][..];
        let less = &[LINEAR[0], LINEAR[1], ("Shadow Function", 2)][..];
        let (x, y) = (whole([0, 5, 15, 16, 3, 7, 70, 9]), whole([0, 2, 15, 3, 16, 7, 1, 4]));
        let level = whole([0, 0, 0, 0, 0, 1, 0, 4]);
        let small = [0.01; 8];
        vec![
            (job("sample_lz", 1, rgba, &[], &[U, V]), 0.0),
            (job("sample_lz", 1, rgba, bilinear, &[U, V]), 0.01),
            (job("sample_l", 1, rgba, trilinear, &[LOD, U, V]), 0.03),
            (job("sample_l", 2, "R16G16B16A16_UNORM", trilinear, &[LOD, U, V, R]), 0.05),
            (job("sample_lz", 0, rgba, array, &[U, LAYER]), 0.01),
            (job("sample_lz", 1, rgba, array, &[U, V, LAYER]), 0.01),
            (job("sample_lz", 3, rgba, bilinear, &[U, V, R]), 0.02),
            (job("sample_lz", 3, rgba, array, &[U, V, R, LAYER]), 0.02),
            (job("sample_d", 1, rgba, trilinear, &[U, small, small, V, small, small]), 0.05),
            (job("gather4", 1, rgba, bilinear, &[U, V]), 0.0),
            (Job { gather: 2, offsets: [3, -2, 0], ..job("gather4", 1, rgba, bilinear, &[U, V]) }, 0.0),
            (job("gather4_l", 1, rgba, trilinear, &[LOD, U, V]), 0.0),
            (job("gather4_c", 1, "R16_UNORM", less, &[REFERENCE, U, V]), 0.0),
            (job("sample_c_lz", 1, "R16_UNORM", less, &[REFERENCE, U, V]), 0.02),
            (job("sample_l_c", 3, "R16_UNORM", less, &[REFERENCE, LOD, U, V, R]), 0.02),
            (job("ld", 1, rgba, &[], &[x, y, level]), 0.0),
            (job("ld", 1, "R8G8B8A8_UINT", &[], &[x, y, level]), 0.0),
            (job("ld_lz", 2, "A8_UNORM", &[], &[x, y, whole([0, 1, 7, 8, 2, 3, 4, 5])]), 0.0),
            (job("resinfo", 1, rgba, array, &[whole([2; 8])]), 0.0),
            (four_samples("ld2dss", &[whole([0, 1, 2, 3, 4, 0, 1, 2]), x, y]), 0.0),
            (four_samples("sampleinfo", &[]), 0.0),
            (job("sample", 1, rgba, trilinear, &[U, V]), 0.1),
            (job("sample", 3, rgba, trilinear, &[U, V, R]), 0.1),
            (job("sample_b", 1, rgba, trilinear, &[[0.5; 8], U, V]), 0.1),
            (job("LOD", 1, rgba, trilinear, &[U, V]), 0.1),
            (Job { half_return: true, ..job("sample_lz", 1, rgba, bilinear, &[U, V]) }, 0.01),
            // What devices need not offer is widened.
            (job("sample_lz", 1, "A8P8_UNORM_PALETTE0", bilinear, &[U, V]), 0.01),
        ]
    }

    /// How far a result is from the emulator's.
    fn distance(job: &Job, outcome: &Outcome) -> f64 {
        let expected = Emulator.execute(job).unwrap().unwrap();
        let integers = BoundJob::of(job).unwrap().unwrap().returns_integers();
        let width = if job.half_return { 2 } else { 4 };
        let value = |bytes: &[u8]| match bytes {
            [a, b] => {
                texwire_harness::emulator::numbers::small_float(u64::from(u16::from_le_bytes([*a, *b])), 10)
            }
            _ => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
        };
        assert_eq!((outcome.writeback.len(), outcome.faults), (expected.writeback.len(), expected.faults));
        let pairs = outcome.writeback.chunks(width).zip(expected.writeback.chunks(width));
        let apart = |(a, b): (&[u8], &[u8])| match integers {
            true => f64::from(u8::from(a != b)),
            false => (value(a) - value(b)).abs(),
        };
        pairs.map(apart).fold(0.0, f64::max)
    }

    #[test]
    fn states_agree_with_the_emulator() {
        let Some(model) = device(Path::new(PROGRAM), DeviceOptions::default()) else { return };
        let states = states();
        let jobs: Vec<Job> = states.iter().map(|(job, _)| job.clone()).collect();
        let answers = model.execute_noted(&jobs);
        for ((job, tolerance), (answer, widened)) in states.iter().zip(&answers) {
            let about = format!("{} of type {}", job.op, job.surface[0] >> 29);
            let Answer::Done(outcome) = answer else {
                // A device may lack a feature.
                assert!(
                    matches!(answer, Answer::Declined(why) if why.starts_with("feature")),
                    "{about}: {answer:?}"
                );
                continue;
            };
            let off = distance(job, outcome);
            // One rounding of a converted texel.
            assert!(
                off <= tolerance.max(1e-6),
                "{about}: off by {off}, more than {tolerance} (widened: {widened})"
            );
        }
        assert!(answers.iter().filter(|(answer, _)| matches!(answer, Answer::Done(_))).count() > 20);
        assert!(answers.last().is_some_and(|(_, widened)| *widened), "there are no palettes in Vulkan");
    }

    #[test]
    fn grouping_changes_nothing() {
        let Some(model) = device(Path::new(PROGRAM), DeviceOptions::default()) else { return };
        let moved = |by: f32| job("sample", 1, "R8G8B8A8_UNORM", &LINEAR, &[U.map(|u| u + by), V]);
        let jobs: Vec<Job> = (0..40u8).map(|k| moved(f32::from(k) / 64.0)).collect();
        let together = model.execute_all(&jobs);
        let alone: Vec<Answer> =
            jobs.iter().rev().map(|job| model.execute_all(std::slice::from_ref(job)).remove(0)).collect();
        assert!(together.iter().eq(alone.iter().rev()));
    }

    #[test]
    fn the_validation_layer_has_nothing_to_say() {
        let Some(model) = device(Path::new(PROGRAM), DeviceOptions { validate: true }) else { return };
        let mut jobs: Vec<Job> = states().into_iter().map(|(job, _)| job).collect();
        jobs.extend((1..60).map(|seed| seeded(seed).unwrap()));
        let answers = model.execute_all(&jobs);
        assert_eq!(model.messages(), 0, "see standard error");
        assert_eq!(model.finish(), Ok(()));
        assert!(
            !answers.iter().any(|answer| matches!(answer, Answer::Broken(why) if why.contains("validation")))
        );
    }

    /// Offsets that no message has, only jobs: Vulkan does not define what they give.
    #[test]
    fn offsets_beyond_those_of_messages_are_declined() {
        let Some(model) = device(Path::new(PROGRAM), DeviceOptions::default()) else { return };
        for op in ["sample_lz", "gather4"] {
            let with = |offsets| Job { offsets, ..job(op, 1, "R8G8B8A8_UNORM", &LINEAR, &[U, V]) };
            let jobs = [[7, -8, 0], [8, 0, 0], [0, -9, 0], [-100, 0, 0]].map(with);
            let answers = model.execute_all(&jobs);
            assert!(matches!(answers[0], Answer::Done(_)), "{:?}", answers[0]);
            let declined = Answer::Declined("texel offsets outside of -8..7".to_owned());
            assert!(answers[1..].iter().all(|answer| *answer == declined), "{answers:?}");
        }
    }

    /// A program that is texwire with something in its environment.
    #[cfg(unix)]
    fn with_environment(folder: &Path, environment: &[(&str, String)]) -> std::path::PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.join("texwire");
        let set: String = environment.iter().map(|(name, value)| format!("{name}='{value}' ")).collect();
        std::fs::write(&path, format!("#!/bin/sh\n{set}exec '{PROGRAM}' \"$@\"\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[cfg(unix)]
    #[test]
    fn a_crash_names_the_guilty_job_and_the_others_are_answered() {
        let folder = tempfile::tempdir().unwrap();
        let marked = 0.37f32;
        let Some(model) = device(
            &with_environment(folder.path(), &[(ABORT_AT, marked.to_bits().to_string())]),
            DeviceOptions::default(),
        ) else {
            return;
        };
        let at = |first: f32, op: &str| {
            job(op, 1, "R8G8B8A8_UNORM", &LINEAR, &[[first, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], V])
        };
        let mut jobs: Vec<Job> = (0..9u8).map(|k| at(f32::from(k) / 16.0, "sample_lz")).collect();
        jobs.extend((0..5u8).map(|k| at(f32::from(k) / 16.0, "sample")));
        jobs[6] = at(marked, "sample_lz");
        let answers = model.execute_all(&jobs);
        for (index, answer) in answers.iter().enumerate() {
            match answer {
                Answer::Broken(why) if index == 6 => assert_eq!(why, "the driver crashed: signal 6 SIGABRT"),
                Answer::Done(_) if index != 6 => {}
                other => panic!("job {index}: {other:?}"),
            }
        }
        assert!(model.crashes() > 1 && model.failure().is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_driver_that_hangs_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let Some(model) = device(
            &with_environment(folder.path(), &[(HANG_AT, U[0].to_bits().to_string())]),
            DeviceOptions::default(),
        ) else {
            return;
        };
        let model = model.with_timeout(Duration::from_secs(5));
        let good = job("sample_lz", 1, "R8G8B8A8_UNORM", &LINEAR, &[V, V]);
        let bad = job("sample_lz", 1, "R8G8B8A8_UNORM", &LINEAR, &[U, V]);
        let answers = model.execute_all(&[bad]);
        assert_eq!(answers, [Answer::Broken("the driver hangs: no answer in 5.5s".into())]);
        let model = model.with_timeout(Duration::from_secs(60));
        assert!(matches!(model.execute_all(&[good])[..], [Answer::Done(_)]));
    }

    /// Ctrl-C does not wait for the driver either.
    #[cfg(unix)]
    #[test]
    fn an_interrupted_campaign_leaves_a_driver_that_hangs() {
        use nix::sys::signal::{Signal, kill};
        let Some(model) = device(Path::new(PROGRAM), DeviceOptions::default()) else { return };
        let executed = (1..100).find(|seed| {
            let job = seeded(*seed).unwrap();
            !job.params.is_empty() && matches!(model.execute_all(&[job])[..], [Answer::Done(_)])
        });
        let seed = executed.expect("a job that the device executes");
        let first = seeded(seed).unwrap().params[0][0];
        let folder = tempfile::tempdir().unwrap();
        let program = with_environment(folder.path(), &[(HANG_AT, first.to_string())]);
        let mut campaign = std::process::Command::new(program)
            .args([
                "fuzz-diff",
                "--against",
                "vulkan",
                "--group",
                "1",
                "--jobs",
                "64",
                "--seed",
                &seed.to_string(),
            ])
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(3));
        assert_eq!(campaign.try_wait().unwrap(), None, "no job hangs");
        let told = std::time::Instant::now();
        kill(nix::unistd::Pid::from_raw(campaign.id() as i32), Signal::SIGTERM).unwrap();
        // 2: on a busy machine the device was still being opened.
        let status = campaign.wait().unwrap();
        assert!(matches!(status.code(), Some(1 | 2)), "{status}");
        assert!(told.elapsed() < Duration::from_secs(4), "{:?}", told.elapsed());
    }

    /// A device whose driver fails as `more` says.
    #[cfg(unix)]
    fn faulty(folder: &Path, more: (&'static str, String)) -> Option<VulkanModel> {
        let mut environment = match faulty_driver::environment(folder) {
            Ok(environment) => environment,
            Err(why) => {
                println!("skipped: {why}");
                return None;
            }
        };
        environment.push(more);
        device(&with_environment(folder, &environment), DeviceOptions::default())
    }

    /// Jobs of four states, which a driver without features has, too.
    #[cfg(unix)]
    fn four_states() -> Vec<Job> {
        let of = |op: &str, format: &str| job(op, 1, format, &LINEAR, &[U, V]);
        ["R8G8B8A8_UNORM", "R8_UNORM"]
            .into_iter()
            .flat_map(|format| [of("sample_lz", format), of("gather4", format)])
            .collect()
    }

    /// A lost device is told, its process is started anew, and the jobs after it are answered.
    #[cfg(unix)]
    #[test]
    fn a_lost_device_ends_no_campaign() {
        let folder = tempfile::tempdir().unwrap();
        let losses = folder.path().join("losses");
        let lose = |times: usize| {
            let _ = std::fs::remove_file(&losses);
            std::os::unix::fs::symlink("x".repeat(times), &losses).unwrap();
        };
        let Some(model) = faulty(folder.path(), (faulty_driver::LOSSES, losses.display().to_string())) else {
            return;
        };
        let jobs = four_states();
        let expected = model.execute_all(&jobs);
        assert!(expected.iter().all(|answer| matches!(answer, Answer::Done(_))), "{expected:?}");
        // Lost once, the device opens again: both halves of the batch are answered.
        lose(1);
        assert_eq!((model.execute_all(&jobs), model.crashes()), (expected.clone(), 1));
        // Lost with four jobs, two and one: that one is broken, the others are answered.
        lose(3);
        let answers = model.execute_all(&jobs);
        assert!(
            matches!(&answers[0], Answer::Broken(why) if why.starts_with("the device failed: vkQueueSubmit")),
            "{answers:?}"
        );
        assert_eq!(answers[1..], expected[1..]);
        assert_eq!((model.crashes(), model.execute_all(&jobs)), (4, expected));
    }

    /// Jobs that need a feature are declined with its name, the others executed.
    #[cfg(unix)]
    #[test]
    fn what_a_driver_lacks_is_declined() {
        let folder = tempfile::tempdir().unwrap();
        let Some(model) = faulty(folder.path(), (faulty_driver::FEATURES, "0".to_owned())) else { return };
        let rgba = "R8G8B8A8_UNORM";
        let array = &[LINEAR[0], LINEAR[1], ("Surface Array", 1)][..];
        let declined = [
            (job("sample", 1, rgba, &LINEAR, &[U, V]), "feature fragmentStoresAndAtomics"),
            (job("sample_lz", 3, rgba, array, &[U, V, R, LAYER]), "feature imageCubeArray"),
            (
                four_samples("ld2dss", &[whole([0; 8]), whole([1; 8]), whole([2; 8])]),
                "feature shaderStorageImageMultisample",
            ),
        ];
        let mut jobs: Vec<Job> = declined.iter().map(|(job, _)| job.clone()).collect();
        jobs.extend(four_states());
        let answers = model.execute_all(&jobs);
        for ((_, why), answer) in declined.iter().zip(&answers) {
            assert_eq!(*answer, Answer::Declined((*why).to_owned()));
        }
        assert!(answers[3..].iter().all(|answer| matches!(answer, Answer::Done(_))), "{answers:?}");
    }

    /// Messages of the validation layer make a batch broken, and are counted; the layer's advice for best practices provokes some
    /// when the device is opened.
    #[cfg(unix)]
    #[test]
    fn messages_of_the_validation_layer_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let advice = ("VK_LAYER_ENABLES", "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT".to_owned());
        let program = with_environment(folder.path(), &[advice]);
        let Some(model) = device(&program, DeviceOptions { validate: true }) else { return };
        let jobs = four_states();
        let answers = model.execute_all(&jobs);
        if model.messages() == 0 {
            return println!("skipped: the layer has no advice about {}", model.info().name);
        }
        let told =
            |answer: &Answer| matches!(answer, Answer::Broken(why) if why.contains("validation messages"));
        assert!(answers.iter().all(told), "{answers:?}");
        assert!(model.finish().unwrap_err().contains("validation messages"));
        // What has nothing to be told is answered.
        let before = model.messages();
        let again = model.execute_all(&jobs);
        assert!(
            model.messages() > before || again.iter().all(|answer| matches!(answer, Answer::Done(_))),
            "{again:?}"
        );
    }

    #[test]
    fn without_a_driver_there_is_an_error() {
        for engine in ["vulkan", "vulkan:0"] {
            let mut command = command::command();
            command.args(["serve", "--engine", engine]).env("VK_ICD_FILENAMES", "/nonexistent.json");
            command.env("VK_DRIVER_FILES", "/nonexistent.json");
            let said = said(&mut command);
            assert_eq!(said.status, Some(2), "{}", said.err);
            assert!(said.err.contains("error: no Vulkan"), "{}", said.err);
        }
        if device(Path::new(PROGRAM), DeviceOptions::default()).is_some() {
            let said = texwire(&["serve", "--engine", "vulkan:no such device"]);
            assert!(
                said.err.contains("error: no Vulkan device at vulkan:no such device: there are 0 "),
                "{}",
                said.err
            );
        }
    }

    #[test]
    fn engines_are_listed() {
        let listed: serde_json::Value = serde_json::from_str(&texwire(&["engines", "--json"]).out).unwrap();
        let Some(model) = device(Path::new(PROGRAM), DeviceOptions::default()) else {
            assert!(listed["vulkan"]["error"].is_string());
            return;
        };
        assert_eq!(listed["vulkan"]["devices"][0]["name"], model.info().name.as_str());
        assert!(texwire(&["engines"]).out.contains(&model.info().driver_version));
    }

    /// Prints the share of random jobs that are executed, and why the others are not: TEXWIRE_JOBS of them.
    #[test]
    #[ignore = "takes minutes"]
    fn share_of_random_jobs() {
        let Some(model) = device(Path::new(PROGRAM), DeviceOptions::default()) else { return };
        let count = std::env::var("TEXWIRE_JOBS").map_or(2000, |count| count.parse().unwrap());
        let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
        let (mut done, mut declined, mut broken) = (0u64, 0u64, 0u64);
        for start in (1..=count).step_by(256) {
            let seeds = start..(start + 256).min(count + 1);
            let jobs: Vec<Job> = seeds.map(|seed| seeded(seed).unwrap()).collect();
            // Surfaces from 1D to cube arrays.
            let jobs: Vec<Job> = jobs.into_iter().filter(|job| job.surface[0] >> 29 < 4).collect();
            for answer in model.execute_all(&jobs) {
                match answer {
                    Answer::Done(_) => done += 1,
                    Answer::Refused(_) => {}
                    Answer::Broken(_) => broken += 1,
                    Answer::Declined(why) => {
                        declined += 1;
                        *reasons.entry(why).or_default() += 1;
                    }
                }
            }
        }
        let share = done as f64 / (done + declined + broken) as f64;
        println!("{done} executed, {declined} declined, {broken} broken: {:.1} %", 100.0 * share);
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (why, count) in reasons {
            println!("| {why} | {count} |");
        }
        if model.info().driver == "llvmpipe" {
            assert!(share >= 0.6, "{share}");
        }
    }
}
