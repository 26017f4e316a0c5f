package org.buftrail.museum;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Whether the sentence on what became of the others is right: 150 of 200 visits go well, and 50 do
 * not, so what it counts is a multiple of these.
 */
enum Contrasted {
  RIGHT("right"),
  WRONG("wrong"),
  NONE("-");

  private static final long MISTAKEN = 50;

  final String text;

  Contrasted(String text) {
    this.text = text;
  }

  static Contrasted of(JsonNode report) {
    JsonNode leak = Named.firstLeak(report);
    if (leak == null || !leak.has("contrast")) {
      return NONE;
    }
    long released = leak.path("contrast").path("released").asLong();
    return released > 0 && released % MISTAKEN == 0 ? RIGHT : WRONG;
  }
}
