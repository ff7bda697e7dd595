use texwire_harness::generators::surface::Random;
use texwire_harness::properties::device;

/// Random inputs of every length; `TEXWIRE_RUNS` for more of them.
fn run(property: fn(&[u8])) {
    let runs = std::env::var("TEXWIRE_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(2000);
    let mut random = Random(7);
    for _ in 0..runs {
        let length = random.next() as usize % 2048;
        let data: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        property(&data);
    }
}

#[test]
fn heaps() {
    run(device::heaps);
}

#[test]
fn transfer() {
    run(device::transfer);
}

#[test]
fn capi_hostile() {
    run(device::capi_hostile);
}
