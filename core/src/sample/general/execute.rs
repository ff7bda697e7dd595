//! Executing a message on the general path: one pass of lanes after another goes through the stages.

use super::texels::GeneralPath;
use crate::error::{Error, Kind, Result, What};
use crate::memory::Memory;
use crate::message::{LodSource, Message, Param, Payload};
use crate::sample::bind::sampler::{Filter, Sampler};
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::lanes::{ALL, LANES, Lanes, mask};
use crate::sample::params::{self, NamedParams};
use crate::sample::place::cube;
use crate::sample::plan::filter_stages::FilterStages;
use crate::sample::plan::permit::permit;
use crate::sample::plan::{Plan, Work};
use crate::sample::rounding::rounding;
use crate::sample::scratch::{COARSER, MAGNIFIED, PassScratch, RESULT, Scratch};
use crate::sample::stages::Stages;
use crate::sample::unspecified;
use crate::sample::writeback::Outcome;

impl<'p> Texture<'p> {
    /// Executes `message` once and writes its result to `out`, laid out as [`Message::response`] says.
    ///
    /// Bytes of inactive lanes and of channels that are not returned stay as they are. A lane that reads unmapped memory returns 0
    /// and is reported in the [`Outcome`]; all other lanes complete. For operations that use no sampler, pass any sampler
    /// ([`Sampler::none`]). To run a message with many payloads, prepare it: [`Prepared`](crate::sample::Prepared).
    ///
    /// # Errors
    /// Nothing is written then. `Unsupported` operation (TXQ), quilt, kill mask with a chroma key,
    /// `Invalid` execution size, `Invalid` surface type or number of samples for the operation, `Invalid`
    /// format (comparison of integers), `Capacity` writeback. Of a field of a state the error's offset and bit are those in
    /// SAMPLER_STATE for the chroma key, in RENDER_SURFACE_STATE for all others.
    pub fn execute<M: Memory + ?Sized>(
        &self,
        message: &Message,
        payload: &Payload<'_>,
        sampler: &Sampler,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        self.execute_in(&mut PassScratch::new(), message, payload, sampler, memory, out)
    }

    /// [`execute`](Self::execute) with scratch memory from the caller: small targets keep it in static memory to save stack.
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
        self.execute_in(&mut scratch.scratches.scratch, message, payload, sampler, memory, out)
    }

    #[cfg_attr(target_pointer_width = "32", inline(never))]
    fn execute_in<M: Memory + ?Sized>(
        &self,
        scratch: &mut PassScratch,
        message: &Message,
        payload: &Payload<'_>,
        sampler: &Sampler,
        memory: &M,
        out: &mut [u8],
    ) -> Result<Outcome> {
        permit(self, sampler, message)?;
        let mut plan = Plan::new(self, sampler, message, Stages::BASELINE);
        plan.choose_stages(self, sampler);
        run(
            GeneralPath::new(self, &plan, scratch, None, (plan.bytes(memory), &memory)),
            message.lanes,
            payload,
            out,
        )
    }
}

/// Executes a message with the lanes in `lanes`, one pass after another, and writes its results and masks to `out`.
#[inline(never)]
pub(crate) fn run<'a>(
    mut general: GeneralPath<'a, '_, '_>,
    lanes: u32,
    payload: &Payload<'a>,
    out: &mut [u8],
) -> Result<Outcome> {
    let plan = general.plan;
    let out = out
        .get_mut(..usize::from(plan.response.len))
        .ok_or(Error::new(Kind::Capacity, What::Writeback).value(plan.response.len.into()))?;
    let params = plan.read(payload);
    let mut rest = lanes & plan.message.all_lanes();
    while rest != 0 {
        let on = rest & ALL;
        if on != 0 {
            general.pass(&params, on);
            let failed = general.outcome.faults.wrapping_shr(general.first as u32) & ALL;
            plan.write.write(plan.results(general.scratch), general.first, [on, failed], out);
        }
        rest = rest.checked_shr(LANES as u32).unwrap_or(0);
        general.first = general.first.wrapping_add(LANES);
    }
    // A lane with a fault does not count as one that read a null page (U20).
    let outcome = general.outcome;
    let outcome = Outcome { null_lanes: outcome.null_lanes & !outcome.faults, ..outcome };
    outcome.masks(&plan.response, out);
    Ok(outcome)
}

impl<'a> GeneralPath<'a, '_, '_> {
    /// Executes one pass up to the results before the channel select: the lanes from `first` on, of which those in `on` are active.
    fn pass(&mut self, params: &NamedParams<'_>, on: u32) {
        match self.plan.work {
            Work::Zero => self.scratch.values[RESULT] = [[0; LANES]; 4],
            Work::Query => self.query(params),
            Work::Load => self.load(params, on),
            Work::Lod | Work::Gather | Work::Sample => self.sample(params, on),
        }
    }

    /// Executes a pass of a message that uses a sampler.
    #[inline]
    fn sample(&mut self, params: &NamedParams<'_>, on: u32) {
        self.coordinates(params);
        self.choose_levels(params);
        let p = self.plan;
        match p.work {
            Work::Lod => self.scratch.values[RESULT] = self.scratch.levels.results(),
            Work::Gather => {
                let [filter, _] = &self.plan.filters;
                self.footprint(filter, 0, on);
            }
            _ => self.filtered(on),
        }
    }

    /// Reads coordinates, slices, texel offsets and reference values from the payload.
    #[cfg_attr(target_pointer_width = "64", inline)]
    #[cfg_attr(target_pointer_width = "32", inline(never))]
    pub(crate) fn coordinates(&mut self, params: &NamedParams<'_>) {
        let p = self.plan;
        let first = self.first;
        for (axis, param) in
            self.scratch.coordinate.iter_mut().zip([Param::U, Param::V, Param::R]).take(p.axes)
        {
            *axis = params.floats(param, first);
        }
        if self.texture.array {
            let (index, faces) = match self.texture.dim {
                Dim::D1 => (Param::V, 1),
                Dim::Cube => (Param::Ai, 6),
                Dim::D2 | Dim::D3 | Dim::Buffer | Dim::Null => (Param::R, 1),
            };
            for (slice, index) in self.scratch.slice.iter_mut().zip(params.floats(index, first)) {
                *slice = params::layer(index, self.texture.layers).wrapping_mul(faces);
            }
        } else if p.sliced {
            self.scratch.slice = [0; LANES];
        }
        if p.rounding.is_none() {
            self.programmable_offsets(params);
        }
        if p.flags.compare {
            self.scratch.reference = params.floats(Param::Ref, first);
        }
    }

    /// Reads the texel offsets in the payload, which replace the immediate ones (U02).
    #[inline(never)]
    fn programmable_offsets(&mut self, params: &NamedParams<'_>) {
        // gather4 has offsets along U and V alone.
        self.scratch.rounding = [[rounding(0); LANES]; 3];
        let Some(axes) = unspecified::offset_params(self.plan.message.op) else { return };
        for (axis, (param, part)) in self.scratch.rounding.iter_mut().zip(&axes) {
            let raw = params.all(*param, self.first);
            *axis = raw.map(|raw| rounding(unspecified::packed_offset(raw, (*part).into())));
        }
    }

    /// Computes LODs and selects mip levels, unless these are the same for every payload. Replaces the directions of a cube by faces and
    /// coordinates on them.
    #[cfg_attr(target_pointer_width = "64", inline(always))]
    pub(crate) fn choose_levels(&mut self, params: &NamedParams<'_>) {
        let p = self.plan;
        let cube = self.texture.dim == Dim::Cube;
        if p.uniform_levels.is_none() {
            if cube {
                cube::make_finite(&mut self.scratch.coordinate);
            }
            self.select_levels(params);
            self.fill_levels();
        }
        if cube {
            let PassScratch { coordinate, face, slice, .. } = &mut *self.scratch;
            cube::faces(coordinate, face, slice);
        }
    }

    /// Computes the lanes' LODs, by the source that the operation has, and selects mip levels by them.
    #[inline(never)]
    fn select_levels(&mut self, params: &NamedParams<'_>) {
        let p = self.plan;
        // A copy: passes of fewer lanes than a subspan share the LOD that was derived for the subspan.
        let mut lambda = match p.flags.lod {
            LodSource::Quad => {
                self.derive_subspans(params);
                self.scratch.footprints.lambda
            }
            LodSource::QuadBias => {
                self.derive_subspans(params);
                let mut biased = self.lods_of(params, [Param::Bias, Param::BiasOffUv]);
                for (biased, lambda) in biased.iter_mut().zip(&self.scratch.footprints.lambda) {
                    *biased += lambda;
                }
                biased
            }
            LodSource::Gradients => {
                self.derive_gradients(params);
                self.scratch.footprints.lambda
            }
            LodSource::Explicit => self.lods_of(params, [Param::Lod, Param::LodOffUv]),
            LodSource::Zero | LodSource::Base | LodSource::Integer | LodSource::None => [0.0; LANES],
        };
        if p.message.cps {
            lambda = lambda.map(|lambda| lambda + p.cps_lod);
        }
        // Without the parameter, the minimum is 0.
        p.select_levels(&lambda, &params.floats(Param::Mlod, self.first), &mut self.scratch.levels);
    }

    /// Returns LODs or biases, from the parameter `alone` or from the one that they share with texel offsets.
    fn lods_of(&self, params: &NamedParams<'_>, [alone, packed]: [Param; 2]) -> Lanes<f32> {
        if self.plan.params.number(packed).is_some() {
            return params.packed_floats(packed, self.first, self.plan.message.param_width);
        }
        params.floats(alone, self.first)
    }

    /// Computes the derivatives of subspans, the right and the lower neighbour minus the first lane, and LODs and footprints from them.
    #[inline(never)]
    fn derive_subspans(&mut self, params: &NamedParams<'_>) {
        let p = self.plan;
        let corner = self.first & !3;
        if LANES < 4 && self.derived_subspan == corner {
            return;
        }
        self.derived_subspan = corner;
        let cube = self.texture.dim == Dim::Cube;
        let mut direction = [[0.0; LANES]; 3];
        let [dx, dy] = &mut self.scratch.derivatives;
        let axes = dx.iter_mut().zip(dy).zip(&self.scratch.coordinate).zip(&mut direction);
        for ((((dx, dy), own), direction), param) in axes.zip([Param::U, Param::V, Param::R]).take(p.axes) {
            if let Some(stages) = p.stages.payload.as_ref().filter(|_| LANES >= 4) {
                (stages.differences)(own, dx, dy, direction);
                continue;
            }
            // A pass has fewer lanes than a subspan: the subspan's lanes are read from the payload.
            let [first, right, below] = [0, 1, 2].map(|lane| {
                let raw = params.float(param, corner.wrapping_add(lane));
                if cube { cube::finite(raw) } else { raw }
            });
            (*dx, *dy, *direction) = ([right - first; LANES], [below - first; LANES], [first; LANES]);
        }
        self.derive(Some(&direction));
    }

    /// Computes LODs and anisotropic footprints from the derivatives in the scratch. Those of a cube are first projected to the faces that
    /// `directions` point to, or the lanes' coordinates.
    #[inline(never)]
    fn derive(&mut self, directions: Option<&[Lanes<f32>; 3]>) {
        let p = self.plan;
        let PassScratch { coordinate, derivatives, footprints, .. } = &mut *self.scratch;
        if self.texture.dim == Dim::Cube {
            (p.stages.project)(directions.unwrap_or(coordinate), derivatives);
        }
        (p.stages.derive)(&p.derivative, derivatives, footprints);
    }

    /// Reads the derivatives that the message carries, and computes LODs and footprints from them.
    #[inline(never)]
    fn derive_gradients(&mut self, params: &NamedParams<'_>) {
        let axes = [[Param::DuDx, Param::DuDy], [Param::DvDx, Param::DvDy], [Param::DrDx, Param::DrDy]];
        let [dx, dy] = &mut self.scratch.derivatives;
        for ((dx, dy), [along_x, along_y]) in dx.iter_mut().zip(dy).zip(axes).take(self.plan.axes) {
            (*dx, *dy) = (params.floats(along_x, self.first), params.floats(along_y, self.first));
        }
        self.derive(None);
    }

    /// Fills in the constants of the selected mip levels, which lanes read the finer and the coarser one, and which are magnified.
    fn fill_levels(&mut self) {
        let p = self.plan;
        let PassScratch { levels, level: [finer, coarser], .. } = &mut *self.scratch;
        let axes = self.texture.texel_axes();
        p.fill_level(self.texture, &levels.finer, axes, finer);
        self.level_lanes = levels.lanes;
        let [_, reads_coarser] = self.level_lanes;
        if reads_coarser != 0 {
            p.fill_level(self.texture, &levels.coarser, axes, coarser);
        }
        self.magnified = if p.two_filters { mask(&levels.magnified) } else { ALL };
    }

    /// Filters the texels of the lanes in `on`: magnified lanes with the magnification filter, the rest with the minification filter.
    #[inline]
    fn filtered(&mut self, on: u32) {
        let p = self.plan;
        let lanes = [on & self.magnified, on & !self.magnified];
        let both = lanes.iter().all(|on| *on != 0);
        // A loop, so that `between_levels` has one call site and is inlined there.
        for (second, (filter, on)) in p.filters.iter().zip(lanes).enumerate() {
            if on == 0 {
                continue;
            }
            if both && second != 0 {
                self.scratch.values[MAGNIFIED] = self.scratch.values[RESULT];
            }
            self.between_levels(filter, on);
        }
        if both {
            self.scratch.join_magnified(self.magnified);
        }
    }

    /// Filters within the mip levels that lanes read (with all samples of anisotropic footprints), and then between the two.
    #[inline]
    fn between_levels(&mut self, filter: &FilterStages, on: u32) {
        let mut target = RESULT;
        for (level, lanes) in self.level_lanes.into_iter().enumerate() {
            let on = on & lanes;
            if on == 0 {
                continue;
            }
            if filter.kind == Filter::Anisotropic && self.scratch.footprints.samples != [1; LANES] {
                self.samples(filter, level, on, target);
            } else {
                self.filter(filter, level, on, target);
            }
            if target != RESULT {
                let PassScratch { values: [result, coarser, ..], levels, .. } = &mut *self.scratch;
                self.plan.join_levels(result, coarser, &levels.fraction);
            }
            target = COARSER;
        }
    }
}
