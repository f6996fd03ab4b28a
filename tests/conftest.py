"""Settings that every test shares."""

from hypothesis import settings

__all__: list[str] = []

# A busy machine is no reason to fail, so there is no deadline; `make test-long` asks for more.
settings.register_profile("short", deadline=None)
settings.register_profile("long", deadline=None, max_examples=2000)
settings.load_profile("short")
