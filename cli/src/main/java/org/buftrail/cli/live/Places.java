package org.buftrail.cli.live;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.model.Path;

/** Names the paths of rows so that no two different ones read alike. Stateless. */
final class Places {
  /** Between the last hop and the one that tells a path from others. */
  private static final String SKIPPED = " < .. < ";

  /** The same where none is left out, and where there is little room. */
  private static final String NEXT = " < ";

  private final List<Path> paths;
  private final int room;
  private final String[] texts;

  private Places(List<Path> paths, int room) {
    this.paths = paths;
    this.room = room;
    this.texts = new String[paths.size()];
  }

  /**
   * A text for each path, none longer than {@code room}.
   *
   * @param room in characters
   */
  static List<String> of(List<Path> paths, int room) {
    Places places = new Places(paths, room);
    Map<String, List<Integer>> alike = new LinkedHashMap<>();
    for (int i = 0; i < paths.size(); i++) {
      places.texts[i] = TopText.place(paths.get(i), room);
      alike.computeIfAbsent(places.texts[i], text -> new ArrayList<>()).add(i);
    }
    alike.values().forEach(rows -> places.tellApart(rows, 1));
    places.number();
    return List.of(places.texts);
  }

  /** By the nearest hop in which they differ; by reference count and memory if in none. */
  private void tellApart(List<Integer> rows, int from) {
    if (rows.size() < 2) {
      return;
    }
    for (int back = from; isAnyLonger(rows, back); back++) {
      Map<String, List<Integer>> byHop = new LinkedHashMap<>();
      for (int row : rows) {
        String hop = TopText.hopBefore(paths.get(row), back);
        byHop.computeIfAbsent(hop, h -> new ArrayList<>()).add(row);
      }
      if (byHop.size() > 1) {
        int next = back + 1;
        String between = back == 1 ? NEXT : SKIPPED;
        byHop.forEach(
            (hop, some) -> {
              some.forEach(row -> texts[row] = text(row, between, hop.isEmpty() ? "-" : hop));
              tellApart(some, next);
            });
        return;
      }
    }
    for (int row : rows) {
      Path path = paths.get(row);
      String refs = path.hops().get(path.hops().size() - 1).refs();
      String memory = path.resource() != null ? "" : path.isDirect() ? " direct" : " heap";
      texts[row] = text(row, "", " [" + TopText.printable(refs) + "]" + memory);
    }
  }

  private boolean isAnyLonger(List<Integer> rows, int back) {
    return rows.stream().anyMatch(row -> paths.get(row).hops().size() > back);
  }

  /** Half the room is for the last hop, or less if that is short. */
  private String text(int row, String between, String told) {
    String last = TopText.hopBefore(paths.get(row), 0);
    int most = Math.max(room / 2, room - last.length());
    String end = between + told;
    if (end.length() > most) {
      String shorter = between.isEmpty() ? "" : NEXT;
      end = shorter + TopText.cut(told, Math.max(1, most - shorter.length()));
    }
    int left = Math.max(1, room - end.length());
    return TopText.cut(last, left) + end;
  }

  /** What reads alike still, since hops were cut or left out, gets a number. */
  private void number() {
    Set<String> taken = new HashSet<>();
    for (int row = 0; row < texts.length; row++) {
      String text = texts[row];
      for (int number = 2; !taken.add(text); number++) {
        String end = " #" + number;
        int left = Math.max(0, Math.min(texts[row].length(), room - end.length()));
        text = texts[row].substring(0, left) + end;
      }
      texts[row] = text;
    }
  }
}
