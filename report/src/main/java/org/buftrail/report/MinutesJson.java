package org.buftrail.report;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.buftrail.model.Births;
import org.buftrail.model.Minutes;
import org.buftrail.model.Path;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * Writes the member {@code minutes} of {@link SnapshotJson} and of a page: what happened in the
 * last 24 hours, interval by interval.
 *
 * <pre>
 * {"beganAt":"2026-01-31T11:00:07.000Z","ends":[..],
 *  "total":{"before":..,"beforeBytes":..,"at":[..],"released":[..],"releasedBytes":[..],
 *           "lost":[..],"lostBytes":[..],"live":[..],"liveBytes":[..],
 *           "born":[..],"bornLive":[..],"bornLiveBytes":[..]},
 *  "paths":[{"path":{"hops":[..],"refs":[..],"sites":[..]},"direct":true,"before":..,..},..]}
 * </pre>
 *
 * <p>{@code ends} are milliseconds since the epoch. {@code at} are the numbers of the intervals in
 * which something changed on a path, from 0; {@code released} and {@code lost} are of that interval
 * and {@code live} is at its end; {@code before} was live when the first began. {@code born} are
 * the minutes, in milliseconds since the epoch, in which something began that is live now.
 */
public final class MinutesJson {
  /** Says which path a series is of. */
  private interface Identity {
    void write(Minutes.Series series, JsonOut json) throws IOException;
  }

  private MinutesJson() {}

  /** Writes the member of a snapshot, or nothing where nobody kept it. */
  static void write(@Nullable Minutes minutes, JsonOut json) throws IOException {
    if (minutes != null) {
      write(minutes, MinutesJson::path, json.name("minutes"));
    }
  }

  /**
   * Writes the value for a page, where a path is the text of its hops.
   *
   * @throws IOException when {@code json} does
   */
  public static void writeForPage(Minutes minutes, JsonOut json) throws IOException {
    write(minutes, MinutesJson::text, json);
  }

  private static void path(Minutes.Series series, JsonOut json) throws IOException {
    json.name("path").beginObject();
    SnapshotJson.hops(series.hops(), json);
    json.endObject();
  }

  private static void text(Minutes.Series series, JsonOut json) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path.Hop hop : series.hops()) {
      text.append(text.length() == 0 ? "" : " > ").append(hop.site());
    }
    json.name("hops").value(text.toString());
  }

  private static void write(Minutes minutes, Identity identity, JsonOut json) throws IOException {
    json.beginObject();
    json.name("beganAt").value(Instant.ofEpochMilli(minutes.begin(0)).toString());
    json.name("ends").beginArray();
    for (int i = 0; i < minutes.size(); i++) {
      json.value(minutes.end(i));
    }
    json.endArray().name("total").beginObject();
    columns(minutes.total(), json);
    json.endObject().name("paths").beginArray();
    for (Minutes.Series series : minutes.paths()) {
      json.newLine().beginObject();
      identity.write(series, json);
      json.name("direct").value(series.isDirect());
      columns(series, json);
      json.endObject();
    }
    json.endArray().endObject();
  }

  private static void columns(Minutes.Series series, JsonOut json) throws IOException {
    json.name("before").value(series.before().count());
    json.name("beforeBytes").value(series.before().bytes());
    column("at", series, Minutes.Change::interval, json);
    column("released", series, change -> change.released().count(), json);
    column("releasedBytes", series, change -> change.released().bytes(), json);
    column("lost", series, change -> change.lost().count(), json);
    column("lostBytes", series, change -> change.lost().bytes(), json);
    column("live", series, change -> change.live().count(), json);
    column("liveBytes", series, change -> change.live().bytes(), json);
    Births births = series.births();
    List<long[]> born = new ArrayList<>();
    for (int i = 0; births != null && i < births.size(); i++) {
      Path.Flows flows = births.flows(i);
      born.add(new long[] {births.minute(i), flows.count(), flows.bytes()});
    }
    born("born", born, 0, json);
    born("bornLive", born, 1, json);
    born("bornLiveBytes", born, 2, json);
  }

  private static void column(
      String name, Minutes.Series series, ToLongFunction<Minutes.Change> value, JsonOut json)
      throws IOException {
    json.name(name).beginArray();
    for (Minutes.Change change : series.changes()) {
      json.value(value.applyAsLong(change));
    }
    json.endArray();
  }

  private static void born(String name, List<long[]> rows, int column, JsonOut json)
      throws IOException {
    json.name(name).beginArray();
    for (long[] row : rows) {
      json.value(row[column]);
    }
    json.endArray();
  }
}
