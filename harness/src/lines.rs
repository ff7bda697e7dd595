//! Lines of text with a length limit, so that input without line ends does not exhaust memory.

use std::io::{self, BufRead, Read};

/// Longest line of jobs, cases and answers, in bytes.
pub const MAX_LINE: u64 = 64 << 20;

/// Returns the lines of `input`, each with its line end (if it has one) and at most [`MAX_LINE`] bytes long.
///
/// A longer line, one that is not UTF-8 and an error of `input` give an error, which is the last item.
pub fn limited_lines(input: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    lines_up_to(input, MAX_LINE)
}

fn lines_up_to(mut input: impl BufRead, most: u64) -> impl Iterator<Item = io::Result<String>> {
    let mut ended = false;
    std::iter::from_fn(move || {
        if ended {
            return None;
        }
        let mut line = String::new();
        let read = (&mut input).take(most).read_line(&mut line);
        let result = match read {
            Ok(0) => None,
            Ok(len) if len as u64 == most && !line.ends_with('\n') => {
                Some(Err(io::Error::other(format!("a line of more than {most} bytes"))))
            }
            Ok(_) => Some(Ok(line)),
            Err(why) => Some(Err(why)),
        };
        ended = !matches!(result, Some(Ok(_)));
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_end_is_an_error() {
        let lines: Vec<_> = lines_up_to(&b"ab\nabcd\nabcdefgh\nab"[..], 5).collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[1].as_deref().ok(), Some("abcd\n"));
        assert!(lines[2].as_ref().is_err_and(|why| why.to_string().contains("more than 5 bytes")));
        assert_eq!(limited_lines(&b"x"[..]).count(), 1);
        assert!(limited_lines(&b"\xff\n"[..]).all(|line| line.is_err()));
    }
}
