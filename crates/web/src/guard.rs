//! Admission of requests: the names by which the server may be addressed (`Host`), the pages that
//! may talk to it (`Origin`), the token of a server that other machines reach, and the security
//! headers of every response.
//!
//! A page of another site can make a browser send requests here. It cannot forge `Origin`, and it
//! cannot make the browser address this server by a name that is not the server's: with DNS
//! rebinding, the attacker's own name shows in `Host`.

use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};
use thiserror::Error;
use wire::equal_secrets;

/// Admits or denies requests.
#[derive(Clone, Debug)]
pub(crate) struct RequestGuard {
    address: SocketAddr,
    token: Option<String>,
}

/// Why a request is denied.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum Denial {
    #[error("the request does not say which host it is for")]
    NoHost,
    #[error("this server is not called {0}")]
    Host(String),
    #[error("a page from {0} may not talk to this server")]
    Origin(String),
    #[error("the address lacks this server's token, or has another one")]
    Token,
}

impl Denial {
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::NoHost | Self::Host(_) | Self::Origin(_) => {
                "open the address that the server printed"
            }
            Self::Token => "open the whole address that the server printed, ?token= included",
        }
    }
}

/// An admitted request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Admission {
    /// The token came in the address: the browser shall keep it.
    keep_token: bool,
    /// `Host`, as it was sent.
    host: String,
}

impl RequestGuard {
    /// For a server at that address. An address that other machines reach has a token.
    pub(crate) fn new(address: SocketAddr, token: Option<String>) -> Self {
        Self { address, token }
    }

    /// The secret that addresses need, where other machines reach the server.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    pub(crate) fn admit(&self, uri: &Uri, headers: &HeaderMap) -> Result<Admission, Denial> {
        let host = single(headers, &header::HOST).ok_or(Denial::NoHost)?;
        if !self.is_called(host) {
            return Err(Denial::Host(host.to_string()));
        }
        if headers.contains_key(header::ORIGIN) {
            let origin = single(headers, &header::ORIGIN).unwrap_or("several places");
            let schemes = ["http://", "https://"];
            let place = schemes
                .iter()
                .find_map(|scheme| origin.strip_prefix(scheme));
            if !place.is_some_and(|place| place.eq_ignore_ascii_case(host)) {
                return Err(Denial::Origin(origin.to_string()));
            }
        }
        let in_address = self.token_in(uri);
        if let Some(token) = &self.token {
            let has = |found: Option<&str>| found.is_some_and(|found| equal_secrets(found, token));
            if !has(in_address) && !self.cookies(headers).any(|cookie| has(Some(cookie))) {
                return Err(Denial::Token);
            }
        }
        Ok(Admission {
            keep_token: self.token.is_some() && in_address.is_some(),
            host: host.to_string(),
        })
    }

    /// Adds the security headers that every response has.
    pub(crate) fn add_headers(&self, admission: Option<&Admission>, response: &mut Response) {
        let headers = response.headers_mut();
        for (name, value) in [
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (header::REFERRER_POLICY, "no-referrer"),
            (
                HeaderName::from_static("cross-origin-opener-policy"),
                "same-origin",
            ),
            (
                HeaderName::from_static("cross-origin-resource-policy"),
                "same-origin",
            ),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let mut policy = String::from(
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; \
             manifest-src 'self'; img-src 'self' data: blob:; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'; connect-src 'self'",
        );
        if let Some(admission) = admission {
            // not every browser takes a socket to the same host for 'self'
            let host = &admission.host;
            let _ = write!(policy, " ws://{host} wss://{host}");
        }
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        let keep = admission.is_some_and(|admission| admission.keep_token);
        if let (true, Some(token)) = (keep, &self.token) {
            let name = self.cookie_name();
            let cookie = format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict");
            if let Ok(cookie) = HeaderValue::from_str(&cookie) {
                headers.insert(header::SET_COOKIE, cookie);
            }
        }
    }

    /// Whether `Host` names this machine, or the address that the server listens at. The
    /// port may be another one: a tunnel has its own.
    fn is_called(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        };
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let bare = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'));
        let address: Option<IpAddr> = bare.unwrap_or(name).parse().ok();
        address.is_some_and(|address| {
            // a server that listens everywhere has many addresses; no name is one of them
            address.is_loopback()
                || address == self.address.ip()
                || self.address.ip().is_unspecified()
        })
    }

    fn token_in<'a>(&self, uri: &'a Uri) -> Option<&'a str> {
        let mut pairs = uri.query()?.split('&');
        pairs.find_map(|pair| pair.strip_prefix("token="))
    }

    /// Cookies know no ports: each server on a machine has a name of its own for it.
    fn cookie_name(&self) -> String {
        format!("gridpaper-{}", self.address.port())
    }

    fn cookies<'a>(&self, headers: &'a HeaderMap) -> impl Iterator<Item = &'a str> {
        let name = self.cookie_name();
        let lines = headers.get_all(header::COOKIE).into_iter();
        let pairs = lines
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(';'));
        pairs.filter_map(move |pair| pair.trim().strip_prefix(&name)?.strip_prefix('='))
    }
}

/// The value of a header that occurs exactly once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).into_iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// A token of 128 random bits as 32 hexadecimal digits.
pub(crate) fn new_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().fold(String::new(), |mut token, byte| {
        let _ = write!(token, "{byte:02x}");
        token
    }))
}

/// The status code of a denial.
pub(crate) const DENIED: StatusCode = StatusCode::FORBIDDEN;

#[cfg(test)]
mod tests {
    use super::*;
    use axum::response::IntoResponse as _;

    fn headers_of(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    fn admit(
        guard: &RequestGuard,
        path: &str,
        pairs: &[(&'static str, &str)],
    ) -> Result<Admission, Denial> {
        guard.admit(&path.parse().unwrap(), &headers_of(pairs))
    }

    #[test]
    fn hosts_and_origins_are_told_apart() {
        let guard = RequestGuard::new("127.0.0.1:8731".parse().unwrap(), None);
        let rows: &[(&[(&'static str, &str)], bool)] = &[
            (&[("host", "127.0.0.1:8731")], true),
            (&[("host", "localhost:8731")], true),
            (&[("host", "LOCALHOST")], true),
            (&[("host", "[::1]:8731")], true),
            (&[("host", "localhost:9000")], true),
            (&[], false),
            (&[("host", "localhost"), ("host", "localhost")], false),
            (&[("host", "evil.example:8731")], false),
            (&[("host", "localhost.evil.example")], false),
            (&[("host", "192.168.0.7:8731")], false),
            (&[("host", "")], false),
            (
                &[
                    ("host", "localhost:8731"),
                    ("origin", "http://localhost:8731"),
                ],
                true,
            ),
            (
                &[
                    ("host", "localhost:8731"),
                    ("origin", "http://localhost:80"),
                ],
                false,
            ),
            (
                &[
                    ("host", "localhost:8731"),
                    ("origin", "http://127.0.0.1:8731"),
                ],
                false,
            ),
            (
                &[
                    ("host", "localhost:8731"),
                    ("origin", "http://evil.example"),
                ],
                false,
            ),
            (&[("host", "localhost:8731"), ("origin", "null")], false),
            (
                &[
                    ("host", "localhost:8731"),
                    ("origin", "file://localhost:8731"),
                ],
                false,
            ),
            (
                &[
                    ("host", "localhost"),
                    ("origin", "http://localhost"),
                    ("origin", "http://localhost"),
                ],
                false,
            ),
        ];
        for (pairs, expected) in rows {
            assert_eq!(admit(&guard, "/", pairs).is_ok(), *expected, "{pairs:?}");
        }
    }

    #[test]
    fn a_token_comes_by_address_once_and_by_cookie_then() {
        let token = "0123456789abcdef".to_string();
        let guard = RequestGuard::new("192.168.0.7:8731".parse().unwrap(), Some(token));
        let host = ("host", "192.168.0.7:8731");
        assert_eq!(admit(&guard, "/", &[host]), Err(Denial::Token));
        assert_eq!(
            admit(&guard, "/?token=0123456789abcdee", &[host]),
            Err(Denial::Token)
        );
        assert_eq!(admit(&guard, "/?token=", &[host]), Err(Denial::Token));
        let admission = admit(&guard, "/?name=x&token=0123456789abcdef", &[host]).unwrap();
        let mut response = "".into_response();
        guard.add_headers(Some(&admission), &mut response);
        let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap();
        assert!(
            cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
            "{cookie}"
        );
        let cookie = cookie.split(';').next().unwrap();
        let both = format!("other=1; {cookie}");
        let admission = admit(&guard, "/live", &[host, ("cookie", &both)]).unwrap();
        let mut response = "".into_response();
        guard.add_headers(Some(&admission), &mut response);
        assert!(!response.headers().contains_key(header::SET_COOKIE));
        let elsewhere = cookie.replace("8731", "8732");
        assert_eq!(
            admit(&guard, "/live", &[host, ("cookie", &elsewhere)]),
            Err(Denial::Token)
        );
    }

    #[test]
    fn everywhere_means_every_address_and_no_name() {
        let guard = RequestGuard::new("0.0.0.0:8731".parse().unwrap(), None);
        assert!(admit(&guard, "/", &[("host", "10.1.2.3:8731")]).is_ok());
        assert!(admit(&guard, "/", &[("host", "evil.example:8731")]).is_err());
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let (one, two) = (new_token().unwrap(), new_token().unwrap());
        assert_eq!(one.len(), 32);
        assert_ne!(one, two);
    }
}
