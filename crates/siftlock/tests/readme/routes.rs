use siftlock::RwSem;

static ROUTES: RwSem<Vec<&str>> = RwSem::new(Vec::new());

fn main() {
    ROUTES.write().push("/");
    assert_eq!(ROUTES.read().first(), Some(&"/"));
}
