// SPDX-License-Identifier: MIT
// A crate that is called as gtk-rs's: what calls it is the writer.

use std::ffi::CString;
use std::os::raw::{c_char, c_void};

extern "C" {
    fn gtk_label_set_text(label: *mut c_void, text: *const c_char);
}

/// Changes the text of a label.
#[inline(never)]
pub fn set_text(label: *mut c_void, text: &CString) {
    unsafe { gtk_label_set_text(label, text.as_ptr()) }
}
