//! The files of the page.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use axum::body::Bytes;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use throng_eval::report::{escaped, served};

/// The page as it was when the binary was built.
const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What is shown when there is none.
const MISSING: &str = "<!doctype html><meta charset=utf-8><title>Throng</title>\
    <body style=\"font:16px/1.5 sans-serif;max-width:40em;margin:4em auto\">\
    <h1>The studio's page was not built</h1>\
    <p>The server runs, but this <code>throng</code> was compiled without the page. In the folder of the \
    source code, <code>make run</code> builds both.</p>";

/// Scripts and pictures come from here only, and other sites cannot show the page in a frame.
const POLICY: &str = "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data: blob:; \
    style-src 'self' 'unsafe-inline'; worker-src 'self' blob:; frame-ancestors 'none'";

/// A report is not the studio's own: whatever its scripts do, they are strangers to the server.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
    frame-ancestors 'none'; base-uri 'none'; form-action 'none'; \
    sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox";

/// A page of words needs no more than its style.
const WORDS_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/// All files of the page. Nothing else is served, so no path can lead elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Page(BTreeMap<String, Bytes>);

impl Page {
    /// The page that is part of the binary.
    pub fn embedded() -> Self {
        let files = EMBEDDED.iter();
        Self(files.map(|(name, bytes)| ((*name).into(), Bytes::from_static(bytes))).collect())
    }

    /// The page in a folder, as it is now.
    pub fn load(folder: &Path) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        load(folder, "", &mut files)?;
        if !files.contains_key("index.html") {
            let message = format!("there is no index.html in {}", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        Ok(Self(files))
    }

    /// The answer to who asks for a path.
    pub fn get(&self, path: &str) -> Response {
        let name = path.trim_start_matches('/');
        let name = if name.is_empty() { "index.html" } else { name };
        match self.0.get(name) {
            Some(bytes) => file(name, bytes.clone()),
            None if name == "index.html" => file(name, Bytes::from_static(MISSING.as_bytes())),
            None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
        }
    }
}

/// The report of an evaluation, with links to this server.
pub(crate) fn report(text: &str) -> Response {
    html(StatusCode::OK, served(text), REPORT_POLICY)
}

/// A page that says why there is nothing else to see, and what to do about it. Both are texts, not HTML.
pub(crate) fn apology(
    status: StatusCode,
    title: &str,
    help: &str,
    link: Option<[&str; 2]>,
) -> Response {
    let link = link.map(|[address, words]| {
        format!("<p><a href=\"{}\">{}</a></p>", escaped(address), escaped(words))
    });
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Throng studio</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <body style=\"font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:4em auto;padding:0 1em;overflow-wrap:anywhere\">\
         <h1 style=\"font-size:1.4em\">{}</h1><p>{}</p>{}</body></html>\n",
        escaped(&sentence(title)),
        escaped(&sentence(help)),
        link.unwrap_or_default()
    );
    html(status, page, WORDS_POLICY)
}

/// Begins with a capital letter, as what stands by itself does.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn html(status: StatusCode, text: String, policy: &'static str) -> Response {
    let mut response = with_headers(text.into(), "text/html; charset=utf-8", "no-cache", policy);
    *response.status_mut() = status;
    response
}

fn load(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Bytes>) -> io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            load(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, std::fs::read(entry.path())?.into());
        }
    }
    Ok(())
}

fn file(name: &str, bytes: Bytes) -> Response {
    // Names of assets have a digest of what is in them.
    let caching = match name.starts_with("assets/") {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    with_headers(bytes, content_type(name), caching, POLICY)
}

fn with_headers(
    bytes: Bytes,
    kind: &'static str,
    caching: &'static str,
    policy: &'static str,
) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, caching),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    let mut response = bytes.into_response();
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn content_type(name: &str) -> &'static str {
    match Path::new(name).extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("json" | "map") => "application/json",
        Some("wasm") => "application/wasm",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_page_are_served() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("assets")).unwrap();
        std::fs::write(folder.path().join("index.html"), "<p>").unwrap();
        std::fs::write(folder.path().join("assets/a.js"), "1").unwrap();
        let page = Page::load(folder.path()).unwrap();
        assert_eq!(page.get("/").status(), StatusCode::OK);
        let script = page.get("/assets/a.js");
        assert_eq!(script.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
        for path in ["/../Cargo.toml", "/assets/../index.html", "/assets", "//etc/passwd", "/a.js"]
        {
            assert_eq!(page.get(path).status(), StatusCode::NOT_FOUND, "{path}");
        }
        assert!(Page::load(&folder.path().join("assets")).is_err());
    }
}
