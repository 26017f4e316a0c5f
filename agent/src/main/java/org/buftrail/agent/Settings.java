package org.buftrail.agent;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What was written for each option, and where, so that an error can say so.
 *
 * <p>The agent's argument ({@code key=value;key=value}, or with commas between) comes before system
 * properties {@code buftrail.key}, these before the environment {@code BUFTRAIL_KEY}, and that
 * before the file that the option {@value #FILE} names: the first place that gives a key wins.
 * Confined to the thread that reads the options.
 */
final class Settings {
  /** The option that names a file with further options, one {@code key=value} a line. */
  static final String FILE = "config";

  private static final long MAX_FILE_BYTES = 1 << 20;

  /** The byte order mark. */
  private static final String MARK = "\uFEFF";

  private final String[] keys;
  private final Set<String> repeatable;

  /** Never an empty list; more than one value for what may be repeated. */
  private final Map<String, List<Value>> values = new LinkedHashMap<>();

  private static final class Value {
    final String text;

    /** {@code option 'sample'}, or {@code app.conf:3: option 'sample'}. */
    final String name;

    Value(String text, String name) {
      this.text = text;
      this.name = name;
    }
  }

  /**
   * @param keys every option there is
   * @param repeatable those of them that may be given several times in one place
   */
  private Settings(String[] keys, Set<String> repeatable) {
    this.keys = keys;
    this.repeatable = repeatable;
  }

  /**
   * Reads all four places.
   *
   * @param argument the agent's argument
   * @param keys every option there is
   * @param repeatable those of them that may be given several times in one place
   * @throws IllegalArgumentException saying in one line what is wrong, and where
   */
  static Settings read(
      String argument,
      Properties properties,
      Map<String, String> environment,
      String[] keys,
      Set<String> repeatable) {
    Settings settings = new Settings(keys, repeatable);
    for (String part : argument.split(separator(keys), -1)) {
      settings.add(part, "");
    }
    for (String key : keys) {
      String value = properties.getProperty("buftrail." + key);
      if (value == null) {
        value = environment.get(environmentName(key));
      }
      if (value != null && !settings.values.containsKey(key)) {
        for (String part : repeatable.contains(key) ? value.split(";", -1) : new String[] {value}) {
          settings.put(key, new Value(part.trim(), name("", key)));
        }
      }
    }
    settings.addFile();
    return settings;
  }

  /** A semicolon, or a comma before the name of an option: no value goes on like that. */
  private static String separator(String[] keys) {
    return ";|,(?=\\s*(?:" + String.join("|", keys) + ")\\s*=)";
  }

  /** {@code BUFTRAIL_TRACK_DIRECT_ONLY} for {@code trackDirectOnly}. */
  static String environmentName(String key) {
    return "BUFTRAIL_" + key.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }

  private static String name(String where, String key) {
    return where + "option '" + key + "'";
  }

  private void addFile() {
    List<Path> files = paths(FILE);
    if (files.isEmpty()) {
      return;
    }
    Settings inFile = new Settings(keys, repeatable);
    int number = 0;
    for (String line : lines(files.get(0))) {
      number++;
      String text = line.trim();
      if (!text.startsWith("#")) {
        inFile.add(text, files.get(0).getFileName() + ":" + number + ": ");
      }
    }
    if (inFile.values.containsKey(FILE)) {
      throw new IllegalArgumentException(inFile.name(FILE) + " cannot name a further file");
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
      throw new IllegalArgumentException(name(FILE) + ": there is no file " + file, e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          name(FILE) + ": " + file + " cannot be read: " + e.getMessage(), e);
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
    if (!List.of(keys).contains(key)) {
      throw new IllegalArgumentException(
          where
              + "unknown option '"
              + key
              + "' (did you mean '"
              + Spelling.nearest(key, keys)
              + "'?)");
    }
    String name = name(where, key);
    if (equals < 0) {
      throw new IllegalArgumentException(name + " has no value: write " + key + "=...");
    }
    String text = part.substring(equals + 1).trim();
    if (values.containsKey(key) && !repeatable.contains(key)) {
      throw new IllegalArgumentException(name + " is given twice");
    }
    put(key, new Value(text, name));
  }

  private void put(String key, Value value) {
    values.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
  }

  /** All that was written, wherever, as an argument of the agent would say it. */
  String written() {
    StringBuilder text = new StringBuilder();
    values.forEach(
        (key, given) -> {
          for (Value value : given) {
            text.append(text.length() == 0 ? "" : ";").append(key).append('=').append(value.text);
          }
        });
    return text.toString();
  }

  /** How an error calls an option. */
  String name(String key) {
    List<Value> given = values.get(key);
    return given == null ? name("", key) : given.get(0).name;
  }

  /** What was written, null where nothing was. */
  @Nullable String get(String key) {
    List<Value> given = values.get(key);
    return given == null ? null : given.get(0).text;
  }

  /**
   * The values of an option that may be repeated, as {@code reader} understands them.
   *
   * @throws IllegalArgumentException with what {@code reader} says, and which option it is
   */
  <T> List<T> readEach(String key, Function<String, T> reader) {
    List<T> read = new ArrayList<>();
    for (Value value : values.getOrDefault(key, List.of())) {
      try {
        if (!value.text.isEmpty()) {
          read.add(reader.apply(value.text));
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(value.name + ": " + e.getMessage(), e);
      }
    }
    return read;
  }

  /**
   * The value as {@code reader} understands it.
   *
   * @param absent for when nothing was written
   * @throws IllegalArgumentException with what {@code reader} says, and which option it is
   */
  <T> T read(String key, T absent, Function<String, T> reader) {
    T value = readIfGiven(key, reader);
    return value == null ? absent : value;
  }

  /** The same, null where nothing was written. */
  <T> @Nullable T readIfGiven(String key, Function<String, T> reader) {
    String text = get(key);
    if (text == null || text.isEmpty()) {
      return null;
    }
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(inPlace(key, String.valueOf(e.getMessage())), e);
    }
  }

  /** A message with the option's name and place before it, which it may have begun with itself. */
  private String inPlace(String key, String message) {
    String plain = name("", key);
    return message.startsWith("option '")
        ? message.replace(plain, name(key))
        : name(key) + ": " + message;
  }

  boolean flag(String key, boolean absent) {
    String text = get(key);
    if (text == null) {
      return absent;
    }
    if (text.equals("false")) {
      return false;
    }
    if (text.equals("true")) {
      return true;
    }
    throw new IllegalArgumentException(name(key) + " is '" + text + "': it must be true or false");
  }

  int number(String key, int absent, int least, int most) {
    String text = get(key);
    if (text == null) {
      return absent;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, with the range.
    }
    throw new IllegalArgumentException(
        name(key) + " is '" + text + "': it must be a number from " + least + " to " + most);
  }

  List<Path> paths(String key) {
    return read(key, List.of(), Settings::parsePaths);
  }

  private static List<Path> parsePaths(String text) {
    List<Path> paths = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      try {
        paths.add(Paths.get(part.trim()).toAbsolutePath());
      } catch (InvalidPathException e) {
        throw new IllegalArgumentException("'" + part + "' is not a path", e);
      }
    }
    return List.copyOf(paths);
  }
}
