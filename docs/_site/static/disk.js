// From disk a page may not read the others, so a search there shows no excerpts of them, and no error.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// A term of a search is marked on the page that it leads to, also in names of icons, which have no place of their own.
SVGElement.prototype.getBBox ??= () => new DOMRect();
