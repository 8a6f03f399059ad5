"""The rules, each once: plain functions over one flat position, run interpreted, compiled or on a GPU."""
