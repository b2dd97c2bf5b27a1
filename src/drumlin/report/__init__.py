"""Reports: one fitted model, one self-contained HTML page."""

from drumlin.report.page import Report, render_report, write_report

__all__ = ["Report", "render_report", "write_report"]
