"""Writes the workbooks of the tests into the folder it stands in: pip install pandas openpyxl xlsxwriter; python make.py

pandas.xlsx   by pandas through openpyxl, as most files of data scientists come: an index, words, numbers, dates, moments, truth, gaps
writer.xlsx   by XlsxWriter, which shares texts as Excel does: a hidden sheet first, a table that does not begin in A1, formulas with
              results and with errors, a merged cell, rich text, empty rows, times of day, numbers as text
epoch.xlsx    by openpyxl, with days counted from 1904
"""
import datetime as dt
import os

import numpy as np
import openpyxl
import pandas as pd
import xlsxwriter

here = os.path.dirname(os.path.abspath(__file__))


def at(name):
    return os.path.join(here, name)


pd.DataFrame({
    "species": ["Adelie", None, "Gentoo & co", "Chinstrap"],
    "mass": [3750, 3800.5, np.nan, 1e-7],
    "count": [1, 2, 3, 4],
    "egg laid": [dt.datetime(2007, 11, 11), dt.datetime(2007, 11, 16), pd.NaT, dt.datetime(1999, 12, 31)],
    "seen": [dt.datetime(2007, 11, 11, 14, 30), pd.NaT, dt.datetime(2007, 11, 12), dt.datetime(2007, 11, 12, 23, 59, 59, 250000)],
    "ringed": [True, False, True, None],
    "zip": ["01234", "10115", "80331", None],
}, index=[10, 11, 12, 13]).to_excel(at("pandas.xlsx"), sheet_name="birds")

book = xlsxwriter.Workbook(at("writer.xlsx"))
notes = book.add_worksheet("notes")
notes.write("A1", "not data")
notes.hide()
sheet = book.add_worksheet("fish 2024")
sheet.activate()
day, time, own = (book.add_format({"num_format": f}) for f in ("dd/mm/yyyy", "hh:mm:ss", '0.00 "days"'))
bold = book.add_format({"bold": True})
for j, name in enumerate(["fish", "length", "caught", "at", "twice", "sea", "code"]):
    sheet.write(3, 2 + j, name, bold)
rows = [("salmon", 71.5, dt.date(2024, 2, 29), dt.time(6, 30), 143, True, "1"),
        ("bass", 40, dt.date(2024, 3, 1), dt.time(23, 59, 59), 80, False, "2"),
        None,
        ("pike", None, None, None, None, None, "3")]
for i, row in enumerate(rows):
    if row is None:
        continue
    r = 4 + i
    sheet.write(r, 2, row[0])
    if row[1] is not None:
        sheet.write(r, 3, row[1], own)
        sheet.write_datetime(r, 4, dt.datetime.combine(row[2], dt.time()), day)
        sheet.write_datetime(r, 5, row[3], time)
        sheet.write_formula(r, 6, f"=2*D{r + 1}", None, row[4])
        sheet.write_boolean(r, 7, row[5])
    else:
        sheet.write_formula(r, 6, "=1/0", None, "#DIV/0!")
        sheet.write_formula(r, 4, "=NA()", day, "#N/A")
    sheet.write_string(r, 8, row[6])
sheet.write_rich_string(8, 2, "river ", bold, "trout")
sheet.write(8, 3, 30, own)
sheet.merge_range(8, 6, 8, 7, "merged")
book.add_worksheet("empty")
book.add_chartsheet("chart")
wide = book.add_worksheet("beside")
for i, row in enumerate([("x", "y", None), (1, 2, None), (3, 4, "a note")]):
    for j, v in enumerate(row):
        if v is not None:
            wide.write(i, j, v)
book.close()

book = openpyxl.Workbook()
book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
sheet = book.active
for row in [["day", "n"], [dt.datetime(1904, 1, 2), 1], [dt.datetime(2024, 2, 29, 12), 2]]:
    sheet.append(row)
book.save(at("epoch.xlsx"))
