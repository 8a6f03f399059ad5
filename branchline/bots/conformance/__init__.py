"""What every bot has to do, and the suite that looks whether it does."""

from branchline.bots.conformance.suite import Finding, Report, check, check_at

__all__ = ["Finding", "Report", "check", "check_at"]
