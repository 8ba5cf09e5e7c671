"""Go for papermill: `papermill -p gamma 2.5 in.ipynb out.ipynb` gives a notebook of the lab other values.

papermill reads this as the engine "gonb", which is its usual one; with it comes the translator that writes parameters as declarations in Go. They stand
in a cell behind the one with the tag "parameters", and replace its declarations of the same names.
"""

import json
import math

from papermill.engines import NBClientEngine as Engine  # noqa: F401, the entry point
from papermill.translators import Translator, papermill_translators


class GoTranslator(Translator):
    @classmethod
    def translate_str(cls, val):
        return json.dumps(val, ensure_ascii=False)

    translate_escaped_str = translate_str

    @classmethod
    def translate_none(cls, val):
        raise ValueError("a parameter of a notebook in Go needs a value: a number, a word, true or false, or a list of one of them")

    @classmethod
    def translate_float(cls, val):
        if not math.isfinite(val):
            raise ValueError(f"a parameter of a notebook in Go must be finite, and is {val}")
        return repr(val)

    @classmethod
    def kind(cls, values):
        """The type of Go that holds all the values."""
        kinds = {type(v) for v in values}
        if kinds == {int, float}:
            kinds = {float}
        names = {bool: "bool", int: "int", float: "float64", str: "string"}
        if len(kinds) != 1 or not kinds <= names.keys():
            raise ValueError("a list for a notebook in Go holds numbers only, words only, or true and false only: " + json.dumps(values))
        return names[kinds.pop()]

    @classmethod
    def translate_list(cls, val):
        return f"[]{cls.kind(val)}{{{', '.join(cls.translate(v) for v in val)}}}"

    @classmethod
    def translate_dict(cls, val):
        pairs = ", ".join(f"{cls.translate_str(str(k))}: {cls.translate(v)}" for k, v in val.items())
        return f"map[string]{cls.kind(list(val.values()))}{{{pairs}}}"

    @classmethod
    def comment(cls, cmt_str):
        return f"// {cmt_str}".strip()

    @classmethod
    def assign(cls, name, str_val):
        return f"var {name} = {str_val}"


papermill_translators.register("go", GoTranslator)
