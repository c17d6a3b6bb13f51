# A reader enters beside a writer.
s/^\([[:space:]]*\)if !v.admits_reader() {$/\1if !v.admits_reader() \&\& !v.has(crate::rwsem::word::count::WRITER) {/
