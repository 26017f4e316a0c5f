package org.buftrail.it.states;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code diff} prints: how each measure was and is, and the paths that changed. */
final class DiffReader {
  private static final String AMOUNT = "[\\d.,]+(?: [KMG]?i?B)?";
  private static final Pattern MEASURE =
      Pattern.compile("(\\w+?)(?:_(objects|space))?  (" + AMOUNT + ") -> (" + AMOUNT + ")(.*)");
  private static final Pattern CHANGE =
      Pattern.compile(
          " +[-+]" + AMOUNT + " +(-|" + AMOUNT + ") +(" + AMOUNT + ")  (\\w+) +(\\S+)(.*)");

  private DiffReader() {}

  /** How it is; and how it was, with {@code before} in front. */
  static Told read(String text) {
    Told told = new Told();
    String kind = "";
    String suffix = "";
    for (String line : text.lines().toList()) {
      Matcher measure = MEASURE.matcher(line);
      if (measure.matches()) {
        kind = measure.group(1);
        suffix = "space".equals(measure.group(2)) ? "Bytes" : "";
        told.put(kind + suffix, value(measure.group(4)));
        told.put("before " + kind + suffix, value(measure.group(3)));
      }
      Matcher change = CHANGE.matcher(line);
      if (change.matches()) {
        told.add("changes", 1);
        change(kind + suffix, change, told);
      }
    }
    return told;
  }

  private static void change(String measure, Matcher change, Told told) {
    String[] hops = (change.group(4) + change.group(5)).split(" < ", -1);
    boolean isRelease = Words.isRelease(hops[0]);
    String place = Words.place(Arrays.asList(hops).get(isRelease ? 1 : 0));
    if (measure.equals("misuses")) {
      told.add("misuses on changed paths", value(change.group(2)));
    } else if (!measure.startsWith("allocated")) {
      told.row(place, measure, value(change.group(2)));
    } else if (isRelease) {
      told.row(place, measure.replace("allocated", "released"), value(change.group(2)));
    }
  }

  private static long value(String text) {
    return text.endsWith("B") ? Words.bytes(text) : Words.count(text);
  }
}
