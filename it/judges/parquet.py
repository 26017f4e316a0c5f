"""Has DuckDB and PyArrow read a dataset of Parquet files.

Says of each recording in it what they add up, by unit: one line
"JUDGE<TAB>RECORDING<TAB>ok SUMS", or "JUDGE<TAB>FILE<TAB>refused: why" of a file that one does not read.
usage: parquet.py DATASET
"""

import pathlib
import sys

import duckdb
import pyarrow.compute
import pyarrow.parquet


def by_duckdb(file):
    rows = duckdb.execute(
        "select kind, recording, unit, value from read_parquet($1) where row = 'sample' union all"
        " select kind, recording, second_unit, second_value from read_parquet($1)"
        " where row = 'sample' and second_unit is not null",
        [str(file)],
    )
    return rows.fetchall()


def by_pyarrow(file):
    with open(file, "rb") as source:
        table = pyarrow.parquet.read_table(source)
    table = table.filter(pyarrow.compute.equal(table.column("row"), "sample"))
    kinds, recordings, units, values, second_units, second_values = (
        table.column(name).to_pylist()
        for name in ("kind", "recording", "unit", "value", "second_unit", "second_value")
    )
    first = list(zip(kinds, recordings, units, values))
    second = [row for row in zip(kinds, recordings, second_units, second_values) if row[2] is not None]
    return first + second


def judge(name, read, dataset):
    sums = {}
    for file in sorted(pathlib.Path(dataset).glob("rows/**/*.parquet")):
        try:
            for kind, recording, unit, value in read(file):
                of = sums.setdefault(recording, {})
                # The time of samples is not a value of its own here.
                if unit is not None and not (unit == "nanoseconds" and kind == "cpu_time"):
                    of[unit] = of.get(unit, 0) + value
        except Exception as error:
            print(name, file, "refused: " + str(error).replace("\n", "; "), sep="\t")
    for recording, of in sums.items():
        print(name, recording, "ok [" + " ".join(f"{unit}:{of[unit]}" for unit in sorted(of)) + "]", sep="\t")


judge("duckdb", by_duckdb, sys.argv[1])
judge("pyarrow", by_pyarrow, sys.argv[1])
