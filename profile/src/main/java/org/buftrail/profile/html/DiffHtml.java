package org.buftrail.profile.html;

import java.io.IOException;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.buftrail.profile.diff.Measure;
import org.buftrail.profile.diff.ProfileDiff;
import org.buftrail.profile.diff.Side;
import org.buftrail.profile.json.JsonOut;

/** A comparison as a self-contained page: a differential flame graph and a table of functions. */
public final class DiffHtml {
  private DiffHtml() {}

  /**
   * Writes the page.
   *
   * @param base name of the one side
   * @param now name of the other
   * @throws IOException when {@code out} does
   */
  public static void write(ProfileDiff diff, String base, String now, Appendable out)
      throws IOException {
    HtmlPage.write(json -> model(diff, base, now, new JsonOut(json)), out);
  }

  /** Both sides together by measure, made when asked for: a page has room for all, not a heap. */
  private static final class Sums extends AbstractList<long[]> {
    private final List<Measure> measures;

    Sums(List<Measure> measures) {
      this.measures = measures;
    }

    @Override
    public long[] get(int index) {
      long[] sums = measures.get(index).base();
      long[] after = measures.get(index).now();
      Arrays.setAll(sums, node -> sums[node] + after[node]);
      return sums;
    }

    @Override
    public int size() {
      return measures.size();
    }
  }

  private static void model(ProfileDiff diff, String base, String now, JsonOut json)
      throws IOException {
    Folding folding = new Folding(diff.trie(), new Sums(diff.measures()), ProfileHtml.MAX_NODES, 0);
    PageColumns.head(json, "diff");
    json.name("title").value("What changed");
    json.name("facts").beginArray();
    json.beginArray().value("Base").value(side(base, diff.base())).endArray();
    json.beginArray().value("New").value(side(now, diff.now())).endArray().endArray();
    json.name("folded").value(folding.folded());
    PageColumns.texts(json, "names", diff.names());
    List<String> kinds =
        diff.types().stream()
            .map(DiffHtml::kind)
            .distinct()
            .collect(Collectors.toUnmodifiableList());
    PageColumns.texts(json, "types", kinds);
    json.name("frames").beginObject();
    PageColumns.column(json, "name", diff.names().size(), i -> i);
    PageColumns.column(json, "line", diff.names().size(), i -> 0);
    PageColumns.column(
        json, "type", diff.names().size(), i -> kinds.indexOf(kind(diff.types().get(i))));
    json.endObject().name("nodes").beginObject();
    PageColumns.trie(json, folding.trie(), row -> row);
    json.endObject().name("profiles").beginArray();
    for (Measure measure : diff.measures()) {
      profile(json, measure, folding);
    }
    json.endArray().endObject();
  }

  private static String side(String name, Side side) {
    return side.text().isEmpty() ? name : name + ": " + side.text();
  }

  /** Formats that say nothing of it mostly hold Java code. */
  private static String kind(String type) {
    return type.isEmpty() ? "jvm" : type;
  }

  /** The base is as measured, errors are in hundredths of the unit. */
  private static void profile(JsonOut json, Measure measure, Folding folding) throws IOException {
    long[] base = folding.moved(measure.base());
    long[] now = folding.moved(measure.now());
    double[] variances = folding.moved(measure.variances());
    int[] nodes = IntStream.range(0, base.length).filter(i -> (base[i] | now[i]) != 0).toArray();
    json.beginObject().name("name").value(measure.kind());
    json.name("type").value(measure.type()).name("unit").value(measure.unit());
    PageColumns.column(json, "nodes", nodes.length, i -> nodes[i]);
    PageColumns.column(json, "values", nodes.length, i -> now[nodes[i]]);
    PageColumns.column(json, "base", nodes.length, i -> base[nodes[i]]);
    PageColumns.column(
        json, "error", nodes.length, i -> Math.round(100 * Math.sqrt(variances[nodes[i]])));
    json.name("sumError").value(Math.round(100 * measure.error()));
    json.name("factor").number(Double.toString(measure.factor()));
    json.name("scaledBy").value(measure.scale().name().toLowerCase(Locale.ROOT));
    json.endObject();
  }
}
