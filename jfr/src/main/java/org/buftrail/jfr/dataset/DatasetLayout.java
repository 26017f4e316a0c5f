package org.buftrail.jfr.dataset;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where what stands in a dataset: a directory with the tables as Parquet, to which different
 * programs add.
 *
 * <pre>
 * dataset.json                                    the version
 * rows/day=2026-11-20/service=shop/ID.parquet     samples, events and stacks of one recording
 * recordings/ID.json                              written last: the recording is in it
 * recordings/X.ids                                which recordings are in files that were compacted
 * compactions/X...                                a compaction under way
 * .lock                                           held while reading, adding or compacting
 * .part-...                                       under way
 * </pre>
 *
 * <p>A recording's id is that of its {@link Content}, so that it is in a dataset once, however
 * often it is added. Version 1 had a directory for each table, with a file for each kind, and times
 * in nanoseconds.
 */
public final class DatasetLayout {
  /** The version of the datasets that this code writes. It reads {@link #FIRST} too. */
  public static final int VERSION = 2;

  /** The first version. */
  public static final int FIRST = 1;

  /** The file that makes a directory a dataset. */
  public static final String VERSION_FILE = "dataset.json";

  /** What it holds. */
  public static final String VERSION_TEXT = "{\"version\": " + VERSION + "}\n";

  /** What the footer of each file says beside its columns. */
  public static final Map<String, String> METADATA =
      Map.of("buftrail.version", String.valueOf(VERSION));

  /** The directory of all rows. */
  public static final String ROWS = "rows";

  /** The column that says what a row is: one of the three that follow. */
  public static final String ROW = "row";

  /** A row of the table of samples. */
  public static final String SAMPLE = "sample";

  /** A row of the table of events. */
  public static final String EVENT = "event";

  /** A row of the table of frames. */
  public static final String FRAME = "frame";

  /** The table of samples, and its directory in the first version. */
  public static final String SAMPLES = "samples";

  /** The table of events, and its directory in the first version. */
  public static final String EVENTS = "events";

  /** The table of stacks, a row for each frame, and its directory in the first version. */
  public static final String FRAMES = "frames";

  /** All tables. */
  public static final List<String> TABLES = List.of(SAMPLES, EVENTS, FRAMES);

  /** The directory of the files that say which recordings are in it. */
  public static final String RECORDINGS = "recordings";

  /** The directory of compactions under way; it is there once a dataset has been compacted. */
  public static final String COMPACTIONS = "compactions";

  /** The column by which rows are parted first: the date in UTC. */
  public static final String DAY = "day";

  /** The column by which they are parted next. */
  public static final String SERVICE = "service";

  /** What files and directories under way begin with. */
  public static final String PART = ".part-";

  /** The service of what belongs to none. */
  public static final String NO_SERVICE = "unknown";

  private static final Pattern VERSION_NUMBER = Pattern.compile("\"version\": *(\\d{1,9})\\b");
  private static final long NANOS_OF_DAY = 86_400_000_000_000L;

  private DatasetLayout() {}

  /**
   * The version of a dataset with this {@link #VERSION_FILE}.
   *
   * @throws IOException if this code does not read such; says why, without the dataset's name
   */
  public static int version(String text) throws IOException {
    Matcher found = VERSION_NUMBER.matcher(text);
    if (!found.find()) {
      throw new IOException("has a " + VERSION_FILE + " without a version; make the dataset again");
    }
    int version = Integer.parseInt(found.group(1));
    if (version < FIRST || version > VERSION) {
      throw new IOException(
          "is of version "
              + version
              + ", and this buftrail is for version "
              + VERSION
              + "; make the dataset again, or take the buftrail that made it");
    }
    return version;
  }

  /**
   * Checks that recordings can be added to a dataset with this {@link #VERSION_FILE}.
   *
   * @throws IOException if not; says why, without the dataset's name
   */
  public static void checkWritten(String text) throws IOException {
    if (version(text) != VERSION) {
      throw new IOException(
          "is of version "
              + FIRST
              + ", which this buftrail reads and does not add to; name a new directory");
    }
  }

  /** The day of a time in nanoseconds, counted from the epoch, in UTC. */
  static long day(long nanos) {
    return Math.floorDiv(nanos, NANOS_OF_DAY);
  }

  /** The directory of rows of a day and service. */
  static String directory(long day, @Nullable String service) {
    return ROWS
        + "/"
        + DAY
        + "="
        + LocalDate.ofEpochDay(day)
        + "/"
        + SERVICE
        + "="
        + escaped(service == null ? NO_SERVICE : service);
  }

  /** A value as a part of a path, as DuckDB, Spark and others read it. */
  public static String escaped(String value) {
    StringBuilder escaped = new StringBuilder();
    for (byte part : value.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (part & 0xff);
      boolean isPlain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "-_.~".indexOf(c) >= 0;
      escaped.append(isPlain ? String.valueOf(c) : String.format("%%%02X", (int) c));
    }
    return escaped.toString();
  }

  /** The name of a recording's file in a directory; it has more than one there seldom. */
  static String file(String id, int number) {
    return id + (number == 0 ? "" : "-" + number) + ".parquet";
  }

  /** The file that says that a recording is in it. */
  public static String mark(String id) {
    return RECORDINGS + "/" + id + ".json";
  }

  /** What that file holds. */
  public static String markText(long rows, int damages) {
    return "{\"rows\": " + rows + ", \"damages\": " + damages + "}\n";
  }
}
