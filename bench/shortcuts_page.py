from pathlib import Path
JSON=Path("bench/shortcuts.json")
def write_page(r): pass
