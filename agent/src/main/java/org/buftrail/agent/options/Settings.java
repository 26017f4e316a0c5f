package org.buftrail.agent.options;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.buftrail.options.AmountReader;
import org.buftrail.options.Option;
import org.jspecify.annotations.Nullable;

/**
 * The text of each option and its place, so that an error can name it.
 *
 * <p>The agent's argument ({@code key=value;key=value}, or with commas between) comes before system
 * properties {@code buftrail.key}, these before the environment {@code BUFTRAIL_KEY}, and that
 * before the file that {@link Option#CONFIG} names: the first place that gives a key wins. Confined
 * to the thread that reads the options.
 */
public final class Settings {
  private static final long MAX_FILE_BYTES = 1 << 20;

  /** The byte order mark. */
  private static final String MARK = "\uFEFF";

  private static final long SHORTEST_INTERVAL_MILLIS = 1_000;

  /** Stands for a value that is not shown. */
  private static final String SECRET = "…";

  /** Never an empty list; more than one value for what may be repeated. */
  private final Map<Option, List<Value>> values = new LinkedHashMap<>();

  private final Set<Option> read = EnumSet.noneOf(Option.class);

  private static final class Value {
    final String text;

    /** {@code option 'sample'}, or {@code app.conf:3: option 'sample'}. */
    final String name;

    Value(String text, String name) {
      this.text = text;
      this.name = name;
    }
  }

  private Settings() {}

  /**
   * Reads all four places.
   *
   * @param argument the agent's argument
   * @throws IllegalArgumentException saying in one line what is wrong, and where
   */
  static Settings read(String argument, Properties properties, Map<String, String> environment) {
    Settings settings = new Settings();
    for (String part : argument.split(separator(), -1)) {
      settings.add(part, "");
    }
    for (Option option : Option.values()) {
      String value = properties.getProperty("buftrail." + option.key());
      if (value == null) {
        value = environment.get(option.variable());
      }
      if (value != null && !settings.values.containsKey(option)) {
        for (String part : option.isRepeatable() ? value.split(";", -1) : new String[] {value}) {
          settings.put(option, new Value(part.trim(), name("", option.key())));
        }
      }
    }
    settings.addFile();
    return settings;
  }

  /** A semicolon, or a comma before the name of an option: no value goes on like that. */
  private static String separator() {
    return ";|,(?=\\s*(?:" + String.join("|", Option.keys()) + ")\\s*=)";
  }

  private static String name(String where, String key) {
    return where + "option '" + key + "'";
  }

  private void addFile() {
    List<Path> files = paths(Option.CONFIG);
    if (files.isEmpty()) {
      return;
    }
    Settings inFile = new Settings();
    int number = 0;
    for (String line : lines(files.get(0))) {
      number++;
      String text = line.trim();
      if (!text.startsWith("#")) {
        inFile.add(text, files.get(0).getFileName() + ":" + number + ": ");
      }
    }
    if (inFile.values.containsKey(Option.CONFIG)) {
      throw new IllegalArgumentException(
          inFile.name(Option.CONFIG) + " cannot name a further file");
    }
    inFile.values.forEach(values::putIfAbsent);
  }

  private List<String> lines(Path file) {
    try {
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw new IOException("it is larger than 1 MiB");
      }
      return text(Files.readAllBytes(file)).lines().collect(Collectors.toList());
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(name(Option.CONFIG) + ": there is no file " + file, e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          name(Option.CONFIG) + ": " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** UTF-8, with or without the mark that some editors put before it. */
  private static String text(byte[] bytes) throws IOException {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith(MARK) ? text.substring(MARK.length()) : text;
    } catch (CharacterCodingException e) {
      throw new IOException("it is not in UTF-8; save it with this encoding", e);
    }
  }

  /** Takes in one {@code key=value}, which stands at {@code where}. */
  private void add(String part, String where) {
    if (part.trim().isEmpty()) {
      return;
    }
    int equals = part.indexOf('=');
    String key = (equals < 0 ? part : part.substring(0, equals)).trim();
    Option option = Option.of(key);
    if (option == null) {
      throw new IllegalArgumentException(
          where
              + "unknown option '"
              + key
              + "' (did you mean '"
              + Spelling.nearest(key, Option.keys())
              + "'?)");
    }
    String name = name(where, key);
    if (equals < 0) {
      throw new IllegalArgumentException(name + " has no value: write " + key + "=...");
    }
    String text = part.substring(equals + 1).trim();
    if (values.containsKey(option) && !option.isRepeatable()) {
      throw new IllegalArgumentException(name + " is given twice");
    }
    put(option, new Value(text, name));
  }

  private void put(Option option, Value value) {
    List<Value> given = values.get(option);
    if (given == null) {
      given = new ArrayList<>();
      values.put(option, given);
    }
    given.add(value);
  }

  /** The options that nothing has asked for yet. */
  public Set<Option> unread() {
    return EnumSet.complementOf(EnumSet.copyOf(read));
  }

  /**
   * The options of services, or all others, wherever they were written, as an argument of the agent
   * would say it, but for what others could get in with.
   */
  List<String> written(boolean ofServices) {
    List<String> written = new ArrayList<>();
    for (Map.Entry<Option, List<Value>> entry : values.entrySet()) {
      Option option = entry.getKey();
      if (option.isOfServices() == ofServices) {
        for (Value value : entry.getValue()) {
          written.add(option.key() + "=" + shown(option, value.text));
        }
      }
    }
    return written;
  }

  /** By option: a secret may have a semicolon in it, and an address a signature behind its path. */
  private static String shown(Option option, String text) {
    if (option.isSecret()) {
      return SECRET;
    }
    int query = option == Option.OTLP ? text.indexOf('?') : -1;
    return query < 0 ? text : text.substring(0, query + 1) + SECRET;
  }

  /** How an error calls an option. */
  String name(Option option) {
    List<Value> given = values.get(option);
    return given == null ? name("", option.key()) : given.get(0).name;
  }

  /** Returns the text as written, or null if the option was not given. */
  @Nullable String get(Option option) {
    read.add(option);
    return written(option);
  }

  /** Returns the text as written without marking the option as used. */
  @Nullable String written(Option option) {
    List<Value> given = values.get(option);
    return given == null ? null : given.get(0).text;
  }

  /**
   * The values of an option that may be repeated, as {@code reader} understands them.
   *
   * @throws IllegalArgumentException with what {@code reader} says, and which option it is
   */
  <T> List<T> readEach(Option option, Function<String, T> reader) {
    read.add(option);
    List<T> results = new ArrayList<>();
    for (Value value : values.getOrDefault(option, List.of())) {
      try {
        if (!value.text.isEmpty()) {
          results.add(reader.apply(value.text));
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(value.name + ": " + e.getMessage(), e);
      }
    }
    return results;
  }

  /**
   * The value as {@code reader} understands it.
   *
   * @param absent for when nothing was written
   * @throws IllegalArgumentException with what {@code reader} says, and which option it is
   */
  <T> T read(Option option, T absent, Function<String, T> reader) {
    T value = readIfGiven(option, reader);
    return value == null ? absent : value;
  }

  /** Reads an option; null if it was not given. */
  <T> @Nullable T readIfGiven(Option option, Function<String, T> reader) {
    String text = get(option);
    if (text == null || text.isEmpty()) {
      return null;
    }
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(inPlace(option, String.valueOf(e.getMessage())), e);
    }
  }

  /** A message with the option's name and place before it, which it may have begun with itself. */
  private String inPlace(Option option, String message) {
    String plain = name("", option.key());
    return message.startsWith("option '")
        ? message.replace(plain, name(option))
        : name(option) + ": " + message;
  }

  /** Reads an option, or its default if it was not given. */
  <T> T read(Option option, Function<String, T> reader) {
    T value = readIfGiven(option, reader);
    return value == null ? reader.apply(absent(option)) : value;
  }

  private static String absent(Option option) {
    return Objects.requireNonNull(option.defaultText(), option.key());
  }

  private String textOf(Option option) {
    String text = get(option);
    return text == null ? absent(option) : text;
  }

  boolean flag(Option option) {
    return flag(option, textOf(option));
  }

  /** The value of a flag that has no default; null where nothing was written. */
  @Nullable Boolean flagIfGiven(Option option) {
    String text = get(option);
    return (text == null || text.isEmpty()) ? null : Boolean.valueOf(flag(option, text));
  }

  private boolean flag(Option option, String text) {
    if (text.equals("false")) {
      return false;
    }
    if (text.equals("true")) {
      return true;
    }
    throw new IllegalArgumentException(
        name(option) + " is '" + text + "': it must be true or false");
  }

  int number(Option option) {
    String text = textOf(option);
    try {
      int number = Integer.parseInt(text);
      if (number >= option.least() && number <= option.most()) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, with the range.
    }
    throw new IllegalArgumentException(
        name(option)
            + " is '"
            + text
            + "': it must be a number from "
            + option.least()
            + " to "
            + option.most());
  }

  long bytes(Option option) {
    return read(option, AmountReader::bytes);
  }

  /**
   * A time; 0 where none was written and there is no value for that. There {@code 0s} may be
   * written too.
   */
  long millis(Option option) {
    Long given = readIfGiven(option, AmountReader::millis);
    if (given == null) {
      String absent = option.defaultText();
      return absent == null ? 0 : AmountReader.millis(absent);
    }
    boolean isOff = given == 0 && option.defaultText() == null;
    boolean isInterval = option.type() == Option.Type.INTERVAL;
    if (isInterval && !isOff && given < SHORTEST_INTERVAL_MILLIS) {
      throw new IllegalArgumentException(
          name(option) + " is '" + get(option) + "': it must be 1s or more");
    }
    return given;
  }

  List<Path> paths(Option option) {
    return read(option, List.of(), Settings::parsePaths);
  }

  private static List<Path> parsePaths(String text) {
    List<Path> paths = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      try {
        paths.add(Paths.get(FilePattern.expand(part.trim())).toAbsolutePath());
      } catch (InvalidPathException e) {
        throw new IllegalArgumentException("'" + part + "' is not a path", e);
      }
    }
    return List.copyOf(paths);
  }
}
