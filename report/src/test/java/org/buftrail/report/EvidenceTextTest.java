package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Evidence;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What looks at the stack saw, where it is told and where not. */
final class EvidenceTextTest {
  private static final String ROOT = "io.netty.buffer.PooledByteBufAllocator.directBuffer";
  private static final Site FORM = new Site("shop.Form", "channelRead0", "", 9, "");
  private static final Site OFFER = new Site("io.netty.codec.Decoder", "offer", "", 335, "");
  private static final Site INIT = new Site("io.netty.codec.Decoder", "<init>", "", 198, "");

  private static Path leak(Evidence.Builder evidence, String... hops) {
    return new SnapshotBuilder()
        .direct(hops)
        .leaked(32, 32)
        .evidence(evidence.build())
        .add()
        .build()
        .paths()
        .get(0);
  }

  private static Evidence.Place place(long looks, @Nullable Site own, Site... library) {
    return new Evidence.Place(own, List.of(library), looks);
  }

  private static Snapshot snapshot(Path leak) {
    return new Snapshot(
        SnapshotBuilder.TAKEN_AT, 1, 32, 0, TrackerStatus.FINE, List.of(leak), List.of());
  }

  private static Path formLeak() {
    return leak(
        new Evidence.Builder()
            .add(30, place(30, FORM, OFFER, INIT), place(30, null, INIT, OFFER))
            .add(1, place(1, FORM, INIT), null)
            .add(1, place(1, new Site("shop.Other", "run", "", 3, "")), null),
        ROOT,
        "io.netty.buffer.ByteBuf.retain");
  }

  @Test
  void itIsSaidWithItsShareOfLooks() {
    assertThat(EvidenceText.sentences(formLeak()))
        .containsExactly(
            "asked for in shop.Form.channelRead0:9 (31 of 32 looks), through Decoder.offer:335 <"
                + " Decoder.<init>:198; else in shop.Other.run:3 (1)",
            "retained last in io.netty.codec.Decoder.<init>:198 (30 of 32 looks), called by"
                + " Decoder.offer:335");
  }

  @Test
  void whatThePathSaysIsNotSaidAgain() {
    Evidence.Builder own = new Evidence.Builder().add(1, place(1, FORM, OFFER), null);
    assertThat(EvidenceText.sentences(leak(own, ROOT, "shop.Form.channelRead0:7"))).isEmpty();
    assertThat(EvidenceText.sentences(leak(own, ROOT, "shop.Form.channelRead0_return:7")))
        .isEmpty();
    assertThat(EvidenceText.sentences(leak(own, ROOT, "shop.Form.other:7"))).hasSize(1);
  }

  @Test
  void aLibrarysFrameSaysNothingBesideAHopOfTheApplication() {
    Evidence.Builder library = new Evidence.Builder().add(1, place(1, null, OFFER), null);
    assertThat(EvidenceText.sentences(leak(library, ROOT, "shop.Form.other:7"))).isEmpty();
    assertThat(EvidenceText.sentences(leak(library, ROOT)))
        .containsExactly("asked for in io.netty.codec.Decoder.offer:335 (1 of 1 look)");
  }

  @Test
  void everySurfaceHasItAndTheFileGivesItBack() throws IOException {
    Snapshot snapshot = snapshot(formLeak());
    String sentence = EvidenceText.sentences(formLeak()).get(0);
    StringBuilder text = new StringBuilder();
    TreeReport.write(snapshot, text);
    assertThat(text.toString()).contains("  " + sentence + "\n");
    StringBuilder llm = new StringBuilder();
    LlmReport.write(snapshot, llm);
    assertThat(llm.toString()).contains(" evidence=\"" + sentence + "; retained last in ");
    StringBuilder page = new StringBuilder();
    FlowHtml.write(snapshot, page);
    assertThat(page.toString()).contains("31 of 32 looks");
    StringBuilder json = new StringBuilder();
    SnapshotJson.write(snapshot, json);
    Snapshot read = SnapshotJsonReader.read(new java.io.StringReader(json.toString()));
    assertThat(EvidenceText.sentences(read.paths().get(0)))
        .isEqualTo(EvidenceText.sentences(formLeak()));
    StringBuilder again = new StringBuilder();
    SnapshotJson.write(read, again);
    assertThat(again.toString()).isEqualTo(json.toString());
  }

  @Test
  void leaksThatAreToldTogetherAddUpTheirLooks() {
    Evidence.Builder some = new Evidence.Builder().add(2, place(2, FORM, OFFER), null);
    Path one = leak(some, ROOT, "io.netty.buffer.ByteBuf.retain [1-2]");
    Path other = leak(some, ROOT, "io.netty.buffer.ByteBuf.retain [3-5]");
    List<Path> leaks = org.buftrail.model.LeakPaths.of(List.of(one, other));
    assertThat(leaks).hasSize(1);
    assertThat(EvidenceText.sentences(leaks.get(0)).get(0))
        .startsWith("asked for in shop.Form.channelRead0:9 (4 of 4 looks)");
  }
}
