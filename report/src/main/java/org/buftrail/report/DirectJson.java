package org.buftrail.report;

import java.io.IOException;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Path;
import org.buftrail.profile.html.PageColumns;
import org.buftrail.profile.json.JsonIn;
import org.buftrail.profile.json.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * The member {@code direct} of {@link PoolJson}, both ways, and as columns of the page.
 *
 * <pre>
 * {"calls":[{"path":{"hops":[..],"refs":[..],"sites":[..]},"live":..,"liveBytes":..,
 *            "allocated":..,"allocatedBytes":..},..],
 *  "accounts":[{"account":"JVM, direct","buffers":..,"bytes":..,"limit":..},..]}
 * </pre>
 *
 * <p>The path of a call has one hop. {@code buffers} and {@code limit} are left out where they are
 * not known.
 */
final class DirectJson {
  private static final List<String> AMOUNTS =
      List.of("live", "liveBytes", "allocated", "allocatedBytes");

  private DirectJson() {}

  /** Writes the member, or nothing where nobody asked. */
  static void write(@Nullable DirectMemory direct, JsonOut json) throws IOException {
    if (direct == null) {
      return;
    }
    json.name("direct").beginObject().name("calls").beginArray();
    for (DirectMemory.CallSite call : direct.sites()) {
      json.newLine().beginObject().name("path").beginObject();
      SnapshotJson.hops(List.of(new Path.Hop(call.site(), "", false, false)), json);
      json.endObject().name("live").value(call.live().count());
      json.name("liveBytes").value(call.live().bytes());
      json.name("allocated").value(call.allocated().count());
      json.name("allocatedBytes").value(call.allocated().bytes()).endObject();
    }
    json.endArray().name("accounts").beginArray();
    for (DirectMemory.Account account : direct.accounts()) {
      json.beginObject().name("account").value(account.name());
      known(json, "buffers", account.buffers());
      json.name("bytes").value(account.bytes());
      known(json, "limit", account.limit());
      json.endObject();
    }
    json.endArray().endObject();
  }

  private static void known(JsonOut json, String name, long value) throws IOException {
    if (value != DirectMemory.Account.UNKNOWN) {
      json.name(name).value(value);
    }
  }

  /** Writes the same for the page, where -1 stands for what is not known. */
  static void writeForPage(@Nullable DirectMemory direct, JsonOut json) throws IOException {
    if (direct == null) {
      return;
    }
    List<DirectMemory.CallSite> calls = direct.sites();
    List<DirectMemory.Account> accounts = direct.accounts();
    json.name("direct").beginObject().name("calls").beginObject();
    PageColumns.texts(
        json,
        "place",
        calls.stream()
            .map(call -> call.site().toString())
            .collect(Collectors.toUnmodifiableList()));
    column(json, "live", calls, call -> call.live().count());
    column(json, "liveBytes", calls, call -> call.live().bytes());
    column(json, "allocated", calls, call -> call.allocated().count());
    column(json, "allocatedBytes", calls, call -> call.allocated().bytes());
    json.endObject().name("accounts").beginObject();
    PageColumns.texts(
        json,
        "account",
        accounts.stream().map(DirectMemory.Account::name).collect(Collectors.toUnmodifiableList()));
    column(json, "buffers", accounts, DirectMemory.Account::buffers);
    column(json, "bytes", accounts, DirectMemory.Account::bytes);
    column(json, "limit", accounts, DirectMemory.Account::limit);
    json.endObject().endObject();
  }

  private static <T> void column(JsonOut json, String name, List<T> rows, ToLongFunction<T> value)
      throws IOException {
    PageColumns.column(json, name, rows.size(), i -> value.applyAsLong(rows.get(i)));
  }

  /** Reads the member's value. */
  static DirectMemory read(JsonIn in, PathJsonReader paths) throws IOException {
    List<DirectMemory.CallSite> calls = List.of();
    List<DirectMemory.Account> accounts = List.of();
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "calls":
          calls = in.list(each -> call(each, paths));
          break;
        case "accounts":
          accounts = in.list(DirectJson::account);
          break;
        default:
          in.skip();
      }
    }
    return new DirectMemory(calls, accounts);
  }

  private static DirectMemory.CallSite call(JsonIn in, PathJsonReader paths) throws IOException {
    List<Path.Hop> hops = List.of();
    long[] amounts = new long[AMOUNTS.size()];
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      int at = AMOUNTS.indexOf(name);
      if (at >= 0) {
        amounts[at] = in.wholeNumber(0, Long.MAX_VALUE);
      } else if (name.equals("path")) {
        hops = paths.path().hops();
      } else {
        in.skip();
      }
    }
    if (hops.isEmpty()) {
      throw in.fault("what allocates direct buffers has no \"path\"");
    }
    return new DirectMemory.CallSite(
        hops.get(0).site(),
        new Path.Flows(amounts[0], amounts[1]),
        new Path.Flows(amounts[2], amounts[3]));
  }

  private static DirectMemory.Account account(JsonIn in) throws IOException {
    String account = "";
    long buffers = DirectMemory.Account.UNKNOWN;
    long bytes = 0;
    long limit = DirectMemory.Account.UNKNOWN;
    in.beginObject();
    String name;
    while ((name = in.nextName()) != null) {
      switch (name) {
        case "account":
          account = in.string();
          break;
        case "buffers":
          buffers = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "bytes":
          bytes = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        case "limit":
          limit = in.wholeNumber(0, Long.MAX_VALUE);
          break;
        default:
          in.skip();
      }
    }
    return new DirectMemory.Account(account, buffers, bytes, limit);
  }
}
