package org.buftrail.jfr.dataset;

import java.util.List;
import java.util.Set;
import org.buftrail.jfr.parquet.ParquetColumn;

/** The columns of a dataset's files, and their places. */
final class RowColumn {
  static final int ROW = 0;
  static final int RECORDING = 1;
  static final int HOST = 2;
  static final int PROCESS = 3;
  static final int KIND = 4;
  static final int EVENT = 5;
  static final int TIME = 6;
  static final int TIME_NANOS = 7;
  static final int VALUE = 8;
  static final int UNIT = 9;
  static final int SECOND_VALUE = 10;
  static final int SECOND_UNIT = 11;
  static final int DURATION = 12;
  static final int THREAD = 13;
  static final int STATE = 14;
  static final int SPAN = 15;
  static final int TRACE = 16;
  static final int TAGS = 17;
  static final int FIELDS = 18;
  static final int STACK_ID = 19;
  static final int DEPTH = 20;
  static final int FUNCTION = 21;
  static final int FILE = 22;
  static final int LINE = 23;
  static final int TYPE = 24;
  static final int MODULE = 25;
  static final int EVENT_ID = 26;

  /** All of them, in this order. */
  static final List<ParquetColumn> COLUMNS =
      List.of(
          new ParquetColumn("row", ParquetColumn.Type.TEXT),
          new ParquetColumn("recording", ParquetColumn.Type.TEXT),
          new ParquetColumn("host", ParquetColumn.Type.TEXT),
          new ParquetColumn("process", ParquetColumn.Type.LONG),
          new ParquetColumn("kind", ParquetColumn.Type.TEXT),
          new ParquetColumn("event", ParquetColumn.Type.TEXT),
          new ParquetColumn("time", ParquetColumn.Type.MICROS),
          new ParquetColumn("time_nanos", ParquetColumn.Type.NANOS),
          new ParquetColumn("value", ParquetColumn.Type.LONG),
          new ParquetColumn("unit", ParquetColumn.Type.TEXT),
          new ParquetColumn("second_value", ParquetColumn.Type.LONG),
          new ParquetColumn("second_unit", ParquetColumn.Type.TEXT),
          new ParquetColumn("duration", ParquetColumn.Type.LONG),
          new ParquetColumn("thread", ParquetColumn.Type.TEXT),
          new ParquetColumn("state", ParquetColumn.Type.TEXT),
          new ParquetColumn("span", ParquetColumn.Type.TEXT),
          new ParquetColumn("trace", ParquetColumn.Type.TEXT),
          new ParquetColumn("tags", ParquetColumn.Type.TEXTS),
          new ParquetColumn("fields", ParquetColumn.Type.TEXTS),
          new ParquetColumn("stack_id", ParquetColumn.Type.LONG),
          new ParquetColumn("depth", ParquetColumn.Type.INT),
          new ParquetColumn("function", ParquetColumn.Type.TEXT),
          new ParquetColumn("file", ParquetColumn.Type.TEXT),
          new ParquetColumn("line", ParquetColumn.Type.LONG),
          new ParquetColumn("type", ParquetColumn.Type.TEXT),
          new ParquetColumn("module", ParquetColumn.Type.TEXT),
          new ParquetColumn("event_id", ParquetColumn.Type.LONG));

  /** Those that say what a frame is. */
  static final Set<Integer> OF_FRAMES = Set.of(FUNCTION, FILE, LINE, TYPE, MODULE);

  private RowColumn() {}
}
