# A reader enters beside a writer.
s/^\([[:space:]]*\)if !v.admits_polite_reader() {$/\1if !v.admits_polite_reader() \&\& !v.has(crate::rwsem::word::count::WRITER) {/
