package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus.Unfollowed;
import org.junit.jupiter.api.Test;

final class UnfollowedTextTest {
  private static final String ROOT = "io.netty.buffer.PooledByteBufAllocator.directBuffer";
  private static final String RETAIN = "io.netty.buffer.ByteBuf.retain";
  private static final String MESSAGE =
      "4 flows leaked where shop.Router.take gives buffers to shop.Message, which is not followed,"
          + " because it has several fields. To follow it:"
          + " carrier=shop.Message.head or carrier=shop.Message.body";

  private static Unfollowed unfollowed(String name, String... givers) {
    return new Unfollowed(name, List.of("head", "body"), "has several fields", List.of(givers));
  }

  private static SnapshotBuilder leaks() {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct(ROOT, "shop.Router.take:7", RETAIN).leaked(3, 768).add();
    b.heap(ROOT, "shop.Router.take:9").leaked(1, 8).add();
    b.heap(ROOT, "shop.Codec.make:9").released(8, 8).add();
    return b;
  }

  private static String all(Snapshot snapshot) throws IOException {
    StringBuilder text = new StringBuilder();
    TreeReport.write(snapshot, text);
    LlmReport.write(snapshot, text);
    FlowHtml.model(snapshot, text);
    return text.toString();
  }

  @Test
  void aClassThatIsGivenBuffersWhereLeaksEndIsNamedWithItsOption() throws IOException {
    SnapshotBuilder b = leaks();
    b.status().add(unfollowed("shop.Message", "shop.Codec.make", "shop.Router.take"));
    assertThat(UnfollowedText.lines(b.build())).containsExactly(MESSAGE);
    assertThat(all(b.build()).split(MESSAGE, -1)).as("in text, page and .llm").hasSize(4);
  }

  @Test
  void aClassThatOthersAreGivenIsNot() throws IOException {
    SnapshotBuilder b = leaks();
    b.status().add(unfollowed("shop.Message", "shop.Codec.make", "shop.Router.other"));
    assertThat(UnfollowedText.lines(b.build())).isEmpty();
    assertThat(all(b.build())).doesNotContain("carrier=");
  }

  @Test
  void whatOnlyReadThemLastDoesNotHideWhoGaveThem() {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct(ROOT, "shop.Router.take:7", "shop.Router.isValid:9 reads").leaked(2, 9).add();
    b.status().add(unfollowed("shop.Message", "shop.Router.take"));
    b.status().add(unfollowed("shop.Other", "shop.Router.isValid"));
    assertThat(UnfollowedText.lines(b.build()))
        .singleElement()
        .asString()
        .startsWith("2 flows leaked where shop.Router.take gives buffers to shop.Message,");
  }

  @Test
  void theLeaksOfOneMethodOnTheWayElsewhereAreNotItsOwn() {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct(ROOT, "shop.Router.take:7", "shop.Codec.lose:9").leaked(2, 9).add();
    b.status().add(unfollowed("shop.Message", "shop.Router.take"));
    assertThat(UnfollowedText.lines(b.build())).isEmpty();
  }

  @Test
  void threeAreNamedThoseOfMostLeaksFirst() {
    SnapshotBuilder b = new SnapshotBuilder();
    for (int i = 1; i <= 4; i++) {
      b.heap(ROOT, "shop.Router.take" + i + ":7").leaked(i, 9).add();
      b.status().add(unfollowed("shop.Message" + i, "shop.Router.take" + i));
    }
    assertThat(UnfollowedText.lines(b.build()))
        .extracting(line -> line.substring(0, line.indexOf(" gives")))
        .containsExactly(
            "4 flows leaked where shop.Router.take4",
            "3 flows leaked where shop.Router.take3",
            "2 flows leaked where shop.Router.take2");
  }
}
