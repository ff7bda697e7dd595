//! Running a prepared message: the lanes of one pass after another through the stages.

use super::texels::Reader;
use crate::error::{Error, Kind, Result, What};
use crate::memory::Memory;
use crate::message::{LodSource, Message, Op, Param, Payload};
use crate::sample::bind::sampler::{Filter, Sampler};
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::lanes::{ALL, LANES, Lanes, mask};
use crate::sample::levels::lod::Footprints;
use crate::sample::params::{self, Params};
use crate::sample::place::cube;
use crate::sample::plan::pass::Pass;
use crate::sample::plan::permit::permit;
use crate::sample::plan::{Plan, Work};
use crate::sample::rounding::rounding;
use crate::sample::scratch::{COARSER, MAGNIFIED, RESULT, Room, Scratch};
use crate::sample::stages::Stages;
use crate::sample::unspecified;
use crate::sample::writeback::Outcome;

impl<'p> Texture<'p> {
    /// Executes `message` once and writes its result to `out`, laid out as [`Message::response`] says.
    ///
    /// Bytes of lanes and channels that are off are not touched. A lane whose memory is not there
    /// reads 0 and is reported in the [`Outcome`]; the others complete. Messages without a sampler
    /// take any ([`Sampler::none`]). To run a message with many payloads, prepare it: [`Prepared`](crate::sample::Prepared).
    ///
    /// # Errors
    /// Nothing is written then. `Unsupported` operation (TXQ), quilt, kill mask with a chroma key,
    /// `Invalid` execution size, `Invalid` surface type or number of samples for the operation, `Invalid`
    /// format (comparison of integers), `Capacity` writeback.
    pub fn execute<M: Memory + ?Sized>(
        &self,
        message: &Message,
        payload: &Payload<'_>,
        sampler: &Sampler,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        self.execute_in(&mut Room::new(), message, payload, sampler, memory, out)
    }

    /// [`execute`](Self::execute) with the caller's scratch: small targets keep it in static memory, and their stack short.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub fn execute_with_scratch<M: Memory + ?Sized>(
        &self,
        scratch: &mut Scratch,
        message: &Message,
        payload: &Payload<'_>,
        sampler: &Sampler,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        self.execute_in(&mut scratch.rooms.room, message, payload, sampler, memory, out)
    }

    #[cfg_attr(target_pointer_width = "32", inline(never))]
    fn execute_in<M: Memory + ?Sized>(
        &self,
        room: &mut Room,
        message: &Message,
        payload: &Payload<'_>,
        sampler: &Sampler,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        permit(self, sampler, message)?;
        let mut plan = Plan::new(self, sampler, message, Stages::BASELINE);
        plan.choose_stages(self, sampler);
        run(Reader::new(self, &plan, room, None, (plan.bytes(memory), &memory)), message.lanes, payload, out)
    }
}

/// Executes a message: the lanes of one pass after another.
#[inline(never)]
pub(crate) fn run<'a>(
    mut reader: Reader<'a, '_, '_>,
    lanes: u32,
    payload: &Payload<'a>,
    out: &mut [u8],
) -> Result<Outcome> {
    let plan = reader.plan;
    let out = out
        .get_mut(..usize::from(plan.response.len))
        .ok_or(Error::new(Kind::Capacity, What::Writeback).value(plan.response.len.into()))?;
    let params = plan.read(payload);
    let mut rest = lanes & plan.message.all_lanes();
    reader.begin();
    while rest != 0 {
        let on = rest & ALL;
        if on != 0 {
            reader.pass(&params, on);
            let failed = reader.outcome.faults.wrapping_shr(reader.first as u32) & ALL;
            plan.write.write(plan.results(reader.room), reader.first, [on, failed], out);
        }
        rest = rest.checked_shr(LANES as u32).unwrap_or(0);
        reader.first = reader.first.wrapping_add(LANES);
    }
    // A lane with a fault does not count as one that read a null page (U20).
    let outcome = reader.outcome;
    let outcome = Outcome { null_lanes: outcome.null_lanes & !outcome.faults, ..outcome };
    outcome.masks(&plan.response, out);
    Ok(outcome)
}

impl<'a> Reader<'a, '_, '_> {
    /// What is the same for all passes of a message.
    pub(crate) fn begin(&mut self) {
        if let Some(settled) = &self.plan.settled {
            (self.level_lanes, self.magnified) = (settled.lanes, settled.magnified);
            self.room.levels.fraction = settled.fraction;
        }
    }

    /// The lanes from `first` on: their results before the channel select.
    fn pass(&mut self, params: &Params<'_>, on: u32) {
        match self.plan.work {
            Work::Zero => self.room.values[RESULT] = [[0; LANES]; 4],
            Work::Query => self.query(params),
            Work::Load => self.load(params, on),
            Work::Lod | Work::Gather | Work::Sample => self.sample(params, on),
        }
    }

    /// A message with a sampler.
    #[inline]
    fn sample(&mut self, params: &Params<'_>, on: u32) {
        self.coordinates(params);
        self.choose_levels(params);
        let p = self.plan;
        match p.work {
            Work::Lod => self.room.values[RESULT] = self.room.levels.results(),
            Work::Gather => {
                let [pass, _] = &self.plan.passes;
                self.footprint(pass, 0, on);
            }
            _ => self.filtered(on),
        }
    }

    /// Coordinates, slices, offsets and reference values.
    #[cfg_attr(target_pointer_width = "64", inline)]
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub(crate) fn coordinates(&mut self, params: &Params<'_>) {
        let p = self.plan;
        let first = self.first;
        for (axis, param) in self.room.coordinate.iter_mut().zip([Param::U, Param::V, Param::R]).take(p.axes)
        {
            params.floats(param, first, axis);
        }
        if self.texture.array {
            let (index, faces) = match self.texture.dim {
                Dim::D1 => (Param::V, 1),
                Dim::Cube => (Param::Ai, 6),
                Dim::D2 | Dim::D3 | Dim::Buffer | Dim::Null => (Param::R, 1),
            };
            let mut indices = [0.0; LANES];
            params.floats(index, first, &mut indices);
            for (slice, index) in self.room.slice.iter_mut().zip(indices) {
                *slice = params::layer(index, self.texture.layers).wrapping_mul(faces);
            }
        } else if p.sliced {
            self.room.slice = [0; LANES];
        }
        if p.rounding.is_none() {
            self.programmable_offsets(params);
        }
        if p.flags.compare {
            params.floats(Param::Ref, first, &mut self.room.reference);
        }
    }

    /// Offsets in the payload, which replace the immediate ones.
    #[inline(never)]
    fn programmable_offsets(&mut self, params: &Params<'_>) {
        // gather4 is of two axes.
        self.room.rounding = [[rounding(0); LANES]; 3];
        let Some(axes) = unspecified::offset_params(self.plan.message.op) else { return };
        for (axis, (param, part)) in self.room.rounding.iter_mut().zip(&axes) {
            let mut raw = [0; LANES];
            params.signed(*param, self.first, &mut raw);
            *axis = raw.map(|raw| rounding(unspecified::packed_offset(raw as u32, (*part).into())));
        }
    }

    /// LODs and the levels that they select; directions become faces of cubes.
    #[cfg_attr(target_pointer_width = "64", inline(always))]
    pub(crate) fn choose_levels(&mut self, params: &Params<'_>) {
        let p = self.plan;
        let cube = self.texture.dim == Dim::Cube;
        if p.settled.is_none() {
            if cube {
                cube::make_finite(&mut self.room.coordinate);
            }
            self.select_levels(params);
            self.fill_levels();
        }
        if cube {
            let Room { coordinate, face, slice, .. } = &mut *self.room;
            cube::faces(coordinate, face, slice);
        }
    }

    /// The levels that the lanes' LODs select.
    #[inline(never)]
    fn select_levels(&mut self, params: &Params<'_>) {
        let p = self.plan;
        match p.flags.lod {
            LodSource::Quad | LodSource::QuadBias => self.derive_subspans(params),
            LodSource::Gradients => self.derive_gradients(params),
            LodSource::Explicit
            | LodSource::Zero
            | LodSource::Base
            | LodSource::Integer
            | LodSource::None => {}
        }
        let Room { footprints: Footprints { lambda, .. }, levels, .. } = &mut *self.room;
        // Fewer lanes than a subspan share one derivation: what it found stays as it is.
        let biased;
        let lambda = match p.flags.lod {
            LodSource::Quad | LodSource::Gradients => &*lambda,
            LodSource::QuadBias => {
                let mut bias = [0.0; LANES];
                match p.message.op {
                    Op::Gather4PoB => {
                        params.packed_floats(Param::BiasOffUv, self.first, p.message.param_width, &mut bias);
                    }
                    _ => params.floats(Param::Bias, self.first, &mut bias),
                }
                for (bias, lambda) in bias.iter_mut().zip(&*lambda) {
                    *bias += lambda;
                }
                biased = bias;
                &biased
            }
            LodSource::Explicit => {
                match p.message.op {
                    Op::Gather4PoL | Op::Gather4PoLC => {
                        params.packed_floats(Param::LodOffUv, self.first, p.message.param_width, lambda);
                    }
                    _ => params.floats(Param::Lod, self.first, lambda),
                }
                &*lambda
            }
            LodSource::Zero | LodSource::Base | LodSource::Integer | LodSource::None => &[0.0; LANES],
        };
        let coarser;
        let lambda = if p.message.cps {
            coarser = lambda.map(|lambda| lambda + p.cps_lod);
            &coarser
        } else {
            lambda
        };
        let mut minimum;
        let minimum = if params.has(Param::Mlod) {
            minimum = [0.0; LANES];
            params.floats(Param::Mlod, self.first, &mut minimum);
            &minimum
        } else {
            &[0.0; LANES]
        };
        p.select_levels(lambda, minimum, levels);
    }

    /// Derivatives between the lanes of subspans: right and lower neighbour minus the first lane.
    #[inline(never)]
    fn derive_subspans(&mut self, params: &Params<'_>) {
        let p = self.plan;
        let corner = self.first & !3;
        if LANES < 4 && self.derived_from == corner {
            return;
        }
        self.derived_from = corner;
        let cube = self.texture.dim == Dim::Cube;
        let mut direction = [[0.0; LANES]; 3];
        let [dx, dy] = &mut self.room.derivatives;
        let axes = dx.iter_mut().zip(dy).zip(&self.room.coordinate).zip(&mut direction);
        for ((((dx, dy), own), direction), param) in axes.zip([Param::U, Param::V, Param::R]).take(p.axes) {
            if let Some(stages) = p.stages.payload.as_ref().filter(|_| LANES >= 4) {
                (stages.differences)(own, dx, dy, direction);
                continue;
            }
            // Fewer lanes than a subspan: its other lanes are only in the payload.
            let [first, right, below] = [0, 1, 2].map(|lane| {
                let raw = params.float(param, corner.wrapping_add(lane));
                if cube { cube::finite(raw) } else { raw }
            });
            (*dx, *dy, *direction) = ([right - first; LANES], [below - first; LANES], [first; LANES]);
        }
        self.derive(Some(&direction));
    }

    /// The footprints of the derivatives in the scratch, at the lanes' coordinates or (of a cube) in other directions.
    #[inline(never)]
    fn derive(&mut self, directions: Option<&[Lanes<f32>; 3]>) {
        let p = self.plan;
        let Room { coordinate, derivatives, footprints, .. } = &mut *self.room;
        if self.texture.dim == Dim::Cube {
            (p.stages.project)(directions.unwrap_or(coordinate), derivatives);
        }
        (p.stages.derive)(&p.derivative, derivatives, footprints);
    }

    /// Derivatives that the message carries.
    #[inline(never)]
    fn derive_gradients(&mut self, params: &Params<'_>) {
        let p = self.plan;
        let axes = [[Param::DuDx, Param::DuDy], [Param::DvDx, Param::DvDy], [Param::DrDx, Param::DrDy]];
        for (axis, [along_x, along_y]) in axes.into_iter().enumerate().take(p.axes) {
            let [dx, dy] = &mut self.room.derivatives;
            let (Some(dx), Some(dy)) = (dx.get_mut(axis), dy.get_mut(axis)) else { return };
            params.floats(along_x, self.first, dx);
            params.floats(along_y, self.first, dy);
        }
        self.derive(None);
    }

    /// The constants of the selected levels, and which lanes read them.
    fn fill_levels(&mut self) {
        let p = self.plan;
        let Room { levels, level: [finer, coarser], .. } = &mut *self.room;
        let axes = self.texture.placed_axes();
        p.table.fill(self.texture, &levels.finer, axes, p.stages.level, finer);
        self.level_lanes = levels.lanes;
        let [_, reads_coarser] = self.level_lanes;
        if reads_coarser != 0 {
            p.table.fill(self.texture, &levels.coarser, axes, p.stages.level, coarser);
        }
        self.magnified = if p.two_filters { mask(&levels.magnified) } else { ALL };
    }

    /// The filtered texels, with the filter of magnified lanes and that of the others.
    #[inline]
    fn filtered(&mut self, on: u32) {
        let p = self.plan;
        let lanes = [on & self.magnified, on & !self.magnified];
        let both = lanes.iter().all(|on| *on != 0);
        // One loop, so that what is below has one caller and becomes a part of it.
        for (second, (pass, on)) in p.passes.iter().zip(lanes).enumerate() {
            if on == 0 {
                continue;
            }
            if both && second != 0 {
                self.room.values[MAGNIFIED] = self.room.values[RESULT];
            }
            self.between_levels(pass, on);
        }
        if both {
            self.room.join_magnified(self.magnified);
        }
    }

    /// The filter in and between levels.
    #[inline]
    fn between_levels(&mut self, pass: &Pass, on: u32) {
        let mut target = RESULT;
        for (level, lanes) in self.level_lanes.into_iter().enumerate() {
            let on = on & lanes;
            if on == 0 {
                continue;
            }
            self.in_level(pass, level, on, target);
            if target != RESULT {
                let Room { values: [result, coarser, ..], levels, .. } = &mut *self.room;
                self.plan.join_levels(result, coarser, &levels.fraction);
            }
            target = COARSER;
        }
    }

    /// The filter in a level, with all samples of an anisotropic footprint.
    #[inline]
    fn in_level(&mut self, pass: &Pass, level: usize, on: u32, target: usize) {
        if pass.filter == Filter::Anisotropic && self.room.footprints.samples != [1; LANES] {
            return self.samples(pass, level, on, target);
        }
        self.filter(pass, level, on, target);
    }
}
