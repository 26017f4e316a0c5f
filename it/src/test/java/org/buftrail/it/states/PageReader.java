package org.buftrail.it.states;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.web.Browser;

/** The page as it is on the screen: cards, warnings, leaks, suspects, misuses and the table. */
final class PageReader {
  /** The texts of what can be seen, each element's parts apart. */
  private static final String TEXTS =
      "const texts = (css, parts) => [...document.querySelectorAll(css)]"
          + ".filter(e => e.getClientRects().length > 0)"
          + ".map(e => parts ? [...e.children].map(c => c.innerText) : e.innerText.split('\\n'));"
          + "return {cards: texts('.card', true), warnings: texts('.warnings li', false),"
          + " leaks: texts('[aria-labelledby=leaks-title] summary', true),"
          + " suspects: texts('[aria-labelledby=suspects-title] summary', true),"
          + " misuses: texts('[aria-labelledby=misuses-title] summary', true),"
          + " head: texts('[aria-labelledby=paths-title] .vhead', true),"
          + " rows: texts('[aria-labelledby=paths-title] .vbody .vrow', true),"
          + " broken: texts('.failed-section, .fault', false)}";

  private static final String LAST_READ = ", last read in ";

  private static final Pattern LEAKED_PART =
      Pattern.compile("(?:critical|moderate): ([\\d.,]+ \\w+) of (direct memory|heap)");
  private static final Pattern LIVE_PART =
      Pattern.compile("([\\d.,]+ \\w+) direct, ([\\d.,]+ \\w+) heap");
  private static final Map<String, String> COLUMNS =
      Map.of(
          "Leaks", "leaked",
          "Live flows", "live",
          "Dropped", "dropped",
          "Releases", "released");

  private final Told told = new Told();
  private final Map<?, ?> texts;

  private PageReader(Map<?, ?> texts) {
    this.texts = texts;
  }

  static Told read(Browser browser) {
    return new PageReader((Map<?, ?>) browser.run(TEXTS)).told();
  }

  private Told told() {
    for (List<String> broken : all("broken")) {
      throw new AssertionError("the page says: " + broken);
    }
    all("cards").forEach(this::card);
    for (List<String> warning : all("warnings")) {
      String line = String.join(" ", warning);
      StatusWords.read(line, told);
      put("misuses", Words.before("uses? of buffers that were released already", line));
    }
    Told lists = new Told();
    for (List<String> leak : all("leaks")) {
      String place = Words.place(end(leak.get(1)));
      lists.row(place, "leaked", leaks(leak));
      lists.row(place, "leakedBytes", Words.bytes(leak.get(2)));
      lists.row(place, "held", Words.before("more", leak.get(3)));
    }
    for (List<String> suspect : all("suspects")) {
      told.add("suspects", 1);
      lists.row(Words.place(suspect.get(1)), "suspectBytes", Words.bytes(suspect.get(2)));
    }
    for (List<String> misuse : all("misuses")) {
      String kind = misuse.get(0).startsWith("double") ? "releases" : "uses";
      lists.row(Words.place(misuse.get(1)), kind, Words.count(misuse.get(2).replace("×", "")));
    }
    Told rows = new Told();
    all("rows").forEach(row -> row(row, rows));
    return told.alsoIn(lists).alsoIn(rows);
  }

  /**
   * Where a path ends, which stands behind the hop that had the buffers where the end only read.
   */
  private static String end(String name) {
    int owner = name.indexOf(LAST_READ);
    return owner < 0 ? name : name.substring(owner + LAST_READ.length());
  }

  /** A list of buffers says it in the note, one of resources in the figure. */
  private static long leaks(List<String> leak) {
    String figure = leak.get(2);
    return figure.endsWith("×")
        ? Words.count(figure.replace("×", ""))
        : Words.before("flows?", leak.get(3));
  }

  private void card(List<String> card) {
    String name = card.get(0).toLowerCase(Locale.ROOT);
    told.put(name, Words.before("flows?", card.get(2)));
    told.put(name + "Bytes", Words.bytes(card.get(1)));
    for (String note : card.subList(3, card.size())) {
      Matcher leaked = LEAKED_PART.matcher(note);
      if (leaked.matches()) {
        String memory = leaked.group(2).equals("heap") ? "heap" : "direct";
        told.put(memory + ".leakedBytes", Words.bytes(leaked.group(1)));
      }
      Matcher live = LIVE_PART.matcher(note);
      if (live.matches()) {
        told.put("direct.liveBytes", Words.bytes(live.group(1)));
        told.put("heap.liveBytes", Words.bytes(live.group(2)));
      }
      put("resource.leaked", Words.before("resources? not closed", note));
      put("resource.live", Words.before("resources? open", note));
      put("held", Words.before("more flows?", note));
      StatusWords.read(note, told);
    }
  }

  private void put(String name, long value) {
    if (value > 0) {
      told.put(name, value);
    }
  }

  private void row(List<String> row, Told rows) {
    List<String> head =
        all("head").get(0).stream()
            .map(label -> label.replaceAll("[^A-Za-z ]", "").strip())
            .toList();
    String place = Words.place(row.get(0));
    COLUMNS.forEach(
        (label, end) -> {
          int column = head.indexOf(label);
          if (column >= 0) {
            rows.row(place, end, Words.count(row.get(column)));
          } else if (!end.equals("dropped")) {
            rows.row(place, end, 0);
          }
        });
    int live = head.indexOf("Live flows");
    if (live >= 0 && Words.count(row.get(live)) > 0) {
      rows.add(place + ".rows", 1);
      bytes(rows, place, "liveBytes", row, head.indexOf("Live"));
    }
    bytes(rows, place, "leakedBytes", row, head.indexOf("Leaked"));
  }

  /** The table has no column for what no path has. */
  private static void bytes(Told rows, String place, String name, List<String> row, int column) {
    rows.row(place, name, column < 0 ? 0 : Words.bytes(row.get(column)));
  }

  @SuppressWarnings("unchecked")
  private List<List<String>> all(String name) {
    return Objects.requireNonNull((List<List<String>>) texts.get(name));
  }
}
