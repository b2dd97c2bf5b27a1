"""The manual: ``make docs`` builds it without a network, warnings being errors.

``DRUMLIN_GALLERY`` says which examples are run: ``all`` (the default), ``fast`` (all but those
named ``plot_long_*``) or ``none``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from drumlin import __version__

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

project = "drumlin"
author = "drumlin developers"
copyright = f"2026, {author}"
version = release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_parser",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "docstrings",
    "mathml",
    "reference_pages",
    "repository_links",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_ext", "_templates", "**/GALLERY_HEADER.rst", "reproduction/*"]
suppress_warnings = ["config.cache"]  # the sort keys of the gallery are functions

# ------------------------------------------------------------------------------------- reference
autosummary_generate = True
autosummary_imported_members = True
autodoc_typehints = "none"  # numpydoc says the types, with shapes
numpydoc_show_class_members = False
numpydoc_use_plots = False

# -------------------------------------------------------------------------------------- markdown
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "amsmath"]
myst_heading_anchors = 3
html_math_renderer = "mathml"  # the browser's own: no script, no fonts, nothing to fetch

# --------------------------------------------------------------------------------------- gallery
PATTERNS = {"all": r"/plot_", "fast": r"/plot_(?!long_)", "none": r"/nothing_is_run"}
sphinx_gallery_conf = {
    "examples_dirs": [str(HERE.parent / "examples" / "gallery")],
    "gallery_dirs": ["gallery"],
    "filename_pattern": PATTERNS[os.environ.get("DRUMLIN_GALLERY", "all")],
    "backreferences_dir": "gallery/backreferences",
    "doc_module": ("drumlin",),
    "reference_url": {"drumlin": None},
    "remove_config_comments": True,
    "show_memory": False,
    "min_reported_time": 1,
    "matplotlib_animations": False,
    "abort_on_example_error": True,
    "write_computation_times": False,
    "within_subsection_order": "FileNameSortKey",
}

# ------------------------------------------------------------------------------------------ html
html_theme = "pydata_sphinx_theme"
html_title = f"drumlin {release}"
html_logo = "_static/logo.svg"
html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["drumlin.css"]
html_context = {"default_mode": "auto"}  # else the theme complains on the first page
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "drumlin"},
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "back_to_top_button": False,
}
html_sidebars = {"index": [], "changelog": []}
