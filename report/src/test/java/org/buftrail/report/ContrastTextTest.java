package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.buftrail.model.Contrast;
import org.buftrail.model.LeakPaths;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of those that came the same way as a leak and were released. */
final class ContrastTextTest {
  private static final String ROOT = "io.netty.buffer.PooledByteBufAllocator.directBuffer";
  private static final String HANDLE = "a.Orders.handle:42";
  private static final String VALID = "a.Parser.isValid:7";
  private static final String WRITE = "a.Topic.write:16";
  private static final String PUT = "a.Rest.put:21";
  private static final String RELEASE = "io.netty.buffer.ByteBuf.release [0]";

  private final SnapshotBuilder b = new SnapshotBuilder();

  private ContrastTextTest released(long count, String... hops) {
    b.direct(Stream.concat(Stream.of(hops), Stream.of(RELEASE)).toArray(String[]::new))
        .released(count, count)
        .add();
    return this;
  }

  private ContrastTextTest leaked(long count, String... hops) {
    b.direct(hops).leaked(count, count).add();
    return this;
  }

  /** The sentence about the only leak. */
  private @Nullable String sentence() {
    Snapshot snapshot = b.build();
    List<org.buftrail.model.Path> paths = PathOrder.sorted(snapshot);
    Contrast contrast = ContrastText.of(paths, snapshot.sampling());
    List<org.buftrail.model.Path> leaks = LeakPaths.of(paths);
    assertThat(leaks).hasSize(1);
    return ContrastText.sentence(contrast, leaks.get(0));
  }

  @Test
  void theSameWayToTheEnd() {
    leaked(91, ROOT, HANDLE, VALID).released(924, ROOT, HANDLE, VALID, "a.Orders.handle:43");
    assertThat(sentence())
        .isEqualTo(
            "924 flows that came the same way to a.Parser.isValid:7 were released, last seen in"
                + " a.Orders.handle:43; these 91 were not");
  }

  @Test
  void otherWaysFromOneHopOn() {
    leaked(1, ROOT, HANDLE, "a.Orders.refuse:50")
        .released(900, ROOT, HANDLE, VALID, "a.Orders.handle:43")
        .released(24, ROOT, HANDLE, "a.Orders.late:60")
        .released(7, ROOT, "a.Other.run:1");
    assertThat(sentence())
        .isEqualTo(
            "924 flows that came the same way to a.Orders.handle:42 were released, 900 of them"
                + " last seen in a.Orders.handle:43; this one went on to a.Orders.refuse:50 and"
                + " was not");
  }

  @Test
  void releasedWhereOthersLeak() {
    leaked(5, ROOT, HANDLE).released(50, ROOT, HANDLE);
    assertThat(sentence())
        .isEqualTo(
            "50 flows that came the same way to a.Orders.handle:42 were released, last seen there"
                + " too; these 5 were not");
  }

  @Test
  void referenceCountsMakeNoOtherWay() {
    leaked(4, ROOT, HANDLE + " [1-2]", HANDLE + " [3-5]", VALID)
        .released(20, ROOT, HANDLE, VALID + " [1-2]", VALID + " [3-5]");
    assertThat(sentence()).startsWith("20 flows that came the same way to a.Parser.isValid:7");
  }

  @Test
  void whereItIsNotKnownWhoReleasedNobodyIsNamed() {
    leaked(4, ROOT, HANDLE).released(20, ROOT, HANDLE, "io.netty.buffer.ByteBuf.retain");
    assertThat(sentence())
        .isEqualTo(
            "20 flows that came the same way to a.Orders.handle:42 were released; these 4 were"
                + " not");
  }

  @ParameterizedTest
  @CsvSource({
    "a.Orders.make_return:3",
    "io.netty.buffer.ByteBuf.retain",
    "a.Orders.run:9 overflow"
  })
  void nothingIsSaidWhereAllCallersMeet(String met) {
    leaked(9, ROOT, HANDLE, met, VALID).released(100, ROOT, HANDLE, met, "a.Orders.done:1");
    assertThat(sentence()).isNull();
  }

  @Test
  void anAllocatorAloneSaysNothing() {
    leaked(9, ROOT, HANDLE).released(100, ROOT, "a.Other.run:1").released(100, ROOT);
    assertThat(sentence()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "4, 1, 1, false",
    "5, 1, 1, true",
    "39, 1, 8, false",
    "40, 8, 8, true",
    "9, 1000, 1, false",
    "10, 1000, 1, true",
  })
  void fewAreNoEvidence(long released, long leaked, int sampling, boolean said) {
    b.sampling(sampling);
    leaked(leaked, ROOT, HANDLE).released(released, ROOT, HANDLE, "a.Orders.handle:43");
    assertThat(sentence() != null).isEqualTo(said);
  }

  @Test
  void whatAllOthersPassedTooIsNotAtFault() {
    leaked(50, ROOT, "a.Rest.make_return:19", "a.Rest.post:20", "a.Topic.publish:11", WRITE)
        .released(105, ROOT, "a.Rest.make_return:19", PUT, "a.Topic.publish:11", WRITE, PUT)
        .released(45, ROOT, "a.Rest.make_return:19", PUT, "a.Topic.publish:11", PUT, WRITE);
    assertThat(sentence())
        .isEqualTo(
            "150 flows that came to a.Topic.write:16 too were released, 105 of them last seen in"
                + " a.Rest.put:21, none by way of a.Rest.post:20; these 50 all came that way and"
                + " were not");
  }

  @Test
  void aHopThatOneOfTheOthersPassedTellsNothing() {
    leaked(1, ROOT, "a.Rest.make_return:19", "a.Rest.post:20", WRITE)
        .released(20, ROOT, "a.Rest.make_return:19", PUT, WRITE)
        .released(1, ROOT, "a.Rest.late:9", "a.Rest.post:20", WRITE);
    assertThat(sentence()).isNull();
  }

  @Test
  void fewByOtherWaysAreNoEvidenceEither() {
    leaked(1, ROOT, "a.Rest.make_return:19", "a.Rest.post:20", WRITE)
        .released(4, ROOT, "a.Rest.make_return:19", PUT, WRITE);
    assertThat(sentence()).isNull();
    released(1, ROOT, PUT, WRITE, "a.Topic.done:3", WRITE);
    assertThat(sentence())
        .startsWith("5 flows that came to a.Topic.write:16 too were released")
        .endsWith("none by way of a.Rest.post:20; this one came that way and was not");
  }

  @Test
  void othersOfOtherMemoryCameByNoWay() {
    leaked(1, ROOT, "a.Rest.post:20", WRITE);
    b.heap(ROOT, PUT, WRITE, RELEASE).released(100, 100).add();
    assertThat(sentence()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"a.Topic.write_return:16", "io.netty.buffer.ByteBuf.retain"})
  void whereAllMeetAtTheEndNothingIsSaid(String met) {
    leaked(9, ROOT, "a.Rest.post:20", met).released(100, ROOT, PUT, met);
    assertThat(sentence()).isNull();
  }

  @Test
  void aHopWithTooFewIsPassedOver() {
    leaked(9, ROOT, HANDLE, VALID)
        .released(4, ROOT, HANDLE, VALID)
        .released(10, ROOT, HANDLE, "a.Orders.handle:43");
    assertThat(sentence())
        .startsWith("14 flows that came the same way to a.Orders.handle:42 were released, 10 of");
  }

  @Test
  void whoReleasedThoseOfAHopWithTooFewCountsToo() {
    leaked(9, ROOT, HANDLE, VALID)
        .released(4, ROOT, HANDLE, VALID, "a.Orders.handle:43")
        .released(10, ROOT, HANDLE, "a.Orders.handle:43");
    assertThat(sentence())
        .startsWith(
            "14 flows that came the same way to a.Orders.handle:42 were released, last seen in"
                + " a.Orders.handle:43;");
  }

  @Test
  void otherMemoryIsAnotherWay() {
    leaked(9, ROOT, HANDLE);
    b.heap(ROOT, HANDLE, RELEASE).released(100, 100).add();
    assertThat(sentence()).isNull();
  }
}
