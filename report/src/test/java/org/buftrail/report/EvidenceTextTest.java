package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Evidence;
import org.buftrail.model.Evidence.Kind;
import org.buftrail.model.Misuse;
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
    return new Evidence.Place(own, List.of(library), List.of(), looks);
  }

  private static Snapshot snapshot(Path leak) {
    return new Snapshot(
        SnapshotBuilder.TAKEN_AT, 1, 32, 0, TrackerStatus.FINE, List.of(leak), List.of());
  }

  private static Path formLeak() {
    return leak(
        new Evidence.Builder()
            .looks(32)
            .add(Kind.ASKED_FOR, place(30, FORM, OFFER, INIT))
            .add(Kind.RETAINED, place(30, null, INIT, OFFER))
            .add(Kind.ASKED_FOR, place(1, FORM, INIT))
            .add(Kind.ASKED_FOR, place(1, new Site("shop.Other", "run", "", 3, ""))),
        ROOT,
        "io.netty.buffer.ByteBuf.retain");
  }

  @Test
  void itIsSaidWithItsShareOfLooks() {
    assertThat(EvidenceText.sentences(formLeak()))
        .containsExactly(
            "retained last in io.netty.codec.Decoder.<init>:198 (30 of 32 looks), called by"
                + " Decoder.offer:335",
            "asked for in shop.Form.channelRead0:9 (31 of 32 looks), through Decoder.offer:335 <"
                + " Decoder.<init>:198; else in shop.Other.run:3 (1)");
  }

  @Test
  void whatThePathSaysIsNotSaidAgain() {
    Evidence.Builder own =
        new Evidence.Builder().looks(1).add(Kind.ASKED_FOR, place(1, FORM, OFFER));
    assertThat(EvidenceText.sentences(leak(own, ROOT, "shop.Form.channelRead0:7"))).isEmpty();
    assertThat(EvidenceText.sentences(leak(own, ROOT, "shop.Form.channelRead0_return:7")))
        .isEmpty();
    assertThat(EvidenceText.sentences(leak(own, ROOT, "shop.Form.other:7"))).hasSize(1);
  }

  @Test
  void aLibrarysFrameSaysNothingBesideAHopOfTheApplication() {
    Evidence.Builder library =
        new Evidence.Builder().looks(1).add(Kind.ASKED_FOR, place(1, null, OFFER));
    assertThat(EvidenceText.sentences(leak(library, ROOT, "shop.Form.other:7"))).isEmpty();
    assertThat(EvidenceText.sentences(leak(library, ROOT)))
        .containsExactly("asked for in io.netty.codec.Decoder.offer:335 (1 of 1 look)");
  }

  private static String message(long leaked, long held, Evidence.Builder evidence) {
    Path leak =
        new SnapshotBuilder()
            .direct(ROOT)
            .leaked(leaked, 64)
            .evidence(evidence.build())
            .add()
            .build()
            .paths()
            .get(0)
            .with(Path.Flows.NONE, held);
    return String.join("\n", EvidenceText.sentences(leak));
  }

  private static Evidence.Place type(long looks, String name) {
    return place(looks, null, new Site(name, "", "", 0, ""));
  }

  @Test
  void whatLeakedIsOneThing() {
    Evidence.Place request = type(1, "io.netty.codec.http.FullHttpRequest");
    Evidence.Builder one = new Evidence.Builder().looks(1).add(Kind.MESSAGE, request);
    assertThat(message(1, 2, one)).isEqualTo("a FullHttpRequest, 3 buffers (1 of 1 look)");
    assertThat(message(1, 0, one)).isEqualTo("a FullHttpRequest (1 of 1 look)");
    assertThat(message(5, 10, one))
        .isEqualTo("a FullHttpRequest each, 15 buffers in all (1 of 1 look)");
  }

  @Test
  void itIsSaidOfSomeOnlyWhereOnlySomeWereSeenSo() {
    Evidence.Builder some =
        new Evidence.Builder()
            .looks(4)
            .add(Kind.MESSAGE, type(2, "io.netty.codec.http.HttpContent"))
            .add(Kind.MESSAGE, type(1, "shop.Cart$Item"));
    assertThat(message(9, 0, some)).isEqualTo("an HttpContent (2 of 4 looks); else an Item (1)");
    assertThat(message(9, 0, new Evidence.Builder().looks(1))).isEmpty();
  }

  @Test
  void aTypeWithoutANameIsShownAsItIs() {
    Evidence.Builder empty = new Evidence.Builder().looks(1).add(Kind.MESSAGE, type(1, ""));
    assertThat(message(1, 0, empty)).isEqualTo("a  (1 of 1 look)");
  }

  @Test
  void whatItWasHandedToComesFirst() {
    Site validator = new Site("io.netty.codec.Validator", "channelRead", "", 0, "");
    Evidence.Builder handler =
        new Evidence.Builder()
            .looks(3)
            .add(Kind.ASKED_FOR, place(3, FORM))
            .add(Kind.HANDED, place(2, null, validator))
            .add(Kind.HANDED, place(1, null, OFFER));
    assertThat(EvidenceText.sentences(leak(handler, ROOT)))
        .containsExactly(
            "handed last to io.netty.codec.Validator.channelRead (2 of 3 looks); else to"
                + " io.netty.codec.Decoder.offer:335 (1)",
            "asked for in shop.Form.channelRead0:9 (3 of 3 looks)");
    assertThat(
            EvidenceText.sentences(leak(handler, ROOT, "io.netty.codec.Validator.channelRead:7")))
        .noneMatch(each -> each.startsWith("handed"));
  }

  @Test
  void whatHadItBeforeAHandlerIsSaidToo() {
    Site relay = new Site("io.netty.codec.Relay", "channelRead0", "", 0, "");
    Site console = new Site("shop.Console", "channelRead", "", 0, "");
    Evidence.Place own = new Evidence.Place(console, List.of(), List.of(relay), 1);
    Evidence.Place library = new Evidence.Place(null, List.of(relay), List.of(console), 1);
    assertThat(
            EvidenceText.sentences(
                leak(new Evidence.Builder().looks(1).add(Kind.HANDED, own), ROOT)))
        .containsExactly(
            "handed last to shop.Console.channelRead (1 of 1 look) by Relay.channelRead0");
    assertThat(
            EvidenceText.sentences(
                leak(
                    new Evidence.Builder().looks(1).add(Kind.HANDED, library),
                    ROOT,
                    "shop.Later.run:2")))
        .as("a handler is no call of the application's")
        .containsExactly(
            "handed last to io.netty.codec.Relay.channelRead0 (1 of 1 look) by"
                + " Console.channelRead");
  }

  @Test
  void whatTheApplicationGaveItToIsSaidWhileItGoesNoFurther() {
    Evidence.Place given = new Evidence.Place(null, List.of(OFFER), List.of(FORM), 1);
    Evidence.Builder evidence =
        new Evidence.Builder().looks(1).add(Kind.ASKED_FOR, place(1, FORM)).add(Kind.HANDED, given);
    assertThat(EvidenceText.sentences(leak(evidence, ROOT, "shop.Form.channelRead0:7")))
        .containsExactly(
            "handed last to io.netty.codec.Decoder.offer:335 (1 of 1 look) by Form.channelRead0:9");
    assertThat(
            EvidenceText.sentences(
                leak(evidence, ROOT, "shop.Form.channelRead0:7", "shop.Later.run:2")))
        .isEmpty();
  }

  @Test
  void whatCalledTheApplicationsFrameIsSaidToo() {
    Evidence.Place called = new Evidence.Place(FORM, List.of(), List.of(OFFER, INIT), 1);
    assertThat(
            EvidenceText.sentences(
                leak(new Evidence.Builder().looks(1).add(Kind.ASKED_FOR, called), ROOT)))
        .containsExactly(
            "asked for in shop.Form.channelRead0:9 (1 of 1 look), called by Decoder.offer:335 <"
                + " Decoder.<init>:198");
  }

  @Test
  void theLibrarysRetainThatEndsAPathIsSaidBesideHopsOfTheApplication() {
    Evidence.Builder retained =
        new Evidence.Builder().looks(1).add(Kind.RETAINED, place(1, FORM, OFFER, INIT));
    String retain = "io.netty.buffer.ByteBuf.retain";
    assertThat(EvidenceText.sentences(leak(retained, ROOT, "shop.Form.channelRead0:7", retain)))
        .containsExactly(
            "retained last in io.netty.codec.Decoder.offer:335 (1 of 1 look), called by"
                + " Decoder.<init>:198");
    assertThat(EvidenceText.sentences(leak(retained, ROOT, retain, "shop.Form.channelRead0:7")))
        .isEmpty();
  }

  @Test
  void ofAMisuseTheReleaseIsNamedAndWhatHadItBefore() throws IOException {
    Evidence.Place released = new Evidence.Place(FORM, List.of(), List.of(INIT), 2);
    Misuse misuse =
        new Misuse(Misuse.Kind.DOUBLE_RELEASE, FORM, 9, formLeak().hops(), List.of())
            .with(
                new Evidence.Builder()
                    .looks(2)
                    .add(Kind.RELEASED, released)
                    .add(Kind.HANDED, place(1, null, OFFER))
                    .build());
    List<String> sentences =
        List.of(
            "released first in shop.Form.channelRead0:9 (2 of 2 looks), called by"
                + " Decoder.<init>:198",
            "handed before that to io.netty.codec.Decoder.offer:335 (1 of 2 looks)");
    assertThat(EvidenceText.sentences(misuse)).isEqualTo(sentences);
    Snapshot snapshot =
        new Snapshot(
            SnapshotBuilder.TAKEN_AT, 1, 32, 0, TrackerStatus.FINE, List.of(), List.of(misuse));
    StringBuilder text = new StringBuilder();
    TreeReport.write(snapshot, text);
    assertThat(text.toString()).contains("    " + sentences.get(0) + "\n    " + sentences.get(1));
    StringBuilder llm = new StringBuilder();
    LlmReport.write(snapshot, llm);
    assertThat(llm.toString()).contains(" evidence=\"" + String.join("; ", sentences) + "\"");
    StringBuilder json = new StringBuilder();
    SnapshotJson.write(snapshot, json);
    Snapshot read = SnapshotJsonReader.read(new java.io.StringReader(json.toString()));
    assertThat(EvidenceText.sentences(read.misuses().get(0))).isEqualTo(sentences);
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
    assertThat(llm.toString()).contains(" evidence=\"" + sentence + "; asked for in ");
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
    Evidence.Builder some =
        new Evidence.Builder().looks(2).add(Kind.ASKED_FOR, place(2, FORM, OFFER));
    Path one = leak(some, ROOT, "io.netty.buffer.ByteBuf.retain [1-2]");
    Path other = leak(some, ROOT, "io.netty.buffer.ByteBuf.retain [3-5]");
    List<Path> leaks = org.buftrail.model.LeakPaths.of(List.of(one, other));
    assertThat(leaks).hasSize(1);
    assertThat(EvidenceText.sentences(leaks.get(0)).get(0))
        .startsWith("asked for in shop.Form.channelRead0:9 (4 of 4 looks)");
  }
}
