//! The multisample control surface (MCS), with addresses worked out by hand.

use super::*;

/// Offset of the control surface in the bytes of [`ramp`].
const CONTROL: usize = 0xc000;

/// Returns a multisampled array with a control surface, and its memory. Sample slice n holds 100 n plus x; the control surface is one
/// tile wide, and its slices are 8 rows high.
fn compressed(samples: u32) -> (SurfaceState, Vec<u8>) {
    let mut bytes = ramp(|x, _, z| (x + 100 * z) as f32);
    bytes.truncate(CONTROL);
    bytes.resize(CONTROL + 0x1000, 0);
    let mut state = surface(SurfaceType::D2, R32, [4, 4, 2]);
    state.set_array(true).set_samples(samples).unwrap().set_aux_mode(AuxMode::CcsD);
    state.set_aux_base_address(BASE + CONTROL as u64).set_aux_pitch(1).unwrap().set_aux_qpitch(8).unwrap();
    (state, bytes)
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[CONTROL + at..][..value.len()].copy_from_slice(value);
}

#[test]
fn elements_have_the_width_of_the_sample_count() {
    let none = Sampler::none();
    let mcs = |state: &SurfaceState, bytes: &[u8], at: [u32; 3]| run(state, &none, bytes, Op::LdMcs, &at);
    // 8-bit elements: texel (1, 2) of layer 1 is in row 2 + 8; rows are 16 bytes apart.
    for samples in [2, 4] {
        let (state, mut bytes) = compressed(samples);
        put(&mut bytes, 10 * 16 + 1, &[0xe4, 0x11]);
        assert_eq!(mcs(&state, &bytes, [1, 2, 1]), [0xe4, 0, 0, 0]);
        assert_eq!(mcs(&state, &bytes, [1, 2, 2]), [0; 4]);
    }
    // 32-bit elements: texel (3, 0) is at byte 12.
    let (state, mut bytes) = compressed(8);
    put(&mut bytes, 12, &[0x10, 0x32, 0x54, 0x76]);
    assert_eq!(mcs(&state, &bytes, [3, 0, 0]), [0x7654_3210, 0, 0, 0]);
    // 64-bit elements: texel (3, 1) is at byte 24 of its row, in the second column of 16 bytes.
    let (state, mut bytes) = compressed(16);
    put(&mut bytes, 512 + 16 + 8, &[8, 7, 6, 5, 4, 3, 2, 1]);
    assert_eq!(mcs(&state, &bytes, [3, 1, 0]), [0x0506_0708, 0x0102_0304, 0, 0]);
    let mut message = Message::new(Op::LdMcs);
    message.params = 3;
    message.return_width = Width::Half;
    let halves = run_message(&state, &none, &bytes, &message, &[3, 1, 0]).map(|word| word & 0xffff);
    assert_eq!(halves, [0x0708, 0x0506, 0x0304, 0x0102]);
}

#[test]
fn fields_name_planes_and_ones_the_clear_colour() {
    let none = Sampler::none();
    let load = |state: &SurfaceState, bytes: &[u8], sample, mcs: u32| {
        run(state, &none, bytes, Op::Ld2dms, &[sample, mcs, 1, 0, 0]).map(f32::from_bits)
    };
    let (mut state, mut bytes) = compressed(4);
    // 0xe4: samples 3, 2, 1, 0 are in planes 3, 2, 1, 0; 0: all samples are in plane 0.
    assert_eq!(load(&state, &bytes, 2, 0xe4), [201.0, 0.0, 0.0, 1.0]);
    assert_eq!(load(&state, &bytes, 2, 0), [1.0, 0.0, 0.0, 1.0]);
    state.set_clear_red(7.5_f32.to_bits());
    assert_eq!(load(&state, &bytes, 2, 0xff), [7.5, 0.0, 0.0, 1.0]);
    assert_eq!(load(&state, &bytes, 4, 0xff), [0.0, 0.0, 0.0, 1.0]);
    // The clear colour is read from memory, at the Clear Value Address.
    put(&mut bytes, 0x40, &9.25_f32.to_le_bytes());
    state.set_clear_address_enable(true).set_clear_address(BASE + CONTROL as u64 + 0x40);
    assert_eq!(load(&state, &bytes, 0, 0xff), [9.25, 0.0, 0.0, 1.0]);
    // Eight samples have fields of four bits: a field of 8 names no plane.
    let (state, bytes) = compressed(8);
    assert_eq!(load(&state, &bytes, 7, 0x7654_3210), [701.0, 0.0, 0.0, 1.0]);
    assert_eq!(load(&state, &bytes, 7, 0x8654_3210), [0.0, 0.0, 0.0, 1.0]);
}

/// Without a control surface the nibbles of a message's MCS value name planes (U24); with 16-bit parameters the value is four words.
#[test]
fn values_have_a_nibble_for_each_sample() {
    let bytes = ramp(|x, _, z| (x + 100 * z) as f32);
    let mut state = surface(SurfaceType::D2, R32, [4, 4, 1]);
    state.set_samples(16).unwrap();
    let load = |width, sample, mcs: &[u32]| {
        let params = [&[sample], mcs, &[1, 0]].concat();
        let message = Message { params: params.len() as u8, param_width: width, ..Message::new(Op::Ld2dmsW) };
        f32::from_bits(run_message(&state, &Sampler::none(), &bytes, &message, &params)[0])
    };
    // Sample n of 16 in plane 15 - n.
    let (dwords, words) = ([0x89ab_cdef, 0x0123_4567], [0xcdef, 0x89ab, 0x4567, 0x0123]);
    for sample in 0..16 {
        let expected = (1 + 100 * (15 - sample)) as f32;
        assert_eq!(load(Width::Full, sample, &dwords), expected, "{sample}");
        assert_eq!(load(Width::Half, sample, &words), expected, "{sample}");
    }
}

/// Interleaved samples share the columns and rows of one slice: four samples take two columns by two rows for each texel.
#[test]
fn interleaved_samples_are_beside_each_other() {
    // `ramp` counts rows in slices of eight: y + 8 z is the row of the surface.
    let bytes = ramp(|x, y, z| (x + 100 * (y + 8 * z)) as f32);
    let mut state = surface(SurfaceType::D2, R32, [6, 6, 1]);
    state.set_samples(4).unwrap().set_interleaved_samples(true);
    for (x, y) in [(0, 0), (1, 2), (3, 1), (4, 5), (5, 3)] {
        for sample in 0..4 {
            // Bit 0 of the coordinate stays, the bit of the sample comes next, then the other bits of the coordinate.
            let place = |at: u32, bit: u32| at & 1 | (sample >> bit & 1) << 1 | (at >> 1) << 2;
            let found = run(&state, &Sampler::none(), &bytes, Op::Ld2dss, &[sample, x, y]);
            let expected = place(x, 0) + 100 * place(y, 1);
            assert_eq!(f32::from_bits(found[0]), expected as f32, "{x} {y} {sample}");
        }
    }
}

/// Surfaces with several samples are for messages that name a sample, read MCS values or ask how many samples there are; other messages
/// are refused.
#[test]
fn multisampled_surfaces_take_sample_messages_only() {
    let mut state = surface(SurfaceType::D2, R32, [4, 4, 1]);
    let prepare = |state: &SurfaceState, op| {
        let texture = Texture::bind(state, Platform::Gen11).unwrap();
        let prepared = Prepared::new(&texture, &bind(&linear()), &Message { params: 2, ..Message::new(op) });
        prepared.err().map(|error| (error.what(), error.found()))
    };
    assert_eq!([Op::SampleLz, Op::Ld].map(|op| prepare(&state, op)), [None; 2]);
    state.set_samples(4).unwrap();
    assert_eq!([Op::SampleLz, Op::Ld].map(|op| prepare(&state, op)), [Some((What::Samples, 2)); 2]);
    assert_eq!([Op::Ld2dms, Op::Ld2dss, Op::LdMcs, Op::Sampleinfo].map(|op| prepare(&state, op)), [None; 4]);
    // Multisampled surfaces have a single mip level.
    for (levels, base) in [(2, 0), (1, 1), (2, 1)] {
        state.set_mip_count(levels).unwrap().set_surface_min_lod(base).unwrap();
        assert_eq!(Texture::bind(&state, Platform::Gen11).unwrap_err().what(), What::MipCount);
    }
}

#[test]
fn only_sample_planes_have_a_control_surface() {
    let refused = |state: &SurfaceState| Texture::bind(state, Platform::Gen11).unwrap_err().what();
    let (state, _) = compressed(4);
    let mut other = state;
    other.set_aux_mode(AuxMode::CcsE);
    assert_eq!(refused(&other), What::AuxMode);
    other = state;
    other.set_interleaved_samples(true);
    assert_eq!(refused(&other), What::AuxMode);
    other = state;
    other.set_samples(1).unwrap();
    assert_eq!(refused(&other), What::AuxMode);
}
