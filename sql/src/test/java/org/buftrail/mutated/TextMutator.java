package org.buftrail.mutated;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Changes JSON by its values, and collapsed stacks by their lines. */
final class TextMutator {
  private static final Pattern NUMBER = Pattern.compile("(?<=[:\\[, ])-?[0-9][0-9.eE+-]*");
  private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.){0,2000}\"");
  private static final int LONG_TEXT = 1_000_000;
  private static final int DEEP = 100_000;

  private final Random random;

  TextMutator(Random random) {
    this.random = random;
  }

  /** A value, a text, or a part of the text that goes or comes twice. */
  byte[] json(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return switch (random.nextInt(6)) {
      case 0, 1 ->
          replaced(
              text, NUMBER, Hostile.JSON_VALUES.get(random.nextInt(Hostile.JSON_VALUES.size())));
      case 2, 3 -> replaced(text, STRING, string());
      case 4 -> {
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + random.nextInt(200));
        yield utf8(text.substring(0, from) + text.substring(to));
      }
      default -> {
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + random.nextInt(2_000));
        String more = random.nextInt(10) == 0 ? "[".repeat(DEEP) : text.substring(from, to);
        yield utf8(text.substring(0, to) + more + text.substring(to));
      }
    };
  }

  private byte[] replaced(String text, Pattern what, String by) {
    List<MatchResult> found = what.matcher(text).results().toList();
    if (found.isEmpty()) {
      return utf8(text);
    }
    MatchResult one = found.get(random.nextInt(found.size()));
    return utf8(text.substring(0, one.start()) + by + text.substring(one.end()));
  }

  /** A hostile text in quotes, some of its characters escaped. */
  private String string() {
    if (random.nextInt(50) == 0) {
      return '"' + "A".repeat(LONG_TEXT) + '"';
    }
    String text = Hostile.TEXTS.get(random.nextInt(Hostile.TEXTS.size()));
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isEscaped = c < ' ' || c == '"' || c == '\\' || random.nextInt(3) == 0;
      quoted.append(isEscaped ? String.format("\\u%04x", (int) c) : String.valueOf(c));
    }
    return quoted.append('"').toString();
  }

  /** Some lines. */
  byte[] lines(byte[] bytes) {
    List<String> lines =
        new ArrayList<>(Arrays.asList(new String(bytes, StandardCharsets.UTF_8).split("\n", -1)));
    for (int i = 1 + random.nextInt(10); i > 0; i--) {
      int at = random.nextInt(lines.size());
      lines.set(at, line(lines.get(at)));
    }
    return utf8(String.join("\n", lines));
  }

  private String line(String line) {
    String text = Hostile.TEXTS.get(random.nextInt(Hostile.TEXTS.size())).replace("\n", "");
    long number = Hostile.NUMBERS[random.nextInt(Hostile.NUMBERS.length)];
    return switch (random.nextInt(6)) {
      case 0 -> text + ";" + line;
      case 1 -> line.replaceAll(" [0-9]+$", " " + number);
      case 2 -> "a;".repeat(1 + random.nextInt(3_000)) + "x 1";
      case 3 -> ";;;" + text + " 1e9";
      case 4 -> "";
      default -> line.replace(';', ' ');
    };
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
