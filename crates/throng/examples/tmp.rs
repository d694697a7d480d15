#[inline(never)]
fn measured(e: &mut throng::Engine) {
    e.step()
}
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let steps: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let warm: usize = std::env::args().nth(3).unwrap().parse().unwrap();
    let b = throng::benchmark::BENCHMARKS.iter().find(|b| b.people() == n).unwrap();
    let mut e = throng::Engine::new(b.scene().unwrap()).unwrap();
    if std::env::args().nth(4).is_none() {
        e.set_threads(1).unwrap();
    }
    for _ in 0..warm {
        e.step();
    }
    let mut t = vec![];
    for _ in 0..steps {
        let s = std::time::Instant::now();
        measured(&mut e);
        t.push(s.elapsed().as_secs_f64() * 1e6 / n as f64);
    }
    t.sort_by(f64::total_cmp);
    println!("median {:.3} best {:.3}", t[t.len() / 2], t[0]);
}
