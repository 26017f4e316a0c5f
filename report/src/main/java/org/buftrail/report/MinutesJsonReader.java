package org.buftrail.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.buftrail.model.Births;
import org.buftrail.model.Minutes;
import org.buftrail.model.Path;
import org.buftrail.profile.json.JsonIn;
import org.jspecify.annotations.Nullable;

/** Reads what {@link MinutesJson} writes into a snapshot. */
final class MinutesJsonReader {
  private static final List<String> COLUMNS =
      List.of(
          "at",
          "released",
          "releasedBytes",
          "lost",
          "lostBytes",
          "live",
          "liveBytes",
          "born",
          "bornLive",
          "bornLiveBytes");

  /** How many columns have a row for each change. */
  private static final int OF_CHANGES = 7;

  private final JsonIn in;
  private final PathJsonReader paths;

  MinutesJsonReader(JsonIn in, PathJsonReader paths) {
    this.in = in;
    this.paths = paths;
  }

  /** Reads the member's value. */
  Minutes read() throws IOException {
    long began = 0;
    long[] ends = {};
    Minutes.Series total = null;
    List<Minutes.Series> series = List.of();
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "beganAt":
          began = in.time().toEpochMilli();
          break;
        case "ends":
          ends = numbers();
          break;
        case "total":
          total = series();
          break;
        case "paths":
          series = in.list(each -> series());
          break;
        default:
          in.skip();
      }
    }
    check(began, ends, total, series);
    return new Minutes(
        began,
        ends,
        total == null
            ? new Minutes.Series(List.of(), false, Path.Flows.NONE, List.of(), null)
            : total,
        series);
  }

  private void check(
      long began, long[] ends, Minutes.@Nullable Series total, List<Minutes.Series> all)
      throws IOException {
    if (ends.length == 0 || total == null) {
      throw in.fault("\"minutes\" needs \"ends\" with a number, and \"total\"");
    }
    long last = began;
    for (long end : ends) {
      if (end <= last) {
        throw in.fault("the \"ends\" of \"minutes\" must rise from \"beganAt\" on");
      }
      last = end;
    }
    List<Minutes.Series> checked = new ArrayList<>(all);
    checked.add(total);
    for (Minutes.Series series : checked) {
      int before = -1;
      for (Minutes.Change change : series.changes()) {
        if (change.interval() <= before || change.interval() >= ends.length) {
          throw in.fault("\"at\" must rise and name intervals of \"ends\"");
        }
        before = change.interval();
      }
    }
  }

  private Minutes.Series series() throws IOException {
    List<Path.Hop> hops = List.of();
    boolean direct = false;
    long before = 0;
    long beforeBytes = 0;
    long[][] columns = new long[COLUMNS.size()][0];
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      int column = COLUMNS.indexOf(name);
      if (column >= 0) {
        columns[column] = numbers();
      } else if (name.equals("path")) {
        hops = paths.path().hops();
      } else if (name.equals("direct")) {
        direct = in.bool();
      } else if (name.equals("before")) {
        before = number();
      } else if (name.equals("beforeBytes")) {
        beforeBytes = number();
      } else {
        in.skip();
      }
    }
    for (int i = 0; i < columns.length; i++) {
      if (columns[i].length != columns[i < OF_CHANGES ? 0 : OF_CHANGES].length) {
        throw in.fault("the columns of \"minutes\" are not of one length");
      }
    }
    Path.Flows live = new Path.Flows(before, beforeBytes);
    return new Minutes.Series(hops, direct, live, changes(columns), births(columns));
  }

  private static List<Minutes.Change> changes(long[][] columns) {
    List<Minutes.Change> changes = new ArrayList<>();
    for (int i = 0; i < columns[0].length; i++) {
      changes.add(
          new Minutes.Change(
              (int) Math.max(-1, Math.min(Integer.MAX_VALUE, columns[0][i])),
              new Path.Flows(columns[1][i], columns[2][i]),
              new Path.Flows(columns[3][i], columns[4][i]),
              new Path.Flows(columns[5][i], columns[6][i])));
    }
    return changes;
  }

  private static @Nullable Births births(long[][] columns) {
    int size = columns[OF_CHANGES].length;
    long[] rows = new long[3 * size];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = columns[OF_CHANGES + i % 3][i / 3];
    }
    return size == 0 ? null : new Births(rows);
  }

  private long number() throws IOException {
    return in.wholeNumber(-Long.MAX_VALUE, Long.MAX_VALUE);
  }

  private long[] numbers() throws IOException {
    long[] numbers = new long[16];
    int size = 0;
    in.beginArray();
    while (in.nextElement()) {
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * size);
      }
      numbers[size++] = number();
    }
    return Arrays.copyOf(numbers, size);
  }
}
