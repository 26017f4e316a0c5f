package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file is damaged only if it is not the machine that keeps DuckDB from reading it. */
final class OthersFileTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true | Out of Memory Error: failed to allocate data of size 1.0 GiB (8.0 GiB/8.0 GiB used)",
        "true | INTERRUPT Error: Interrupted!",
        "true | IO Error: Could not write file '/tmp/b/duckdb_temp.tmp': No space left on device",
        "true | IO Error: Cannot open file '/d/a.parquet': Too many open files",
        "true | IO Error: Cannot open file '/d/a.parquet': Permission denied",
        "false | Invalid Input Error: No magic bytes found at end of file '/d/a.parquet'",
        "false | Invalid Error: Failed to read Parquet file '/d/a.parquet': Out of Memory Error",
        "false | TProtocolException: Invalid data"
      })
  void whatTheMachineLacksIsNoFaultOfTheFile(boolean isOfMachine, String said) {
    assertThat(OthersFile.isOfMachine(said)).isEqualTo(isOfMachine);
  }
}
