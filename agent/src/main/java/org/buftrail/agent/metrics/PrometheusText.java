package org.buftrail.agent.metrics;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.buftrail.model.Figure;
import org.buftrail.model.FigureValues;
import org.buftrail.model.Snapshot;

/**
 * {@linkplain Figure Figures} in the text format that Prometheus scrapes, version 0.0.4.
 *
 * <p>Labels are the memory, the root and the type of a resource alone: a few dozen series however
 * many paths there are. Thread-safe.
 */
public final class PrometheusText {
  /** The content type. */
  public static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /**
   * The highest value reported, by name and labels. A count may be taken back, such as that of a
   * buffer that is kept for ever, or of a leak that turns out to be held by another; a counter must
   * not fall.
   */
  private final Map<String, Long> highest = new ConcurrentHashMap<>();

  /**
   * Writes all metrics.
   *
   * @param all everything since the start, whatever was reset
   * @throws IOException when {@code out} does
   */
  public void write(Snapshot all, Appendable out) throws IOException {
    FigureValues values = FigureValues.of(all);
    for (Figure figure : Figure.in(Figure.Place.PROMETHEUS)) {
      Map<String, Long> series = values.series(figure);
      if (!series.isEmpty()) {
        write(figure, series, out);
      }
    }
  }

  private void write(Figure figure, Map<String, Long> series, Appendable out) throws IOException {
    String name = Objects.requireNonNull(figure.name(Figure.Place.PROMETHEUS));
    String kind = figure.kind().name().toLowerCase(Locale.ROOT);
    out.append("# HELP ").append(name).append(' ').append(figure.help()).append(".\n");
    out.append("# TYPE ").append(name).append(' ').append(kind).append('\n');
    for (Map.Entry<String, Long> each : series.entrySet()) {
      String sample = name + labels(figure.label(), each.getKey());
      out.append(sample).append(' ').append(value(figure, sample, each.getValue())).append('\n');
    }
  }

  private static String labels(Figure.Label label, String value) {
    String key = label.name().toLowerCase(Locale.ROOT);
    return label == Figure.Label.NONE ? "" : "{" + key + "=\"" + escape(value) + "\"}";
  }

  private String value(Figure figure, String sample, long value) {
    if (figure.unit() == Figure.Unit.MILLIS) {
      return seconds(Math.max(0, value));
    }
    boolean isCounter = figure.kind() == Figure.Kind.COUNTER;
    return Long.toString(isCounter ? highest.merge(sample, value, Math::max) : value);
  }

  /** {@code 12.5}, never with an exponent. */
  private static String seconds(long millis) {
    String fraction = String.format(Locale.ROOT, "%03d", millis % 1_000);
    return millis / 1_000 + "." + fraction.replaceAll("(?<=\\d)0+$", "");
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
