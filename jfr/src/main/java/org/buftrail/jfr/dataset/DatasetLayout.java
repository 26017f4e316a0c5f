package org.buftrail.jfr.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.jfr.rows.SampleColumn;
import org.jspecify.annotations.Nullable;

/**
 * Where what stands in a dataset: a directory with the tables as Parquet, to which different
 * programs add.
 *
 * <pre>
 * dataset.json                                          the version
 * samples/day=2026-11-20/service=shop/kind=cpu/ID-0.parquet
 * events/day=2026-11-20/service=shop/ID-0.parquet      events that become no sample
 * frames/ID.parquet                                     the stacks of one recording
 * recordings/ID.json                                    written last: the recording is in it
 * .part-...                                             under way
 * </pre>
 *
 * <p>A recording's id is the hash of its bytes, so that it is in a dataset once, whoever adds it.
 */
public final class DatasetLayout {
  /** The file that makes a directory a dataset. */
  public static final String VERSION_FILE = "dataset.json";

  /** What it holds. */
  public static final String VERSION_TEXT = "{\"version\": " + SampleColumn.VERSION + "}\n";

  /** The table of samples, and its directory. */
  public static final String SAMPLES = "samples";

  /** The table of events that become no sample, and its directory. */
  public static final String EVENTS = "events";

  /** The table of stacks, a row for each frame, and its directory. */
  public static final String FRAMES = "frames";

  /** All tables. */
  public static final List<String> TABLES = List.of(SAMPLES, EVENTS, FRAMES);

  /** The directory of the files that say which recordings are in it. */
  public static final String RECORDINGS = "recordings";

  /** The column by which samples and events are parted first: the date in UTC. */
  public static final String DAY = "day";

  /** The column by which they are parted next. */
  public static final String SERVICE = "service";

  /** The column by which samples are parted last. */
  public static final String KIND = "kind";

  /** The columns whose values name the directories of samples, from the outermost on. */
  public static final List<String> SAMPLE_PARTS = List.of(DAY, SERVICE, KIND);

  /** The columns by which events are split into directories. */
  public static final List<String> EVENT_PARTS = List.of(DAY, SERVICE);

  /** What files and directories under way begin with. */
  public static final String PART = ".part-";

  /** The service of what belongs to none. */
  public static final String NO_SERVICE = "unknown";

  private static final Pattern VERSION_NUMBER = Pattern.compile("\"version\": *(\\d+)");

  private DatasetLayout() {}

  /** Why this code neither reads nor writes a dataset of this {@link #VERSION_FILE}, or null. */
  public static @Nullable String refusal(String text) {
    Matcher version = VERSION_NUMBER.matcher(text);
    if (!version.find()) {
      return "has a " + VERSION_FILE + " without a version; make the dataset again";
    }
    if (version.group(1).equals(String.valueOf(SampleColumn.VERSION))) {
      return null;
    }
    return "is of version "
        + version.group(1)
        + ", and this buftrail is for version "
        + SampleColumn.VERSION
        + "; make the dataset again, or take the buftrail that made it";
  }

  /** The file of a recording's stacks. */
  public static String frames(String id) {
    return FRAMES + "/" + id + ".parquet";
  }

  /** The file that says that a recording is in it. */
  public static String mark(String id) {
    return RECORDINGS + "/" + id + ".json";
  }

  /** What that file holds. */
  public static String markText(long rows, int damages) {
    return "{\"rows\": " + rows + ", \"damages\": " + damages + "}\n";
  }

  /** The id of a recording: half of a hash of its bytes. */
  public static String id(InputStream recording) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int count = recording.read(buffer); count >= 0; count = recording.read(buffer)) {
        digest.update(buffer, 0, count);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IOException("this JVM has no SHA-256", e);
    }
  }
}
