package org.buftrail.it.states;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text report: headline, leaks, suspects, misuses and the tree. */
final class TextReader {
  private static final String BYTES = "[\\d.,]+ [KMG]?i?B";
  private static final Pattern TOTAL =
      Pattern.compile(
          "  (allocated|released|LEAKED|held|dropped|live) +([\\d,]+)( +(?:-|" + BYTES + "))?(.*)");
  private static final Pattern PART =
      Pattern.compile("(direct memory|heap), ([\\d,]+) flows?, (" + BYTES + ")");
  private static final Pattern RESOURCES =
      Pattern.compile("  of these .*Lease: closed ([\\d,]+), leaked ([\\d,]+), live ([\\d,]+)");
  private static final Pattern LEAK =
      Pattern.compile("LEAK \\d+ of \\d+ .*?\\)  ([\\d,]+) flows?(?:, (" + BYTES + "))?.*");
  private static final Pattern LAST_SEEN =
      Pattern.compile("  last (?:seen|read) in (\\S+) with .*");
  private static final Pattern SUSPECT =
      Pattern.compile("  ([\\d,]+) flows?, (" + BYTES + ") live in (\\S+)");
  private static final Pattern MISUSE =
      Pattern.compile("  ([\\d,]+) x (double release|use after release) at (\\S+)");
  private static final Pattern TREE_ROW =
      Pattern.compile("((?: +(?:[\\d,]+|-)){4,5})  [ |+-]*(\\S+) \\[[^]]*\\].*");

  private final Told told = new Told();
  private final Told leaks = new Told();
  private final Told tree = new Told();
  private List<String> columns = List.of();
  private String leak = "";
  private String before = "";

  private TextReader() {}

  static Told read(String text) {
    TextReader reader = new TextReader();
    text.lines().forEach(reader::line);
    StatusWords.read(text, reader.told);
    return reader.told.alsoIn(reader.leaks).alsoIn(reader.tree);
  }

  private void line(String line) {
    headline(line);
    Matcher suspect = SUSPECT.matcher(line);
    if (suspect.matches()) {
      told.add("suspects", 1);
      told.row(Words.place(suspect.group(3)), "suspect", Words.count(suspect.group(1)));
    }
    Matcher misuse = MISUSE.matcher(line);
    if (misuse.matches()) {
      String kind = misuse.group(2).startsWith("double") ? "releases" : "uses";
      told.row(Words.place(misuse.group(3)), kind, Words.count(misuse.group(1)));
      told.add("misuses", Words.count(misuse.group(1)));
    }
    leak(line);
    tree(line);
  }

  private void headline(String line) {
    Matcher total = TOTAL.matcher(line);
    if (columns.isEmpty() && total.matches()) {
      String name = total.group(1).equals("LEAKED") ? "leaked" : total.group(1);
      told.put(name, Words.count(total.group(2)));
      if (total.group(3) != null && !total.group(3).isBlank() && !name.equals("held")) {
        told.put(name + "Bytes", Words.bytes(total.group(3)));
      }
      Matcher part = PART.matcher(total.group(4));
      while (part.find()) {
        String memory = part.group(1).equals("heap") ? "heap" : "direct";
        told.put(memory + ".leaked", Words.count(part.group(2)));
        told.put(memory + ".leakedBytes", Words.bytes(part.group(3)));
      }
      Matcher direct = Pattern.compile("; direct (" + BYTES + ")").matcher(total.group(4));
      if (direct.find()) {
        told.put("direct.liveBytes", Words.bytes(direct.group(1)));
      }
    }
    Matcher resources = RESOURCES.matcher(line);
    if (resources.matches()) {
      told.put("resource.released", Words.count(resources.group(1)));
      told.put("resource.leaked", Words.count(resources.group(2)));
      told.put("resource.live", Words.count(resources.group(3)));
    }
  }

  private void leak(String line) {
    if (LEAK.matcher(line).matches()) {
      leak = line;
    }
    Matcher last = LAST_SEEN.matcher(line);
    Matcher head = LEAK.matcher(leak);
    if (last.matches() && head.matches()) {
      String place = Words.place(last.group(1));
      if (head.group(2) == null) {
        leaks.row(place, "leaked", Words.count(head.group(1)));
      } else {
        leaks.row(place, "leaked", Words.count(head.group(1)), Words.bytes(head.group(2)));
      }
      leaks.row(place, "held", Words.before("more", leak.replace("holding ", "")));
    }
  }

  private void tree(String line) {
    if (line.startsWith("    passed ")) {
      columns = List.of(line.strip().split(" +", -1));
      return;
    }
    Matcher row = TREE_ROW.matcher(line);
    if (columns.isEmpty() || !row.matches()) {
      return;
    }
    String[] counts = row.group(1).strip().split(" +", -1);
    String place = Words.isRelease(row.group(2)) ? before : Words.place(row.group(2));
    before = place;
    for (int i = 1; i < counts.length; i++) {
      tree.row(place, columns.get(i), Words.count(counts[i]));
    }
    if (!counts[columns.indexOf("live")].equals("-")) {
      told.add(place + ".rows", 1);
    }
  }
}
