"""Asks recordings from Python: prints a line of JSON with the sums, and who computed them."""
import json
import sys

from pyspark.sql import SparkSession

recordings, split = sys.argv[1:3]
spark = SparkSession.builder.getOrCreate()
rows = spark.read.format("jfr").option("splitBytes", split).load(recordings)
sums = {
    row.kind: [row.rows, row.value, row.second or 0]
    for row in rows.filter("kind is not null")
    .groupBy("kind")
    .agg({"*": "count", "value": "sum", "second_value": "sum"})
    .selectExpr("kind", "`count(1)` as rows", "`sum(value)` as value", "`sum(second_value)` as second")
    .collect()
}
spark.sql(f"create temporary view recording using jfr options (path '{recordings}')")
view = spark.sql("select count(*) as n from recording where kind is not null").first().n
executors = spark.sparkContext._jsc.sc().statusStore().executorList(False)
tasks = {}
for i in range(executors.size()):
    executor = executors.apply(i)
    tasks[executor.id()] = executor.completedTasks()
parts = rows.rdd.getNumPartitions()
spark.stop()
print("ANSWER " + json.dumps({"sums": sums, "view": view, "tasks": tasks, "parts": parts}))
