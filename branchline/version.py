"""The version of the package and of the rules it plays."""

__version__ = "0.2.0"

# Raised when a change of the rules makes an old game replay differently.
RULES_VERSION = 1
