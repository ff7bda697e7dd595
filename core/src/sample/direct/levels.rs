//! Messages whose lanes choose their mip levels.

use crate::message::{LodSource, Param};
use crate::sample::bind::texture::{Dim, Texture};
use crate::sample::lanes::{LANES, Lanes};
use crate::sample::levels::lod::PixelFootprints;
use crate::sample::params::{PassInput, PassParams};
use crate::sample::plan::{Plan, Work};
use crate::sample::scratch::{ChosenMips, PassScratch};
use crate::sample::unspecified;

/// The source of LODs, with the numbers of its parameters in the payload.
#[derive(Clone, Copy, Debug)]
enum LodParam {
    /// No parameter (other than `packed`): 0 before biases, which may move it between two mip levels.
    Zero,
    Explicit(u8),
    /// Differences of U and V in subspans, on planes, with or without a bias.
    Subspans([u8; 2], Option<u8>),
    /// Differences of all coordinates in subspans, with or without a bias: for surfaces that are no planes and for anisotropic footprints.
    AxisSubspans(Option<u8>),
    /// Derivatives of U and V along x, then along y, on planes.
    PlaneGradients([[u8; 2]; 2]),
    /// Derivatives of all coordinates along x, then along y: for surfaces that are no planes and for anisotropic footprints.
    Gradients([[Option<u8>; 3]; 2]),
}

/// How lanes choose their mip levels; the same for every payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneLevels {
    lod: LodParam,
    /// The parameter number of a LOD or bias that shares its parameter with texel offsets; it is added to `lod`.
    packed: Option<u8>,
    /// The parameter number of the minimum LOD, if the message has one.
    minimum: Option<u8>,
    /// Axes along which texels are placed.
    axes: u8,
    /// The parameter numbers of the coordinates.
    pub(super) coordinates: [Option<u8>; 3],
    /// The coordinates are a direction.
    is_cube: bool,
    /// Footprints may have several samples.
    pub(super) is_anisotropic: bool,
    /// A bit for the number of each parameter that is no coordinate and no derivative.
    pub(super) others: u16,
}

impl LaneLevels {
    /// Returns `None` if the message chooses no mip level by a LOD, or if a parameter is missing.
    pub(super) fn new(plan: &Plan<'_>, texture: &Texture<'_>) -> Option<Self> {
        let number = |param| plan.params.number(param);
        if !matches!(plan.work, Work::Sample | Work::Gather | Work::Lod) {
            return None;
        }
        let is_anisotropic = plan.derivative.max_ratio > 1.0;
        let plane = texture.dim == Dim::D2 && !is_anisotropic;
        let of_axes = |params: [Param; 3]| {
            let mut numbers = [None; 3];
            for (of, param) in numbers.iter_mut().zip(params).take(plan.axes) {
                *of = Some(number(param)?);
            }
            Some(numbers)
        };
        let packed = number(Param::LodOffUv).or(number(Param::BiasOffUv));
        let lod = match plan.flags.lod {
            LodSource::Explicit if packed.is_some() => LodParam::Zero,
            LodSource::Explicit => LodParam::Explicit(number(Param::Lod)?),
            source @ (LodSource::Quad | LodSource::QuadBias) => {
                let bias = number(Param::Bias);
                if source == LodSource::QuadBias && bias.or(packed).is_none() {
                    return None;
                }
                if plane {
                    LodParam::Subspans([number(Param::U)?, number(Param::V)?], bias)
                } else {
                    LodParam::AxisSubspans(bias)
                }
            }
            LodSource::Gradients if plane => LodParam::PlaneGradients([
                [number(Param::DuDx)?, number(Param::DvDx)?],
                [number(Param::DuDy)?, number(Param::DvDy)?],
            ]),
            LodSource::Gradients => LodParam::Gradients([
                of_axes([Param::DuDx, Param::DvDx, Param::DrDx])?,
                of_axes([Param::DuDy, Param::DvDy, Param::DrDy])?,
            ]),
            LodSource::Zero => LodParam::Zero,
            LodSource::Base | LodSource::Integer | LodSource::None => return None,
        };
        let coordinates = of_axes([Param::U, Param::V, Param::R])?;
        let moved = match &lod {
            LodParam::Gradients([along_x, along_y]) => [coordinates, *along_x, *along_y],
            _ => [coordinates, [None; 3], [None; 3]],
        };
        let of_numbers = |mask, number: &u8| mask | 1 << (number & 15);
        Some(Self {
            lod,
            packed,
            is_anisotropic: is_anisotropic && plan.work == Work::Sample,
            others: !moved.iter().flatten().flatten().fold(0, of_numbers),
            minimum: number(Param::Mlod),
            axes: texture.texel_axes() as u8,
            coordinates,
            is_cube: texture.dim == Dim::Cube,
        })
    }

    /// Fills in the mip levels of the lanes of several passes. Each stage runs for all passes before the next stage does: the stages of
    /// one pass execute while those of another wait. `None`: a parameter is not in the payload.
    #[inline(always)]
    pub(super) fn choose<'p>(
        &self,
        plan: &Plan<'_>,
        input: impl Fn(usize) -> Option<PassInput<'p>>,
        scratch: &mut PassScratch,
        chosen: &mut [ChosenMips],
    ) -> Option<()> {
        for (pass, chosen) in chosen.iter_mut().enumerate() {
            self.find_lods(plan, &input(pass)?.params, scratch, &mut chosen.footprints)?;
            if plan.message.cps {
                for lambda in &mut chosen.footprints.lambda {
                    *lambda += plan.cps_lod;
                }
            }
        }
        for (pass, chosen) in chosen.iter_mut().enumerate() {
            let ChosenMips { footprints: PixelFootprints { lambda, .. }, levels, .. } = chosen;
            match self.minimum {
                Some(number) => {
                    let mut minimum = [0.0; LANES];
                    (plan.stages.floats)(input(pass)?.params.get(number)?, &mut minimum);
                    plan.select_levels(lambda, &minimum, levels);
                }
                None if plan.work == Work::Lod => plan.select_levels(lambda, &[0.0; LANES], levels),
                None => plan.select_usual_levels(lambda, levels),
            }
        }
        if plan.work == Work::Lod {
            return Some(());
        }
        let (kernel, axes) = (plan.stages.level?, self.axes.into());
        for ChosenMips { levels, level: [finer, coarser], .. } in chosen {
            kernel(&plan.table, &levels.finer, axes, finer);
            let [_, reads_coarser] = levels.lanes;
            if reads_coarser != 0 {
                kernel(&plan.table, &levels.coarser, axes, coarser);
            }
        }
        Some(())
    }

    /// Fills in the LODs of the lanes with the message's bias, and the footprints if filters are anisotropic.
    #[inline(always)]
    fn find_lods(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        scratch: &mut PassScratch,
        footprints: &mut PixelFootprints,
    ) -> Option<()> {
        match &self.lod {
            LodParam::Zero => footprints.lambda = [0.0; LANES],
            LodParam::Explicit(number) => {
                (plan.stages.floats)(params.get(*number)?, &mut footprints.lambda);
            }
            LodParam::Subspans([u, v], bias) => {
                let at = [params.get(*u)?, params.get(*v)?];
                let bias = match bias {
                    Some(number) => Some(params.get(*number)?),
                    None => None,
                };
                (plan.stages.payload.as_ref()?.subspans)(&plan.derivative, at, bias, &mut footprints.lambda);
            }
            LodParam::PlaneGradients([[ux, vx], [uy, vy]]) => {
                let along = [[params.get(*ux)?, params.get(*vx)?], [params.get(*uy)?, params.get(*vy)?]];
                (plan.stages.payload.as_ref()?.gradients)(&plan.derivative, along, &mut footprints.lambda);
            }
            LodParam::AxisSubspans(bias) => self.derive_subspans(plan, params, *bias, scratch, footprints)?,
            LodParam::Gradients(numbers) => {
                self.derive_gradients(plan, params, numbers, scratch, footprints)?
            }
        }
        if let Some(number) = self.packed {
            for (lambda, word) in footprints.lambda.iter_mut().zip(params.get(number)?) {
                *lambda += unspecified::packed_lod(u32::from_le_bytes(*word), plan.message.param_width);
            }
        }
        Some(())
    }

    /// Reads the floats of parameters, one array of lanes for each parameter that has a number.
    #[inline(always)]
    pub(super) fn read(
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        numbers: &[Option<u8>; 3],
        axes: &mut [Lanes<f32>; 3],
    ) -> Option<()> {
        for (axis, number) in axes.iter_mut().zip(numbers.iter().flatten()) {
            (plan.stages.floats)(params.get(*number)?, axis);
        }
        Some(())
    }

    /// Computes LODs from the differences of coordinates in subspans, on any surface, and adds the lanes' biases.
    #[inline(never)]
    fn derive_subspans(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        bias: Option<u8>,
        PassScratch { coordinate, derivatives, .. }: &mut PassScratch,
        footprints: &mut PixelFootprints,
    ) -> Option<()> {
        Self::read(plan, params, &self.coordinates, coordinate)?;
        if self.is_cube {
            (plan.stages.payload.as_ref()?.finite)(coordinate);
        }
        let [dx, dy] = &mut *derivatives;
        let mut corner = [[0.0; LANES]; 3];
        let axes = coordinate.iter().zip(dx).zip(dy).zip(&mut corner);
        for (((at, dx), dy), corner) in axes.take(plan.axes) {
            (plan.stages.payload.as_ref()?.differences)(at, dx, dy, corner);
        }
        if self.is_cube {
            (plan.stages.project)(&corner, derivatives);
        }
        (plan.stages.derive)(&plan.derivative, derivatives, footprints);
        if let Some(number) = bias {
            let bias = params.get(number)?;
            for (lambda, bias) in footprints.lambda.iter_mut().zip(bias) {
                *lambda += f32::from_le_bytes(*bias);
            }
        }
        Some(())
    }

    /// Computes LODs from the derivatives in the payload, on any surface.
    #[inline(never)]
    fn derive_gradients(
        &self,
        plan: &Plan<'_>,
        params: &PassParams<'_>,
        numbers: &[[Option<u8>; 3]; 2],
        PassScratch { coordinate, derivatives, .. }: &mut PassScratch,
        footprints: &mut PixelFootprints,
    ) -> Option<()> {
        for (along, numbers) in derivatives.iter_mut().zip(numbers) {
            Self::read(plan, params, numbers, along)?;
        }
        if self.is_cube {
            Self::read(plan, params, &self.coordinates, coordinate)?;
            (plan.stages.project)(coordinate, derivatives);
        }
        (plan.stages.derive)(&plan.derivative, derivatives, footprints);
        Some(())
    }
}
