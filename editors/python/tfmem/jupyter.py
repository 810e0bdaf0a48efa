"""Registers tfmem's server with jupyter-lsp, by the entry point jupyter_lsp_spec_v1."""

from tfmem import find


def specs(_manager):
    """What jupyter-lsp starts for Python documents; nothing where the program is missing."""
    try:
        program = find()
    except FileNotFoundError:
        return {}
    return {
        "tfmem": {
            "version": 2,
            "argv": [program, "server"],
            "languages": ["python"],
            "mime_types": ["text/python", "text/x-python", "text/x-ipython"],
            "display_name": "tfmem",
            "requires_documents_on_disk": False,
            "urls": {"home": "https://github.com/tfmem/tfmem", "issues": "https://github.com/tfmem/tfmem/issues"},
        }
    }
