package org.buftrail.it.states;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the tracker says of itself, in the words that text and page have in common. */
final class StatusWords {
  private static final Pattern STOPPED =
      Pattern.compile(
          "(?:NOT FOLLOWING new buffers|have not been followed) since"
              + " \\d{4}-\\d\\d-\\d\\d[T ][\\d:.]+(?:Z| UTC): (.*)");

  private StatusWords() {}

  static void read(String text, Told told) {
    Matcher sampling = Pattern.compile("1 in ([\\d,]+) allocations was followed").matcher(text);
    if (sampling.find()) {
      told.put("sampling", Words.count(sampling.group(1)));
    }
    put(told, "overflowed", Words.before("flows? went past a bound", text));
    put(told, "errors", Words.before("errors? inside the tracker were kept", text));
    Matcher undecided =
        Pattern.compile("(?i:undecided): ([\\d,]+)|([\\d,]+) (?:of the live ones are )?undecided")
            .matcher(text);
    while (undecided.find()) {
      String count = undecided.group(1) == null ? undecided.group(2) : undecided.group(1);
      told.put("undecided", Words.count(count));
    }
    Matcher stopped = STOPPED.matcher(text);
    if (stopped.find()) {
      told.put("stopped", 1).put("stopped: " + reason(stopped.group(1)), 1);
    }
    if (text.contains("Name your packages with include=")) {
      told.put("no hops", 1);
    }
  }

  /** Without the full stop of a sentence. */
  static String reason(String text) {
    return text.strip().replaceAll("\\.$", "");
  }

  private static void put(Told told, String name, long value) {
    if (value > 0) {
      told.put(name, value);
    }
  }
}
