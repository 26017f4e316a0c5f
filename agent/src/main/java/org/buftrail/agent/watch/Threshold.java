package org.buftrail.agent.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.buftrail.model.Figure;
import org.buftrail.model.FigureValues;
import org.buftrail.options.AmountReader;

/** A {@link Figure} that somebody wants to hear of when it passes a limit. Immutable. */
public final class Threshold {
  private final Figure figure;
  private final long limit;

  private Threshold(Figure figure, long limit) {
    this.figure = figure;
    this.limit = limit;
  }

  /**
   * Reads {@code liveBytes>512m,leaked>10,oldest>10m}.
   *
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  public static List<Threshold> parse(String text) {
    List<Threshold> all = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int sign = part.indexOf('>');
      if (sign < 0) {
        throw new IllegalArgumentException(
            "'" + part.trim() + "' is not of the form liveBytes>512m");
      }
      Figure figure = figure(part.substring(0, sign).trim());
      all.add(new Threshold(figure, limit(figure, part.substring(sign + 1).trim())));
    }
    return all;
  }

  private static Figure figure(String name) {
    Figure figure = Figure.of(Figure.Place.ALERT, name);
    if (figure == null) {
      StringBuilder known = new StringBuilder();
      for (Figure each : Figure.in(Figure.Place.ALERT)) {
        known.append(known.length() == 0 ? "" : ", ").append(each.name(Figure.Place.ALERT));
      }
      throw new IllegalArgumentException("'" + name + "' is not one of " + known);
    }
    return figure;
  }

  private static long limit(Figure figure, String text) {
    switch (figure.unit()) {
      case BYTES:
        return AmountReader.bytes(text);
      case MILLIS:
        return AmountReader.millis(text);
      default:
        return AmountReader.count(text);
    }
  }

  /** The name that the option takes. */
  public String name() {
    return Objects.requireNonNull(figure.name(Figure.Place.ALERT));
  }

  long value(FigureValues figures) {
    return figures.get(figure);
  }

  /** The limit above which the threshold reports. */
  public long limit() {
    return limit;
  }

  /** Whether the figure can fall again; others only grow. */
  boolean falls() {
    return figure.kind() == Figure.Kind.GAUGE;
  }

  /** {@code liveBytes is 600000000, above 536870912}. */
  String describe(long value) {
    String unit = figure.unit() == Figure.Unit.MILLIS ? " ms" : "";
    return name() + " is " + value + unit + ", above " + limit + unit;
  }
}
