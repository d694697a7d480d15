//! What the studio refuses to show.

use crate::support::Folder;

#[test]
fn what_is_neither_scene_nor_recording_is_refused() {
    let folder = Folder::new();
    folder.write("plan.png", "\u{89}PNG");
    for (show, problem) in [
        ("nothere.parquet", "nothere.parquet: there is no such file or folder; name a scene"),
        ("nothere", "nothere: there is no such file or folder; name a scene"),
        ("nothere.png", "nothere.png: there is no such file or folder"),
        ("plan.png", "plan.png: this is neither a scene nor a recording; name a scene (.toml)"),
        ("nothere/new.toml", "there is no folder to begin this scene in"),
    ] {
        let outcome = folder.throng(&["studio", show]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.err.contains(problem), "{outcome:?}");
    }
}

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
