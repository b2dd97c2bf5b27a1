"""Reports: one fitted model, one self-contained HTML page."""

from drumlin.report.page import render_report, write_report

__all__ = ["render_report", "write_report"]
