package org.buftrail.report;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.buftrail.model.TrackerStatus;
import org.buftrail.profile.json.JsonIn;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/** The member {@code tracker} of {@link SnapshotJson}, both ways. */
final class StatusJson {
  private StatusJson() {}

  /** Writes the member, or nothing where there is nothing to say. */
  static void write(TrackerStatus status, JsonOut json) throws IOException {
    TrackerStatus.@Nullable Stop stop = status.stop();
    boolean said = status.lostReleases() > 0 || status.undecided() > 0 || status.isAtEnd();
    boolean listed =
        status.unwovenClasses() > 0
            || !status.unwatched().isEmpty()
            || !status.unfollowed().isEmpty();
    if (stop == null && !said && !listed && status.threads().isEmpty()) {
      return;
    }
    json.name("tracker").beginObject();
    if (stop != null) {
      json.name("stoppedAt").value(Instant.ofEpochMilli(stop.sinceMillis()).toString());
      json.name("stopReason").value(stop.reason());
    }
    count("lostReleases", status.lostReleases(), json);
    count("undecided", status.undecided(), json);
    if (status.isAtEnd()) {
      json.name("atEnd").value(true);
    }
    count("unwovenClasses", status.unwovenClasses(), json);
    if (!status.unwoven().isEmpty()) {
      json.name("unwoven").beginArray();
      for (TrackerStatus.Unwoven each : status.unwoven()) {
        json.beginObject().name("class").value(each.className());
        json.name("reason").value(each.reason()).endObject();
      }
      json.endArray();
    }
    if (!status.unwatched().isEmpty()) {
      json.name("unwatched").beginArray();
      for (TrackerStatus.Unwatched each : status.unwatched()) {
        json.beginObject().name("package").value(each.packageName());
        json.name("place").value(each.place());
        json.name("classes").value(each.classes()).endObject();
      }
      json.endArray();
    }
    if (!status.unfollowed().isEmpty()) {
      json.name("unfollowed").beginArray();
      for (TrackerStatus.Unfollowed each : status.unfollowed()) {
        json.beginObject().name("class").value(each.className());
        json.name("fields").texts(each.fields());
        json.name("reason").value(each.reason());
        json.name("givenIn").texts(each.givers());
        json.endObject();
      }
      json.endArray();
    }
    if (!status.threads().isEmpty()) {
      json.name("threads").beginArray();
      for (TrackerStatus.ThreadHealth thread : status.threads()) {
        thread(thread, json);
      }
      json.endArray();
    }
    json.endObject();
  }

  private static void count(String name, long count, JsonOut json) throws IOException {
    if (count > 0) {
      json.name(name).value(count);
    }
  }

  private static void thread(TrackerStatus.ThreadHealth thread, JsonOut json) throws IOException {
    json.beginObject().name("name").value(thread.name()).name("rounds").value(thread.rounds());
    if (thread.lastRoundMillis() != TrackerStatus.ThreadHealth.NEVER) {
      json.name("lastRound").value(Instant.ofEpochMilli(thread.lastRoundMillis()).toString());
    }
    json.name("failures").value(thread.failures());
    String failure = thread.lastFailure();
    if (failure != null) {
      json.name("lastFailure").value(failure);
    }
    json.endObject();
  }

  /** Reads the member's value. */
  static void read(JsonIn in, TrackerStatus.Builder status) throws IOException {
    @Nullable Instant stoppedAt = null;
    String reason = "";
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "stoppedAt":
          stoppedAt = in.time();
          break;
        case "stopReason":
          reason = in.string();
          break;
        case "lostReleases":
          status.lostReleases(in.wholeNumber(0, Long.MAX_VALUE));
          break;
        case "undecided":
          status.undecided(in.wholeNumber(0, Long.MAX_VALUE));
          break;
        case "atEnd":
          status.atEnd(in.bool());
          break;
        case "unwovenClasses":
          status.unwovenClasses(in.wholeNumber(0, Long.MAX_VALUE));
          break;
        case "unwoven":
          in.list(StatusJson::unwoven).forEach(status::add);
          break;
        case "unwatched":
          in.list(StatusJson::unwatched).forEach(status::add);
          break;
        case "unfollowed":
          in.list(StatusJson::unfollowed).forEach(status::add);
          break;
        case "threads":
          in.list(StatusJson::thread).forEach(status::add);
          break;
        default:
          in.skip();
      }
    }
    if (stoppedAt != null) {
      status.stop(new TrackerStatus.Stop(stoppedAt.toEpochMilli(), reason));
    }
  }

  private static TrackerStatus.Unwoven unwoven(JsonIn in) throws IOException {
    String className = "";
    String reason = "";
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "class":
          className = in.string();
          break;
        case "reason":
          reason = in.string();
          break;
        default:
          in.skip();
      }
    }
    return new TrackerStatus.Unwoven(className, reason);
  }

  private static TrackerStatus.Unwatched unwatched(JsonIn in) throws IOException {
    String packageName = "";
    String place = "";
    int classes = 1;
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "package":
          packageName = in.string();
          break;
        case "place":
          place = in.string();
          break;
        case "classes":
          classes = (int) in.wholeNumber(1, Integer.MAX_VALUE);
          break;
        default:
          in.skip();
      }
    }
    return new TrackerStatus.Unwatched(packageName, place, classes);
  }

  private static TrackerStatus.Unfollowed unfollowed(JsonIn in) throws IOException {
    String className = "";
    String reason = "";
    List<String> fields = List.of();
    List<String> givers = List.of();
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "class":
          className = in.string();
          break;
        case "fields":
          fields = in.list(JsonIn::string);
          break;
        case "reason":
          reason = in.string();
          break;
        case "givenIn":
          givers = in.list(JsonIn::string);
          break;
        default:
          in.skip();
      }
    }
    return new TrackerStatus.Unfollowed(className, fields, reason, givers);
  }

  private static TrackerStatus.ThreadHealth thread(JsonIn in) throws IOException {
    String thread = "";
    long rounds = 0;
    long lastRound = TrackerStatus.ThreadHealth.NEVER;
    long failures = 0;
    @Nullable String lastFailure = null;
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "name":
          thread = in.string();
          break;
        case "rounds":
          rounds = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "lastRound":
          lastRound = in.time().toEpochMilli();
          break;
        case "failures":
          failures = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "lastFailure":
          lastFailure = in.string();
          break;
        default:
          in.skip();
      }
    }
    return new TrackerStatus.ThreadHealth(thread, rounds, lastRound, failures, lastFailure);
  }
}
