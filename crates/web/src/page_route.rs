//! The names and addresses of the pages, and the navigation between them.

/// The name and address of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageRoute {
    /// What it is called, and what its files are called.
    pub(crate) name: &'static str,
    /// Its address.
    pub(crate) path: &'static str,
}

/// All pages, in the order of the navigation.
pub(crate) const ALL: [PageRoute; 8] = [
    PageRoute::new(PageRoute::WORLDS, "/"),
    PageRoute::new("play", "/play"),
    PageRoute::new("replays", "/replays"),
    PageRoute::new("arena", "/arena"),
    PageRoute::new("census", "/census"),
    PageRoute::new("search", "/search"),
    PageRoute::new("laser", "/laser"),
    PageRoute::new("classroom", "/classroom"),
];

impl PageRoute {
    /// The workbench, the one page with its own document.
    pub(crate) const WORLDS: &'static str = "worlds";

    const fn new(name: &'static str, path: &'static str) -> Self {
        Self { name, path }
    }

    /// What its document is called where it is a file.
    pub(crate) fn file_name(&self) -> String {
        match self.name {
            Self::WORLDS => "index.html".into(),
            name => format!("{name}.html"),
        }
    }

    /// The navigation as HTML, with this page marked as current.
    pub(crate) fn links(&self) -> String {
        let links: String = ALL
            .iter()
            .map(|page| {
                let current = if page == self {
                    " aria-current=\"page\""
                } else {
                    ""
                };
                format!("<a href=\"{}\"{current}>{}</a>", page.path, page.name)
            })
            .collect();
        format!(
            "<nav class=\"rooms\" aria-label=\"pages\"><button type=\"button\" id=\"rooms-fold\" \
             class=\"plain rooms-fold\" aria-expanded=\"false\" aria-controls=\"rooms-list\" \
             title=\"pages\"><svg class=\"icon\" aria-hidden=\"true\"><use href=\"#i-rooms\"/></svg>\
             <span>{}</span></button><div id=\"rooms-list\" class=\"rooms-list\">{links}<select \
             id=\"language\" class=\"language\" aria-label=\"language\" hidden></select></div></nav>",
            self.name
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_marks_where_one_is() {
        let links = ALL[1].links();
        assert!(links.contains("<a href=\"/play\" aria-current=\"page\">play</a>"));
        assert_eq!(links.matches("aria-current").count(), 1);
        assert_eq!(links.matches("<a ").count(), ALL.len());
    }
}
