//! What the studio refuses to show.

use crate::support::Folder;

#[test]
fn a_folder_without_a_report_is_refused_with_the_way_out() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("results")).unwrap();
    let refused = |arguments: &[&str], words: &str| {
        let outcome = folder.throng(arguments);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.err.contains(words), "{outcome:?}");
    };
    refused(&["studio", "results"], "results: this folder has no evaluation; name a scene");
    folder.write("results/matrix.json", "{}");
    refused(&["studio", "results"], "throng eval report results");
    folder.write("results/report.html", "<p>");
    refused(&["studio", "results", "--at", "3"], "follow a link of its report");
}
