//! `throng completions`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Arguments;
use crate::failure::Failure;
use crate::report;

/// Prints the script that completes arguments in `shell`.
pub fn run(shell: Shell) -> Result<(), Failure> {
    // Not straight to standard output, where a closed pipe would make the generator panic.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "throng", &mut script);
    report::print_bytes(&script)
}
