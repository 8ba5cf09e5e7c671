"""Writes the Parquet files of the tests into the folder it stands in: pip install pandas pyarrow; python make.py

pandas.parquet   by pandas, snappy, as most files of data scientists come: words with gaps, categories, numbers, dates, moments, truth
kinds.parquet    one column of each type that a table takes, pages of version 2, zstd
CODEC.parquet    300 rows in groups of 100 under each compression
lists.parquet    a column of lists beside one of numbers
large.parquet    a whole number beyond 2^53
"""
import datetime as dt
import decimal
import os
import uuid

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

here = os.path.dirname(os.path.abspath(__file__))


def at(name):
    return os.path.join(here, name)


pd.DataFrame({
    "species": ["Adelie", None, "Gentoo & co", "Chinstrap"],
    "island": pd.Categorical(["Torgersen", "Biscoe", "Biscoe", None]),
    "mass": [3750, 3800.5, np.nan, 1e-7],
    "count": np.array([1, 2, 3, 4], dtype="int32"),
    "eggs": pd.array([1, None, 2, 2], dtype="Int64"),
    "egg laid": [dt.date(2007, 11, 11), dt.date(2007, 11, 16), None, dt.date(1950, 12, 31)],
    "seen": pd.to_datetime(["2007-11-11 14:30", None, "2007-11-12", "1950-11-12 23:59:59.25"], format="ISO8601"),
    "ringed": [True, False, True, None],
}).to_parquet(at("pandas.parquet"))

moment = dt.datetime(2024, 2, 29, 12, 30, 15, 500000)
days = [moment, None, dt.datetime(1969, 12, 31, 23, 59, 59, 750000)]
columns = {
    "int8": pa.array([-5, None, 7], pa.int8()),
    "uint32": pa.array([4294967295, None, 7], pa.uint32()),
    "uint64": pa.array([2**53, None, 7], pa.uint64()),
    "float": pa.array([0.5, float("nan"), None], pa.float32()),
    "decimal": pa.array([decimal.Decimal("-12.345"), None, decimal.Decimal("0.001")], pa.decimal128(9, 3)),
    "long decimal": pa.array([decimal.Decimal("-12345678901234567890.12"), None, decimal.Decimal("0.01")], pa.decimal128(30, 2)),
    "ms": pa.array(days, pa.timestamp("ms")),
    "us": pa.array(days, pa.timestamp("us")),
    "ns": pa.array(days, pa.timestamp("ns", tz="Europe/Berlin")),
    "day": pa.array([d and d.date() for d in days], pa.date32()),
    "time": pa.array([dt.time(6, 30), None, dt.time(23, 59, 59, 250000)], pa.time64("us")),
    "words": pa.array(["a", "", "NA"], pa.large_string()),
    "bytes": pa.array([b"a", None, b"b"], pa.binary()),
    "uuid": pa.array([uuid.UUID(int=1).bytes, None, uuid.UUID(int=2**127).bytes], pa.uuid() if hasattr(pa, "uuid") else pa.binary(16)),
    "nothing": pa.array([None, None, None], pa.float64()),
}
pq.write_table(pa.table(columns), at("kinds.parquet"), compression="zstd", data_page_version="2.0", version="2.6")
pq.write_table(pa.table({"old": pa.array(days, pa.timestamp("ns"))}), at("int96.parquet"), use_deprecated_int96_timestamps=True)

n = np.arange(300)
table = pa.table({"n": n, "half": n / 2, "word": [f"w{k % 7}" for k in n], "gap": [None if k % 3 else float(k) for k in n]})
for codec in ("none", "snappy", "gzip", "brotli", "lz4", "zstd"):
    pq.write_table(table, at(codec + ".parquet"), compression=codec, row_group_size=100, data_page_size=256,
                   use_dictionary=["word"], column_encoding={"n": "DELTA_BINARY_PACKED", "half": "BYTE_STREAM_SPLIT"})

pq.write_table(pa.table({"x": [1.5, 2.5], "list": [[1, 2], [3]]}), at("lists.parquet"))
pq.write_table(pa.table({"id": [2**53 + 1, 1]}), at("large.parquet"))
