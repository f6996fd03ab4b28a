"""What a user hands to spark-submit: the session is there, and frames are handed in."""

import sys

from pyspark.sql import SparkSession

import steelyard as sy

if __name__ == "__main__":
    session = SparkSession.builder.getOrCreate()
    print(sy.compare(session.read.parquet(sys.argv[1])).to_json())
    session.stop()
