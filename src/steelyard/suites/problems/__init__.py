"""Problems and suites as files: written, sealed, checked, read."""
