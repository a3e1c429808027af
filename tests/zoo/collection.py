"""The collection: every specimen of the zoo, by name."""

from __future__ import annotations

from zoo import legacy_models, models, stepping_models
from zoo.specimen import Specimen

assert stepping_models.ZOO is models.ZOO  # both add to the same
SPECIMENS: dict[str, Specimen] = {**models.ZOO.specimens, **legacy_models.LEGACY.specimens}
