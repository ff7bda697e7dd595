//! Every table, in the PRM's order.
//!
//! Generated of `core/tables/prm-enums.json`: edit that, run `cargo run --example generate_enums`.

use super::{Enumeration, Table};

/// Every table, in the PRM's order: for lookups by name, and for nothing else linked.
#[rustfmt::skip]
pub const TABLES: [&Table; 40] = [
    super::BlendFactor::TABLE,
    super::BlendFunction::TABLE,
    super::CompareFunction::TABLE,
    super::LogicOp::TABLE,
    super::PrimitiveTopology::TABLE,
    super::StencilOperation::TABLE,
    super::VertexComponentControl::TABLE,
    super::AddrMode::TABLE,
    super::AttributeComponentFormat::TABLE,
    super::ComponentEnables::TABLE,
    super::CondModifier::TABLE,
    super::DepCtrl::TABLE,
    super::DpasOperandPrecision::TABLE,
    super::DstType::TABLE,
    super::EuOpcode::TABLE,
    super::ExecSize::TABLE,
    super::FixedFunctionId::TABLE,
    super::HorzStride::TABLE,
    super::MathFc::TABLE,
    super::PerformanceCounterReportFormat::TABLE,
    super::PredCtrl::TABLE,
    super::QtrCtrl::TABLE,
    super::RegFile::TABLE,
    super::Sfid::TABLE,
    super::ShaderChannelSelect::TABLE,
    super::SimdMode::TABLE,
    super::SliceHashControl::TABLE,
    super::SrcImmType::TABLE,
    super::SrcIndex::TABLE,
    super::SrcMod::TABLE,
    super::SrcType::TABLE,
    super::SurfaceFormat::TABLE,
    super::TernaryAlign1DataType::TABLE,
    super::TernaryAlign1HorzStride::TABLE,
    super::TernaryAlign1VertStride::TABLE,
    super::TextureCoordinateMode::TABLE,
    super::ThreadCtrl::TABLE,
    super::VertStride::TABLE,
    super::Width::TABLE,
    super::WrapShortestEnable::TABLE,
];
