package org.buftrail.it.states;

import java.util.Arrays;
import java.util.List;

/** Collapsed stacks, as any tool for flame graphs takes them apart. */
final class StackReader {
  private StackReader() {}

  static Told read(String text) {
    Told told = new Told();
    text.lines().forEach(line -> line(line, told));
    return told;
  }

  private static void line(String line, Told told) {
    int blank = line.lastIndexOf(' ');
    long count = Long.parseLong(line.substring(blank + 1));
    List<String> frames = Arrays.asList(line.substring(0, blank).split(";", -1));
    String last = frames.get(frames.size() - 1);
    boolean isMarked = last.startsWith("[");
    String state = isMarked ? last.substring(1, last.length() - 1) : "released";
    List<String> hops = isMarked ? frames.subList(0, frames.size() - 1) : frames;
    told.add(state, count).add("allocated", count);
    told.row(Words.place(hops), state, count);
    if (state.equals("live")) {
      told.add(Words.place(hops) + ".rows", 1);
    }
  }
}
