//! Who is let in: requests must be meant for this server, come from its own page, and know the token if
//! there is one.
//!
//! A server on one's own machine can be reached by every page that is open in one's browser. What such a
//! page cannot do is to claim to be another: browsers say in `Origin` where a WebSocket is opened from,
//! and in `Host` by which name the server was found. A name that somebody has pointed at this machine is
//! none of ours.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, header};

/// Decides who is let in.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    port: u16,
    token: Option<String>,
}

impl Gate {
    pub fn new(address: SocketAddr, token: Option<String>) -> Self {
        Self { port: address.port(), token }
    }

    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Whether a request was meant for this server.
    pub fn is_meant(&self, headers: &HeaderMap) -> bool {
        text(headers, header::HOST).is_some_and(|host| self.is_own(host))
    }

    /// Whether a WebSocket may be opened. Programs other than browsers have no `Origin`.
    pub fn admits(&self, headers: &HeaderMap, token: Option<&str>) -> bool {
        let origin_is_fine = match headers.contains_key(header::ORIGIN) {
            false => true,
            true => text(headers, header::ORIGIN)
                .and_then(|origin| origin.strip_prefix("http://"))
                .is_some_and(|origin| self.is_own(origin)),
        };
        self.is_meant(headers) && origin_is_fine && self.knows(token)
    }

    /// Whether the token is the right one, if there is one.
    pub fn knows(&self, given: Option<&str>) -> bool {
        let Some(token) = &self.token else { return true };
        let given = given.unwrap_or_default().as_bytes();
        // As long for a wrong beginning as for a wrong end.
        let differences = token.bytes().zip(given).fold(0, |sum, (a, b)| sum | (a ^ b));
        given.len() == token.len() && differences == 0
    }

    /// Whether this is an address of the server: a number, not a name, so that no one else can have it.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        let is_known = name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok();
        port == Some(self.port) && is_known
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A token that nobody can guess.
pub(crate) fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    fn gate(token: Option<&str>) -> Gate {
        Gate::new("127.0.0.1:8123".parse().unwrap(), token.map(Into::into))
    }

    #[test]
    fn the_own_page_and_programs_are_let_in() {
        let gate = gate(None);
        for host in ["127.0.0.1:8123", "localhost:8123", "[::1]:8123", "192.168.0.7:8123"] {
            assert!(gate.admits(&headers(host, None), None), "{host}");
            assert!(gate.admits(&headers(host, Some(&format!("http://{host}"))), None), "{host}");
        }
    }

    #[test]
    fn other_sites_and_other_names_are_not() {
        let gate = gate(None);
        for origin in [
            "http://example.com",
            "https://127.0.0.1:8123",
            "http://127.0.0.1:9000",
            "null",
            "file://",
        ] {
            assert!(!gate.admits(&headers("127.0.0.1:8123", Some(origin)), None), "{origin}");
        }
        for host in
            ["example.com:8123", "127.0.0.1", "127.0.0.1:9000", "localhost.example.com:8123", ""]
        {
            assert!(!gate.admits(&headers(host, None), None), "{host}");
        }
        assert!(!gate.admits(&HeaderMap::new(), None));
    }

    #[test]
    fn a_token_must_be_right_in_full() {
        let gate = gate(Some("secret"));
        let headers = headers("127.0.0.1:8123", None);
        assert!(gate.admits(&headers, Some("secret")));
        for token in [None, Some(""), Some("secre"), Some("secrets"), Some("Secret")] {
            assert!(!gate.admits(&headers, token), "{token:?}");
        }
        assert_ne!(new_token().unwrap(), new_token().unwrap());
    }
}
