//! Limits of pictures: the sizes that the fields of the surface state can hold, and the bytes that the caller allows.

/// The largest size in each direction, with the field of RENDER_SURFACE_STATE that limits it: 14, 14 and 11 bits.
const FIELDS: [(&str, &str, u32); 3] =
    [("width", "Width", 1 << 14), ("height", "Height", 1 << 14), ("layers or slices", "Depth", 1 << 11)];
/// The most levels: MIP Count has 4 bits, but at most 15 levels are legal.
const MOST_LEVELS: u32 = 15;

/// Limits of a picture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureLimits {
    /// The most bytes of the decoded picture, all levels and slices together.
    pub bytes: u64,
}

impl Default for PictureLimits {
    /// 1 GiB.
    fn default() -> Self {
        Self { bytes: 1 << 30 }
    }
}

impl PictureLimits {
    /// Checks the width and height of level 0 in texels, and the number of slices.
    ///
    /// # Errors
    /// Names the field that does not hold a size, and its limit.
    pub fn size(self, size: [u32; 3]) -> Result<(), String> {
        for (value, (what, field, most)) in size.into_iter().zip(FIELDS) {
            if value == 0 || value > most {
                return Err(format!(
                    "bad {what} {value}: field {field} of the surface state holds 1 to {most}"
                ));
            }
        }
        Ok(())
    }

    /// Checks the number of levels.
    ///
    /// # Errors
    /// Names the field and its limit.
    pub fn levels(self, levels: u32) -> Result<(), String> {
        if levels == 0 || levels > MOST_LEVELS {
            let field = "field MIP Count of the surface state";
            return Err(format!("bad number of levels {levels}: {field} holds 1 to {MOST_LEVELS}"));
        }
        Ok(())
    }

    /// Checks the number of bytes of the decoded picture; `None` if it overflows.
    ///
    /// # Errors
    /// Names the limit and the option that changes it.
    pub fn decoded(self, bytes: Option<u64>) -> Result<(), String> {
        let most = self.bytes;
        match bytes {
            Some(bytes) if bytes <= most => Ok(()),
            Some(bytes) => Err(format!("decoded it takes {bytes} bytes: more than {most} (--picture-limit)")),
            None => {
                Err(format!("decoded it takes more bytes than there are: more than {most} (--picture-limit)"))
            }
        }
    }
}
