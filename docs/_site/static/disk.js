// From disk a page may not read the others, so a search there shows no excerpts of them, and no error.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
