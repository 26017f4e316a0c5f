package org.buftrail.museum;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whether the sentence on what became of the others is right: both of its numbers must be those of
 * the exhibit's own ledger, which it prints.
 */
enum Contrasted {
  RIGHT("right"),
  WRONG("wrong"),
  NONE("-");

  private static final Pattern LEDGER = Pattern.compile("ledger: (\\d+) well, (\\d+) not");

  final String text;

  Contrasted(String text) {
    this.text = text;
  }

  /**
   * @param output of the exhibit
   * @param others how many flows that came the same way each visit releases: one that goes well,
   *     and one with the mistake
   */
  static Contrasted of(JsonNode report, String output, Others others) {
    @Nullable JsonNode leak = Named.firstLeak(report);
    if (leak == null || !leak.has("contrast")) {
      return NONE;
    }
    Matcher ledger = LEDGER.matcher(output);
    if (!ledger.find()) {
      throw new IllegalArgumentException("no ledger: " + output);
    }
    long well = Long.parseLong(ledger.group(1));
    long mistaken = Long.parseLong(ledger.group(2));
    long released = others.ofOneThatWentWell() * well + others.ofOneMistaken() * mistaken;
    return leak.path("contrast").path("released").asLong() == released
            && leak.path("leaked").asLong() == mistaken
        ? RIGHT
        : WRONG;
  }

  /** How many flows that come the way of the leaked ones a visit releases. */
  record Others(int ofOneThatWentWell, int ofOneMistaken) {}
}
