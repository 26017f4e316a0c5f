package org.buftrail.options;

import java.util.Locale;
import org.buftrail.model.Figure;
import org.jspecify.annotations.Nullable;

/**
 * Every option of the agent: what reads it, the help of {@code attach} and the table in
 * docs/options.md take name, type, default and meaning from here.
 *
 * <p>Texts are Markdown. Where {@link #without()} is a word in backticks and no more, that is the
 * value that holds when nothing is written.
 */
public enum Option {
  CONFIG(
      "config",
      "buftrail.conf",
      Type.FILE,
      "no file",
      "reads further options from a file, relative to the working directory"),
  INCLUDE(
      "include",
      "com.example,Main",
      Type.CLASSES,
      "[your own classes](#which-classes-are-yours)",
      "packages and all below them, or classes, whose methods are hops; with or without `.*`;"
          + " `none` for allocators and releases only"),
  EXCLUDE(
      "exclude", "com.example.codec", Type.CLASSES, "none", "not these, whatever `include` says"),
  TRACK_CONSTRUCTORS(
      "trackConstructors",
      "com.example.Message",
      Type.CLASSES,
      "none",
      "constructors of these classes that take a buffer are hops"),
  CARRIER(
      "carrier",
      "com.example.Message.body",
      Type.TEXT,
      "[the wrappers of frameworks](frameworks.md)",
      "a class of yours and its field that holds a buffer: methods that take or return the class"
          + " are hops of that buffer; several by `,`; see"
          + " [frameworks](frameworks.md#your-own-wrappers)"),
  FEWER_HOPS(
      "fewerHops",
      "true",
      Type.FLAG,
      "`false`",
      "costs less: lines of yours that release, retain or pass straight on what another method"
          + " returned are no hops; see [which option when](performance.md#which-option-when)"),
  LIBRARIES(
      "libraries",
      "arrow",
      Type.TEXT,
      "Netty alone",
      "follows the buffers of these libraries too; see"
          + " [resources.md](resources.md#apache-arrow)"),
  TRACK_DIRECT_ONLY("trackDirectOnly", "true", Type.FLAG, "`false`", "leaves heap buffers alone"),
  DIRECT_BUFFERS(
      "directBuffers",
      "true",
      Type.FLAG,
      "`false`",
      "also counts the JDK's direct buffers, by the calls of `ByteBuffer.allocateDirect` in your"
          + " classes; see [who holds my"
          + " memory](who-holds-my-memory.md#direct-buffers-of-your-own)"),
  DROPPED(
      "dropped",
      "leaked",
      Type.TEXT,
      "`apart`",
      "counts as leaked also what is [dropped with nothing"
          + " lost](what-is-tracked.md#leaked-or-dropped): unpooled heap, wrapped memory"),
  SAMPLE("sample", "100", 1, 1 << 20, "`1`", "follows 1 in 100 buffers; counts are scaled up"),
  RESOURCE(
      "resource",
      "TYPE:open=..,close=..",
      Type.TEXT,
      "buffers only",
      "follows other objects too; may be given several times; see [resources.md](resources.md)"),
  TRACKED_RESOURCES(
      "trackedResources",
      "com.example.SessionResource",
      Type.CLASSES,
      "services found later",
      "classes of the application that describe such objects"),
  DELAY("delay", "30s", Type.TIME, "at once", "begins to follow buffers so long after the start"),
  DURATION("duration", "5m", Type.TIME, "for ever", "follows no new buffers after so long"),
  REPORT(
      "report",
      "a.json,b.html",
      Type.FILES,
      "text on standard error, at most 60,000 characters",
      "writes these files at shutdown, each in the format of its ending; what cannot be written is"
          + " said at the start, and goes to standard error; for the chart of an HTML file a"
          + " [snapshot](performance.md#what-one-more-costs) is taken every 5 s"),
  COLLECT_AT_END(
      "collectAtEnd",
      "true",
      Type.FLAG,
      "where at most 1 GiB of the heap is used, for at most 2 s",
      "lets the JVM collect at shutdown, so that lost buffers are distinguished from live ones;"
          + " `true` with any heap, for at most 20 s; what stays"
          + " [undecided](what-is-tracked.md#decided-or-undecided) is said"),
  MAX_NODES(
      "maxNodes",
      "500000",
      1,
      1 << 24,
      "`262144`",
      "bounds the path tree; what lies past the bound is counted in marked nodes"),
  MAX_DEPTH("maxDepth", "200", 2, 10_000, "`100`", "bounds the hops of a path in the same way"),
  MAX_CHILDREN(
      "maxChildren",
      "5000",
      1,
      1_000_000,
      "`1000`",
      "bounds the hops that may follow one hop in the same way"),
  JMX(
      "jmx",
      "false",
      Type.FLAG,
      "`true`",
      "leaves out the management bean `org.buftrail:type=FlowTracker`, which is there once somebody"
          + " uses the JVM's MBean server"),
  SNAPSHOT_DIR(
      "snapshotDir",
      "dir",
      Type.FILE,
      "`buftrail-snapshots` if one of the next two is given, else none",
      "where snapshots go by themselves: out of memory, alerts, intervals, shutdown"),
  EVERY("every", "10m", Type.INTERVAL, "none", "a snapshot at this interval"),
  ALERT(
      "alert",
      "liveBytes>512m,leaked>10",
      Type.TEXT,
      "none",
      "a snapshot and a line when one of " + alerts() + " passes a threshold"),
  SNAPSHOT_FILES(
      "snapshotFiles", "10", 1, 1_000_000, "`100`", "how many files the directory may hold"),
  SNAPSHOT_BYTES(
      "snapshotBytes", "1g", Type.SIZE, "`256m`", "how many bytes the directory may hold"),
  HTTP(
      "http",
      "9090",
      Type.TEXT,
      "off",
      "a live page and `/metrics` at `PORT` or `HOST:PORT`; the address with a token goes to"
          + " standard error"),
  HTTP_REMOTE("httpRemote", "true", Type.FLAG, "`false`", "lets other hosts reach the page"),
  HTTP_TOKEN(
      "httpToken",
      "...",
      Type.TEXT,
      "made anew at each start",
      "what requests must present, at least 16 characters; `off` for nothing, on this host only"),
  OTLP(
      "otlp",
      "http://localhost:4318",
      Type.TEXT,
      "off",
      "pushes flows as OpenTelemetry profiles; `on` for what `OTEL_EXPORTER_OTLP_ENDPOINT` says"),
  OTLP_EVERY("otlpEvery", "30s", Type.INTERVAL, "`60s`", "interval of the pushes"),
  METRICS_HANDLERS(
      "metricsHandlers",
      "micrometer",
      Type.CLASSES,
      "services found",
      "meters in the application's registry; also `opentelemetry`, or classes of the application"
          + " that get figures"),
  METRICS_EVERY("metricsEvery", "30s", Type.INTERVAL, "`60s`", "interval of these figures");

  /** What may be written. */
  public enum Type {
    FLAG("`true` or `false`"),
    NUMBER("number"),
    SIZE("size"),
    TIME("time"),
    /** A time of a second or more. */
    INTERVAL("time, `1s` or more"),
    FILE("file"),
    FILES("files"),
    CLASSES("names"),
    TEXT("text");

    private final String says;

    Type(String says) {
      this.says = says;
    }
  }

  private static final Option FIRST_OF_SERVICES = JMX;

  private final String key;
  private final String example;
  private final Type type;
  private final int least;
  private final int most;
  private final String without;
  private final String help;

  Option(String key, String example, Type type, String without, String help) {
    this.key = key;
    this.example = example;
    this.type = type;
    this.least = 0;
    this.most = 0;
    this.without = without;
    this.help = help;
  }

  /** A number of a range. */
  Option(String key, String example, int least, int most, String without, String help) {
    this.key = key;
    this.example = example;
    this.type = Type.NUMBER;
    this.least = least;
    this.most = most;
    this.without = without;
    this.help = help;
  }

  /** {@code `leaked`, `leakedBytes`}, and the others. */
  private static String alerts() {
    StringBuilder names = new StringBuilder();
    for (Figure figure : Figure.in(Figure.Place.ALERT)) {
      names.append(names.length() == 0 ? "`" : ", `").append(figure.name(Figure.Place.ALERT));
      names.append('`');
    }
    return names.toString();
  }

  /** The name before the {@code =}. */
  public String key() {
    return key;
  }

  /** The keys of all, in their order. */
  public static String[] keys() {
    Option[] all = values();
    String[] keys = new String[all.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = all[i].key;
    }
    return keys;
  }

  /** The option with this key; null where there is none. */
  public static @Nullable Option of(String key) {
    for (Option option : values()) {
      if (option.key.equals(key)) {
        return option;
      }
    }
    return null;
  }

  /** The variable of the environment: {@code BUFTRAIL_TRACK_DIRECT_ONLY}. */
  public String variable() {
    return "BUFTRAIL_" + name();
  }

  /** What may be written. */
  public Type type() {
    return type;
  }

  /** The least that a number may be. */
  public int least() {
    return least;
  }

  /** The most that a number may be. */
  public int most() {
    return most;
  }

  /** The value that holds when nothing is written, as it would be written; null where none does. */
  public @Nullable String defaultText() {
    int end = without.length() - 1;
    boolean isWord = without.startsWith("`") && without.indexOf('`', 1) == end;
    return isWord ? without.substring(1, end) : null;
  }

  /** Whether it may be given several times in one place. */
  public boolean isRepeatable() {
    return this == RESOURCE;
  }

  /** Whether somebody could get in with its value. */
  public boolean isSecret() {
    return this == HTTP_TOKEN;
  }

  /** Whether it is of what the agent does besides tracking. */
  public boolean isOfServices() {
    return compareTo(FIRST_OF_SERVICES) >= 0;
  }

  public String help() {
    return help;
  }

  public String without() {
    return without;
  }

  /** {@code sample=100}. */
  public String example() {
    return key + "=" + example;
  }

  /** {@code number from 1 to 1,048,576}. */
  public String typeText() {
    return type == Type.NUMBER
        ? String.format(Locale.ROOT, "number from %,d to %,d", least, most)
        : type.says;
  }

  /** A text without its marks, for a terminal. */
  public static String plain(String text) {
    return text.replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1").replace("`", "");
  }
}
