package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which hop had what the last one could only read. */
final class LastOwnerTest {
  /** {@code method?} only reads, {@code method+} stands for what lay past a bound. */
  private static Path.Hop hop(String text) {
    boolean reads = text.endsWith("?");
    boolean overflow = text.endsWith("+");
    String method = reads || overflow ? text.substring(0, text.length() - 1) : text;
    String suffix = method.endsWith(Site.RETURN_SUFFIX) ? Site.RETURN_SUFFIX : "";
    String type = method.equals("retain") ? "shaded.netty.buffer.ByteBuf" : "app.Orders";
    Site site =
        new Site(type, method.substring(0, method.length() - suffix.length()), "", 1, suffix);
    return new Path.Hop(reads ? site.ofReader() : site, "1-2", false, overflow);
  }

  private static Path path(String path) {
    List<Path.Hop> hops = new ArrayList<>();
    hops.add(
        new Path.Hop(new Site("io.netty.buffer.Unpooled", "buffer", "", 0, ""), "", false, false));
    for (String each : path.split(" ", -1)) {
      hops.add(hop(each));
    }
    Path.Flows none = Path.Flows.NONE;
    return new Path(hops, true, none, none, none, -1, -1);
  }

  private static @Nullable String lastOwner(Path path) {
    Path.Hop owner = path.lastOwner();
    return owner == null ? null : owner.site().method();
  }

  @ParameterizedTest
  @CsvSource({
    "handle isValid?,handle",
    "handle isValid? isLong?,handle",
    "handle make_return isValid?,handle",
    "handle retain isValid?,handle",
    "first handle isValid?,handle",
    "handle isValid? lose,",
    "handle,",
    "isValid?,",
    "make_return retain isValid?,",
    "handle far+ isValid?,",
    "handle isValid? far+,",
  })
  void itIsTheNearestAboveThatCouldRelease(String path, @Nullable String owner) {
    assertThat(lastOwner(path(path))).isEqualTo(owner);
  }

  @ParameterizedTest
  @CsvSource({"handle isValid?,handle isValid", "handle isValid,handle isValid?"})
  void aSumWithAnOlderFileKeepsIt(String one, String other) {
    List<Path> paths = List.of(path(one), path(other));
    Snapshot sum = new Snapshot(0, 1, 0, 0, TrackerStatus.FINE, paths, List.of());
    assertThat(sum.paths()).hasSize(1);
    assertThat(lastOwner(sum.paths().get(0))).isEqualTo("handle");
  }
}
