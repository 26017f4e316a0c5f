package org.buftrail.museum;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class NamedTest {
  private static final List<String> CULPRIT = List.of("shop.Orders.take");

  private static String sites(String... hops) {
    return Stream.of(hops)
        .map(hop -> hop.split("/", -1))
        .map(hop -> "{'class':'" + hop[0] + "','method':'" + hop[1] + "'}")
        .toList()
        .toString();
  }

  private static Named ofLeak(String... hops) throws Exception {
    String report =
        "{'paths':[{'leaked':0,'sites':"
            + sites("shop.Orders/take")
            + "},{'leaked':3,'sites':"
            + sites(hops)
            + "}]}";
    return Named.by(new ObjectMapper().readTree(report.replace('\'', '"')), CULPRIT);
  }

  @Test
  void theLastHopIsTheFirstToBeNamed() throws Exception {
    String root = "io.netty.buffer.PooledByteBufAllocator/directBuffer";
    assertThat(ofLeak(root, "shop.Orders/take")).isEqualTo(Named.FIRST);
    assertThat(ofLeak(root, "shop.Orders/take", "io.netty.buffer.ByteBuf/retain"))
        .isEqualTo(Named.FIRST);
    assertThat(ofLeak(root, "shop.Orders/lambda$take$3")).isEqualTo(Named.FIRST);
    assertThat(ofLeak(root, "shop.Orders/take_return")).isEqualTo(Named.FIRST);
    assertThat(ofLeak(root, "shop.Orders/take", "a.B/c", "a.B/c_return", "a.B/d"))
        .isEqualTo(Named.AMONG_THREE);
    assertThat(ofLeak(root, "shop.Orders/take", "a.B/c", "a.B/d", "a.B/e"))
        .isEqualTo(Named.FURTHER);
    assertThat(ofLeak(root)).isEqualTo(Named.ABSENT);
    assertThat(ofLeak(root, "shop.Orders/takeAll")).isEqualTo(Named.ABSENT);
  }

  @Test
  void evidenceNamesTheNearestFramesOfLibraries() throws Exception {
    String report =
        "{'paths':[{'leaked':3,'sites':"
            + sites("io.netty.buffer.PooledByteBufAllocator/directBuffer")
            + ",'evidence':{'looks':3,'askedFor':[{'looks':2,'library':"
            + sites("a.B/c", "shop.Orders/take")
            + "},{'looks':1,'library':"
            + sites("shop.Orders/take")
            + "}]}}]}";
    assertThat(Named.by(new ObjectMapper().readTree(report.replace('\'', '"')), CULPRIT))
        .isEqualTo(Named.AMONG_THREE);
    String own = report.replace("'library'", "'own':{'class':'shop.Orders','method':'take'},'x'");
    assertThat(Named.by(new ObjectMapper().readTree(own.replace('\'', '"')), CULPRIT))
        .isEqualTo(Named.FIRST);
  }

  @Test
  void whatHadTheBuffersIsNamedBeforeTheHopThatOnlyRead() throws Exception {
    String report =
        "{'paths':[{'leaked':3,'lastOwner':{'class':'%s','method':'%s'},'sites':"
            + sites("shop.Orders/take", "a.B/isValid")
            + "}]}";
    String right = String.format(report, "shop.Orders", "take").replace('\'', '"');
    assertThat(Named.by(new ObjectMapper().readTree(right), CULPRIT)).isEqualTo(Named.FIRST);
    String wrong = String.format(report, "a.B", "other").replace('\'', '"');
    assertThat(Named.by(new ObjectMapper().readTree(wrong), CULPRIT)).isEqualTo(Named.AMONG_THREE);
    assertThat(Named.by(new ObjectMapper().readTree(wrong), List.of("a.B.isValid")))
        .isEqualTo(Named.AMONG_THREE);
  }

  @Test
  void whatReleasesInAClassThatCollectsIsNamedBehindTheLastHop() throws Exception {
    String report =
        "{'paths':[{'leaked':3,'sites':[{'class':'a.B','method':'c'},"
            + "{'class':'shop.Orders','method':'add','collects':[%s'take:9']}]}]}";
    String among = String.format(report, "'drain:3',").replace('\'', '"');
    assertThat(Named.by(new ObjectMapper().readTree(among), CULPRIT)).isEqualTo(Named.AMONG_THREE);
    String further = String.format(report, "'a','b',").replace('\'', '"');
    assertThat(Named.by(new ObjectMapper().readTree(further), CULPRIT)).isEqualTo(Named.FURTHER);
    String unsaid = String.format(report, "'a','b','d',").replace('\'', '"');
    assertThat(Named.by(new ObjectMapper().readTree(unsaid), CULPRIT)).isEqualTo(Named.ABSENT);
  }

  @Test
  void theSentenceOnTheOthersNamesNobody() throws Exception {
    String report =
        "{'paths':[{'leaked':3,'contrast':{'sameWayTo':{'class':'a.B','method':'d'},'releasedIn':{"
            + "'class':'shop.Orders','method':'take'}},'sites':"
            + sites("a.B/c")
            + "}]}";
    assertThat(Named.by(new ObjectMapper().readTree(report.replace('\'', '"')), CULPRIT))
        .isEqualTo(Named.ABSENT);
    assertThat(Named.by(new ObjectMapper().readTree(report.replace('\'', '"')), List.of("a.B.d")))
        .isEqualTo(Named.ABSENT);
  }

  @Test
  void ofADoubleReleaseBothAreNamed() throws Exception {
    String report =
        "{'paths':[],'misuses':[{'site':{'class':'a.B','method':'c'},'path':{'sites':"
            + sites("a.B/d", "shop.Orders/take", "io.netty.buffer.ByteBuf/release")
            + "}}]}";
    assertThat(Named.by(new ObjectMapper().readTree(report.replace('\'', '"')), CULPRIT))
        .isEqualTo(Named.FIRST);
  }

  @Test
  void theDetectorNamesTheFramesOfItsRecordsInTheirOrder() {
    String report =
        """
        SEVERE: LEAK: ByteBuf.release() was not called
        Recent access records:
        #1:
        \tio.netty.buffer.AdvancedLeakAwareByteBuf.readByte(AdvancedLeakAwareByteBuf.java:1)
        \ta.B.c(B.java:7)
        \tapp//shop.Orders.take(Orders.java:12)
        Created at:
        \ta.B.d(B.java:9)
        SEVERE: LEAK:
        #1:
        \tshop.Orders.take(Orders.java:12)
        """;
    assertThat(Named.byDetector(report, CULPRIT)).isEqualTo(Named.FIRST);
    String first = report.substring(0, report.lastIndexOf("SEVERE"));
    assertThat(Named.byDetector(first, CULPRIT)).isEqualTo(Named.AMONG_THREE);
    assertThat(Named.byDetector(report.replace("take", "give"), CULPRIT)).isEqualTo(Named.ABSENT);
    assertThat(Named.byDetector("", CULPRIT)).isEqualTo(Named.ABSENT);
  }
}
