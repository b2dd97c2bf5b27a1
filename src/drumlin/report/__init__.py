"""Reports: one fitted model, one self-contained HTML page."""

from drumlin._optional import jinja2 as _needed  # noqa: F401
from drumlin.report.page import Report, render_report, write_report

__all__ = ["Report", "render_report", "write_report"]
