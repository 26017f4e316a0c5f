package org.buftrail.profile.diff;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import org.buftrail.profile.json.JsonOut;

/**
 * A comparison for other tools: {@code "format":"buftrail.diff","version":1}.
 *
 * <pre>
 * {"format":"buftrail.diff","version":1,"base":"a.json","new":"b.json",
 *  "sides":[{"service":"..","host":"..","timeUnixNano":..,"durationNano":..},{..}],
 *  "failed":["new-leak: ..",..],
 *  "measures":[{"kind":"leaked","type":"leaked_space","unit":"bytes",
 *    "normalizedBy":"allocations","factor":"1.5","error":..,
 *    "measuredBase":..,"base":..,"new":..,"withinError":..,"changes":[
 *     {"change":"new","measuredBase":..,"base":..,"new":..,"frames":["root",..,"leaf"]},..]},..]}
 * </pre>
 *
 * <p>{@code base} is {@code measuredBase} multiplied with {@code factor}. Changes stand by their
 * size. Those within one sampling error are left out and counted as {@code withinError}; {@code
 * error} is the sampling error of the sums.
 */
public final class DiffJson {
  private static final int FACTOR_DIGITS = 6;

  private DiffJson() {}

  /**
   * Writes one comparison, ending with a line feed.
   *
   * @param base name of the one side
   * @param now name of the other
   * @param failed what is not as it should be, each in one line
   * @throws IOException when {@code out} does
   */
  public static void write(
      ProfileDiff diff, String base, String now, List<String> failed, Appendable out)
      throws IOException {
    JsonOut json = new JsonOut(out);
    json.beginObject().name("format").value("buftrail.diff").name("version").value(1);
    json.name("base").value(base).name("new").value(now);
    json.name("sides").beginArray();
    side(diff.base(), json);
    side(diff.now(), json);
    json.endArray();
    json.name("failed").texts(failed).name("measures").beginArray();
    for (Measure measure : diff.measures()) {
      measure(diff, measure, json.newLine());
    }
    json.endArray().endObject();
    out.append('\n');
  }

  /** Leaves out facts that are not known. */
  private static void side(Side side, JsonOut json) throws IOException {
    json.beginObject();
    if (!side.service().isEmpty()) {
      json.name("service").value(side.service());
    }
    if (!side.host().isEmpty()) {
      json.name("host").value(side.host());
    }
    if (side.timeNanos() > 0) {
      json.name("timeUnixNano").value(side.timeNanos());
    }
    if (side.durationNanos() > 0) {
      json.name("durationNano").value(side.durationNanos());
    }
    json.endObject();
  }

  private static void measure(ProfileDiff diff, Measure measure, JsonOut json) throws IOException {
    json.beginObject().name("kind").value(measure.kind()).name("type").value(measure.type());
    json.name("unit").value(measure.unit());
    json.name("normalizedBy").value(measure.scale().name().toLowerCase(Locale.ROOT));
    json.name("factor").value(factor(measure.factor()));
    json.name("error").value(Math.round(measure.error()));
    json.name("measuredBase").value(measure.measuredBaseTotal());
    json.name("base").value(measure.baseTotal()).name("new").value(measure.nowTotal());
    json.name("withinError").value(diff.withinError(measure));
    json.name("changes").beginArray();
    for (Change change : diff.changes(measure)) {
      json.newLine().beginObject();
      json.name("change").value(change.kind().name().toLowerCase(Locale.ROOT));
      json.name("measuredBase").value(change.measuredBase());
      json.name("base").value(change.base()).name("new").value(change.now());
      json.name("frames").texts(diff.frames(change.node())).endObject();
    }
    json.endArray().endObject();
  }

  /** With six significant digits, as text: JSON numbers here are whole. */
  private static String factor(double factor) {
    return BigDecimal.valueOf(factor)
        .round(new MathContext(FACTOR_DIGITS, RoundingMode.HALF_UP))
        .stripTrailingZeros()
        .toPlainString();
  }
}
