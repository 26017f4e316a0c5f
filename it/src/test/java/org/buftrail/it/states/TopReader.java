package org.buftrail.it.states;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code top} prints. */
final class TopReader {
  private static final String BYTES = "[\\d.,]+ [KMG]?i?B";
  private static final Pattern TOTAL =
      Pattern.compile("(live|leaked|dropped) (" + BYTES + ") in ([\\d,]+)");
  private static final Pattern SUSPECT =
      Pattern.compile("(" + BYTES + ") in ([\\d,]+) live on (\\d+) suspect paths?.*");
  private static final Pattern ROW =
      Pattern.compile(
          " *(-|"
              + BYTES
              + ") +(-|[\\d,]+) +(-|"
              + BYTES
              + ") +(-|[\\d,]+) +([\\d.,]*) +(\\S+) ([!? ]) (.*)");

  private TopReader() {}

  static Told read(String text) {
    Told told = new Told();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        row(row, told);
      } else {
        head(line, told);
      }
    }
    return told;
  }

  private static void head(String line, Told told) {
    Matcher total = TOTAL.matcher(line.replaceAll("direct live.*", ""));
    while (line.startsWith("live ") && total.find()) {
      told.put(total.group(1), Words.count(total.group(3)));
      told.put(total.group(1) + "Bytes", Words.bytes(total.group(2)));
    }
    Matcher direct = Pattern.compile("direct live (" + BYTES + ")").matcher(line);
    if (direct.find()) {
      told.put("direct.liveBytes", Words.bytes(direct.group(1)));
    }
    Matcher counted =
        Pattern.compile("(allocated|overflowed|errors|misuses) ([\\d,]+)").matcher(line);
    while (counted.find() && !line.contains("buftrail ")) {
      told.put(counted.group(1), Words.count(counted.group(2)));
    }
    Matcher sampling = Pattern.compile("1 in ([\\d,]+) followed").matcher(line);
    if (sampling.find()) {
      told.put("sampling", Words.count(sampling.group(1)));
    }
    Matcher suspect = SUSPECT.matcher(line);
    if (suspect.matches()) {
      told.put("suspects", Words.count(suspect.group(3)));
    }
    Matcher stopped = Pattern.compile("NOT FOLLOWING .* since \\S+: (.*)").matcher(line);
    if (stopped.matches()) {
      told.put("stopped", 1).put("stopped: " + stopped.group(1), 1);
    }
  }

  private static void row(Matcher row, Told told) {
    List<String> hops = Arrays.asList(row.group(8).split(" < ", -1));
    String place = Words.place(hops.get(0));
    long live = Words.count(row.group(2));
    told.row(place, "live", live, Words.bytes(row.group(1)));
    told.row(place, "leaked", Words.count(row.group(4)), Words.bytes(row.group(3)));
    if (live > 0) {
      told.add(place + ".rows", 1);
    }
    if (row.group(7).equals("?")) {
      told.row(place, "suspect", live);
    }
  }
}
