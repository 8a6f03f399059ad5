"""Maps: a map is one JSON file of facts plus the names of its rules.

`load_map("europe")` reads a shipped map, `load_map("my.json")` any other; both give a frozen `MapData`.
A bad file is refused by `BadMap`, with file, path and reason; `check_map` lists all its faults.
"""

from branchline.maps.loader import check_file, check_map, known_maps, load_map, put_on_shelf, read_map, shipped_maps
from branchline.maps.model import MapData
from branchline.maps.reading import BadMap
from branchline.maps.schema import SCHEMA_NAME, json_schema

__all__ = [
    "SCHEMA_NAME",
    "BadMap",
    "MapData",
    "check_file",
    "check_map",
    "json_schema",
    "known_maps",
    "load_map",
    "put_on_shelf",
    "read_map",
    "shipped_maps",
]
