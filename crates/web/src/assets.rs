//! The page's files, embedded in the binary. A debug build reads them from the source folder while
//! that exists, so a reload shows an edit.

use crate::page_route::{self, PageRoute};
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use render::Theme;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Component, Path};

/// By name, relative to `page/`.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Responds with the embedded file of that name.
pub(crate) fn file(name: &str, request_headers: &HeaderMap) -> Response {
    match contents(name) {
        Some(Cow::Borrowed(bytes)) => {
            cached(Bytes::from_static(bytes), media_type(name), request_headers)
        }
        Some(Cow::Owned(bytes)) => cached(bytes.into(), media_type(name), request_headers),
        None => (StatusCode::NOT_FOUND, "no such file\n").into_response(),
    }
}

/// Responds with a page's HTML document.
pub(crate) fn document(page: &PageRoute, request_headers: &HeaderMap) -> Response {
    match page_document(page) {
        Some(text) => cached(text.into(), "text/html; charset=utf-8", request_headers),
        None => (StatusCode::NOT_FOUND, "no such page\n").into_response(),
    }
}

/// A page's own body within the shared frame (`shell.html`); the workbench has its own document.
fn page_document(page: &PageRoute) -> Option<String> {
    let part = |name: &str| {
        let bytes = contents(name)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = match page.name {
        PageRoute::WORLDS => part("index.html")?,
        name => part("shell.html")?
            .replace("<!--body-->", &part(&format!("{name}.html"))?)
            .replace("<!--room-->", name)
            .replace("<!--title-->", &format!("{name} · gridpaper")),
    };
    Some(
        text.replace("<!--drawings-->", &part("drawings.svg")?)
            .replace("<!--rooms-->", &page.links()),
    )
}

/// A page that says what is wrong with an address, with the ways on.
pub(crate) fn missing_page(error: &str, hint: &str) -> Option<String> {
    let bytes = contents("missing.html")?;
    let ways: Vec<String> = page_route::ALL
        .iter()
        .map(|page| format!("<a href=\"{}\">{}</a>", page.path, page.name))
        .collect();
    let text = String::from_utf8_lossy(&bytes);
    let filled = text
        .replace("<!--ways-->", &ways.join(" · "))
        .replace("<!--hint-->", &escaped(hint))
        .replace("<!--error-->", &escaped(error));
    Some(filled)
}

/// A text as HTML.
fn escaped(text: &str) -> String {
    let signs = [
        ("&", "&amp;"),
        ("<", "&lt;"),
        (">", "&gt;"),
        ("\"", "&quot;"),
    ];
    signs.iter().fold(text.to_string(), |text, (sign, escape)| {
        text.replace(sign, escape)
    })
}

/// Responds with the colours of all themes.
pub(crate) fn theme(request_headers: &HeaderMap) -> Response {
    cached(
        theme_sheet().into(),
        "text/css; charset=utf-8",
        request_headers,
    )
}

/// The files of the page for a host that serves files alone, by name: documents beside each other,
/// what they load in a folder, and all addresses relative.
pub(crate) fn static_files() -> Vec<(String, Vec<u8>)> {
    let is_document = |name: &str| name.ends_with(".html");
    let loaded = FILES.iter().filter(|(name, _)| !is_document(name));
    let loaded = loaded.filter_map(|(name, _)| {
        let bytes = contents(name)?.into_owned();
        Some((format!("page/{name}"), bytes))
    });
    let documents = page_route::ALL.iter().filter_map(|page| {
        let text = relative(&page_document(page)?);
        Some((page.file_name(), text.into_bytes()))
    });
    let colours = ("theme.css".to_string(), theme_sheet().into_bytes());
    documents.chain(loaded).chain([colours]).collect()
}

/// A document whose addresses are relative to where it stands.
fn relative(document: &str) -> String {
    let loaded = document
        .replace("=\"/page/", "=\"page/")
        .replace("=\"/theme.css\"", "=\"theme.css\"")
        .replace("href=\"/?", "href=\"index.html?");
    page_route::ALL.iter().fold(loaded, |text, page| {
        ["\"", "?", "#"].iter().fold(text, |text, end| {
            let (from, to) = (page.path, page.file_name());
            text.replace(&format!("href=\"{from}{end}"), &format!("href=\"{to}{end}"))
        })
    })
}

/// The colours of all themes as custom properties, under the theme's names for them.
fn theme_sheet() -> String {
    let colours = |theme: &Theme| {
        wire::reply::colours(theme)
            .iter()
            .fold(String::new(), |mut text, (name, colour)| {
                let name = name.replace('_', "-");
                let _ = writeln!(text, "  --{name}: {colour};");
                text
            })
    };
    let dark = colours(&Theme::BLUEPRINT);
    let mut sheet = format!(":root {{\n{}}}\n", colours(&Theme::PAPER));
    // Until the page says which: what the system asks for.
    let _ = writeln!(
        sheet,
        "@media (prefers-color-scheme: dark) {{\n:root:not([data-look]) {{\n{dark}  \
         color-scheme: dark;\n}}\n}}"
    );
    for theme in &Theme::ALL[1..] {
        let scheme = match theme.is_dark() {
            true => "dark",
            false => "light",
        };
        let _ = writeln!(
            sheet,
            "[data-theme=\"{}\"][data-look] {{\n{}  color-scheme: {scheme};\n}}",
            theme.name,
            colours(theme)
        );
    }
    sheet
}

/// Responds with bytes that a browser may cache and must revalidate (`ETag`, `no-cache`).
pub(crate) fn cached(
    bytes: Bytes,
    media_type: &'static str,
    request_headers: &HeaderMap,
) -> Response {
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let is_known = request_headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known == tag.as_str());
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        bytes.into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

fn contents(name: &str) -> Option<Cow<'static, [u8]>> {
    if cfg!(debug_assertions)
        && let Some(bytes) = from_source(name)
    {
        return Some(Cow::Owned(bytes));
    }
    let index = FILES.binary_search_by_key(&name, |&(name, _)| name).ok()?;
    Some(Cow::Borrowed(FILES[index].1))
}

/// The file as it lies in the source folder now; only below that folder, and only what the
/// program would have inside too.
fn from_source(name: &str) -> Option<Vec<u8>> {
    let path = Path::new(name);
    let plain = path.components().all(|part| match part {
        Component::Normal(part) => !part.to_string_lossy().starts_with('.'),
        _ => false,
    });
    if !plain || media_type(name) == UNKNOWN {
        return None;
    }
    std::fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("page")
            .join(path),
    )
    .ok()
}

const UNKNOWN: &str = "application/octet-stream";

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        Some("woff2") => "font/woff2",
        _ => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_the_page_is_served() {
        for name in [
            "../Cargo.toml",
            "/etc/passwd",
            "..",
            ".",
            "",
            "tsconfig.json",
            "a/../../b.js",
        ] {
            assert!(contents(name).is_none(), "{name:?}");
        }
    }

    #[test]
    fn the_table_is_sorted_and_every_file_has_a_type() {
        assert!(FILES.is_sorted_by_key(|&(name, _)| name));
        for (name, _) in FILES {
            assert_ne!(media_type(name), UNKNOWN, "{name}");
        }
    }

    /// The pages know the same themes, and which of them are dark.
    #[test]
    fn every_theme_has_its_colours_and_its_place_in_the_pages() {
        let choice = contents("shared/theme-choice.js").expect("a file of the page");
        let choice = String::from_utf8_lossy(&choice).into_owned();
        let document = contents("index.html").expect("the page");
        let document = String::from_utf8_lossy(&document).into_owned();
        let known = Theme::ALL.map(|theme| format!("{}: {}", theme.name, theme.is_dark()));
        assert!(choice.contains(&format!("{{ {} }}", known.join(", "))));
        for theme in Theme::ALL {
            let option = format!("<option value=\"{}\">", theme.name);
            assert!(document.contains(&option), "{option}");
        }
    }

    #[test]
    fn files_of_a_static_host_name_nothing_above_them() {
        let files = static_files();
        for (name, bytes) in &files {
            let text = String::from_utf8_lossy(bytes);
            if name.ends_with(".html") {
                let absolute = ["href=\"/", "src=\"/"].map(|start| {
                    let pictures = ["/picture.", "/plot.csv"];
                    let found = text
                        .match_indices(start)
                        .map(|(at, _)| &text[at + start.len() - 1..]);
                    found
                        .filter(|path| !pictures.iter().any(|known| path.starts_with(known)))
                        .count()
                });
                assert_eq!(absolute, [0, 0], "{name}");
            }
        }
        let has = |wanted: &str| files.iter().any(|(name, _)| name == wanted);
        assert!(
            ["index.html", "laser.html", "theme.css", "page/main.js"]
                .into_iter()
                .all(has)
        );
    }

    #[test]
    fn what_the_browser_has_is_not_sent_again() {
        let first = cached(Bytes::from_static(b"x"), "image/png", &HeaderMap::new());
        assert_eq!(first.status(), StatusCode::OK);
        let mut request_headers = HeaderMap::new();
        request_headers.insert(header::IF_NONE_MATCH, first.headers()[header::ETAG].clone());
        let again = cached(Bytes::from_static(b"x"), "image/png", &request_headers);
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        let changed = cached(Bytes::from_static(b"y"), "image/png", &request_headers);
        assert_eq!(changed.status(), StatusCode::OK);
    }
}
