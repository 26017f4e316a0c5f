package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Misuse;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.buftrail.profile.output.ProfileFormat;
import org.junit.jupiter.api.Test;

class TextFormatsTest {
  private interface Writer {
    void write(Snapshot snapshot, Appendable out) throws IOException;
  }

  @Test
  void collapsedStacksTellFatesApart() throws IOException {
    assertThat(text(CollapsedReport::write, SnapshotBuilder.service()))
        .isEqualTo(
            """
            io.netty.buffer.PooledByteBufAllocator.directBuffer;com.example.app.Server.channelRead:31;com.example.app.Server.dispatch:44;com.example.app.Errors.reject:88;[leaked] 7
            io.netty.buffer.PooledByteBufAllocator.directBuffer;com.example.app.Server.channelRead:31;com.example.app.Server.dispatch:44;com.example.app.Errors.reject:88;[live] 3
            io.netty.buffer.Unpooled.wrappedBuffer;com.example.app.Json$Codec.encode_return:9;[leaked] 2
            io.netty.buffer.PooledByteBufAllocator.directBuffer;com.example.app.Server.channelRead:31;com.example.app.Cache.put:7;[live] 100
            io.netty.buffer.PooledByteBufAllocator.directBuffer;com.example.app.Server.channelRead:31;com.example.app.Server.dispatch:44;com.example.app.Echo.reply:12;io.netty.buffer.ByteBuf.release 9990
            """);
  }

  @Test
  void whatIsHeldAndWhatIsDroppedHasAFateOfItsOwn() throws IOException {
    String refused =
        "io.netty.buffer.PooledByteBufAllocator.compositeDirectBuffer;app.Api.refuse:48;";
    String decoded = "io.netty.buffer.Unpooled.wrappedBuffer;app.Codec.decode:9";
    assertThat(text(CollapsedReport::write, SnapshotBuilder.droppingService()).lines())
        .containsExactly(
            refused + "[leaked] 20",
            refused + "[held] 40",
            decoded + ";[dropped] 3000",
            decoded + " 5");
    assertThat(text(LlmReport::write, SnapshotBuilder.droppingService()))
        .contains(" live_bytes=0 held=40 dropped=3000 dropped_bytes=48000 overflowed=0")
        .contains(
            "\nleak rank=1 severity=critical memory=direct leaked=20 leaked_bytes=8192 held=40 ")
        .doesNotContain("rank=2");
    assertThat(text(GraphReport::dot, SnapshotBuilder.droppingService()))
        .contains("\\nLEAKED 20 flows, 8.0 KiB, holding 40 more\"")
        .contains("\\ndropped 3,000 flows, 46.9 KiB; released 5 flows, 80 B\"];");
  }

  @Test
  void collapsedFramesHoldNoneOfTheFormatsMarks() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("a;b.C.d").live(1, 1).add();

    assertThat(text(CollapsedReport::write, b.build())).isEqualTo("a:b.C.d;[live] 1\n");
  }

  @Test
  void languageModelsAreToldWhenNothingIsFollowed() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.status().stop(new TrackerStatus.Stop(SnapshotBuilder.TAKEN_AT, "switched \"off\""));
    b.status().lostReleases(3);

    assertThat(text(LlmReport::write, b.build()))
        .contains(
            " leak_paths=0 lost_releases=3 not_following_since=2026-01-31T12:00:00.250Z"
                + " because=\"switched 'off'\"\n");
  }

  @Test
  void graphsSayThatNothingIsFollowed() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("a.B.c").live(1, 1).add();
    b.status().stop(new TrackerStatus.Stop(SnapshotBuilder.TAKEN_AT, "switched \"off\""));
    String stopped = "NOT FOLLOWING new buffers since 2026-01-31T12:00:00.250Z: switched ";

    assertThat(text(GraphReport::dot, b.build()))
        .contains("  n0 [label=\"" + stopped + "\\\"off\\\"\"")
        .contains("  n1 [label=\"B.c");
    assertThat(text(GraphReport::mermaid, b.build()))
        .contains("  n0[\"" + stopped + "#quot;off#quot;\"]:::leak\n");
    assertThat(Reports.unsaid(b.build(), ProfileFormat.COLLAPSED)).startsWith(stopped);
    assertThat(Reports.unsaid(b.build(), ProfileFormat.DOT)).isNull();
  }

  @Test
  void everyFormSaysHowManyAreUndecided() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("a.B.c").live(9, 1).add();
    b.status().undecided(7).atEnd(true);
    String said = "UNDECIDED: 7 of the live ones may be lost";

    assertThat(text(LlmReport::write, b.build()))
        .contains(" leak_paths=0 undecided=7 at_end=true ");
    assertThat(text(GraphReport::dot, b.build()))
        .contains("  n0 [label=\"" + said + "\", fillcolor=\"#fff3cd\"");
    assertThat(text(GraphReport::mermaid, b.build())).contains("  n0[\"" + said + "\"]:::live\n");
    assertThat(Reports.unsaid(b.build(), ProfileFormat.COLLAPSED)).isEqualTo(said);
    assertThat(Reports.unsaid(b.build(), ProfileFormat.LLM)).isNull();
    b.status().stop(new TrackerStatus.Stop(SnapshotBuilder.TAKEN_AT, "off"));
    assertThat(Reports.unsaid(b.build(), ProfileFormat.COLLAPSED))
        .isEqualTo("NOT FOLLOWING new buffers since 2026-01-31T12:00:00.250Z: off; " + said);
  }

  @Test
  void linesForLanguageModels() throws IOException {
    assertThat(text(LlmReport::write, SnapshotBuilder.service()))
        .startsWith(
            "METADATA\nformat=buftrail.llm version=1 taken_at=2026-01-31T12:00:00.250Z sampling=1"
                + " allocated=10102 released=9990 leaked=9 live=103 released_bytes=2557440"
                + " leaked_bytes=1856 live_bytes=104858368 overflowed=0 suppressed_errors=0"
                + " paths=4 leak_paths=2 suspect_paths=1\nlegend: ")
        .contains(
            "\n\n"
                + "LEAKS\n"
                + "leak rank=1 severity=critical memory=direct leaked=7 leaked_bytes=1792 live=3"
                + " last_seen=com.example.app.Errors.reject:88 first_found=2026-01-31T11:58:30Z"
                + " last_found=2026-01-31T12:00:00Z"
                + " contrast=\"9,990 flows that came the same way to"
                + " com.example.app.Server.dispatch:44 were released, last seen in"
                + " com.example.app.Echo.reply:12; these 7 went on to"
                + " com.example.app.Errors.reject:88 and were not\""
                + " path=io.netty.buffer.PooledByteBufAllocator.directBuffer[1-2] >"
                + " com.example.app.Server.channelRead:31[1-2] >"
                + " com.example.app.Server.dispatch:44[1-2] >"
                + " com.example.app.Errors.reject:88[1-2]\n"
                + "leak rank=2 severity=moderate ")
        .contains(
            "\n\nSUSPECTS (not proved by a collection)\n"
                + "suspect memory=direct live=100 live_bytes=104857600 arrived=100 gone=0"
                + " oldest_ms=3600000 because=\"half of these are older than 30 min 0 s;"
                + " no release of others was sampled\" path=")
        .contains("\n\nFLOWS\nflow memory=direct released=0 leaked=7 live=3 released_bytes=0 ")
        .doesNotContain("MISUSES")
        .endsWith(
            "flow memory=direct released=9990 leaked=0 live=0 released_bytes=2557440 leaked_bytes=0"
                + " live_bytes=0 path=io.netty.buffer.PooledByteBufAllocator.directBuffer[1-2]"
                + " > com.example.app.Server.channelRead:31[1-2]"
                + " > com.example.app.Server.dispatch:44[1-2] > com.example.app.Echo.reply:12[1-2]"
                + " > io.netty.buffer.ByteBuf.release[0]\n");
  }

  @Test
  void linesForLanguageModelsSayWhatWasDoneToReleasedBuffers() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    List<String> release = List.of("a.Pool.heapBuffer", "a.B.c:1", "a.ByteBuf.release [0]");
    b.misuse(Misuse.Kind.USE_AFTER_RELEASE, "a.Reader.read:7", 5, release, List.of());
    b.misuse(Misuse.Kind.DOUBLE_RELEASE, "a.Closer.close:9", 8, release, List.of("a.D.e:2"));

    assertThat(text(LlmReport::write, b.build()))
        .contains(" leak_paths=0 misuses=13\n")
        .contains(
            "\nMISUSES: path=where the release came first\n"
                + "misuse rank=1 times=8 kind=\"double release\" at=a.Closer.close:9"
                + " path=a.Pool.heapBuffer[1-2] > a.B.c:1[1-2] > a.ByteBuf.release[0]"
                + " earlier_life_path=a.D.e:2[1-2]\n"
                + "misuse rank=2 times=5 kind=\"use after release\" at=a.Reader.read:7"
                + " path=a.Pool.heapBuffer[1-2] > a.B.c:1[1-2] > a.ByteBuf.release[0]\n"
                + "\nFLOWS\n");
  }

  @Test
  void linesForLanguageModelsAreBounded() throws IOException {
    assertThat(text(LlmReport::write, wide(1_200))).endsWith("\nnot_listed=700\n");
    assertThat(text(LlmReport::write, new SnapshotBuilder().build()))
        .endsWith("\n\nLEAKS\nnone\n\nFLOWS\nnone\n");
  }

  @Test
  void graphviz() throws IOException {
    assertThat(text(GraphReport::dot, SnapshotBuilder.service()))
        .startsWith("digraph flows {\n")
        .contains("  n0 [label=\"PooledByteBufAllocator.directBuffer [1-2]\"];\n")
        .contains("  n0 -> n2 [label=\"10,100\"];\n")
        .contains(
            "[label=\"Errors.reject:88 [1-2]\\nLEAKED 7 flows, 1.8 KiB; live 3 flows, 768 B\","
                + " fillcolor=\"#f8d7da\", color=\"#b02a37\", penwidth=2];\n")
        .endsWith("}\n");
  }

  @Test
  void mermaid() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("a.B.<init>", "a.C.d:3").leaked(2, 2048).add();

    assertThat(text(GraphReport::mermaid, b.build()))
        .startsWith(
            """
            flowchart TD
              n0["B.#lt;init#gt; [1-2]"]
              n0 -->|2| n1["C.d:3 [1-2]<br/>LEAKED 2 flows, 2.0 KiB"]:::leak
              classDef leak\
            """)
        .doesNotContain("classDef live");
  }

  @Test
  void graphsAreBounded() throws IOException {
    assertThat(text(GraphReport::mermaid, wide(1_000)))
        .containsPattern("n0 -->\\|960\\| n\\d+\\[\"960 branches not shown\"]:::rest\n");
    assertThat(text(GraphReport::dot, wide(1_000))).contains("\"800 branches not shown\"");
  }

  private static Snapshot wide(int paths) {
    SnapshotBuilder b = new SnapshotBuilder();
    for (int i = 0; i < paths; i++) {
      b.heap("a.B.root", "a.C.m" + i).live(1, i).add();
    }
    return b.build();
  }

  private static String text(Writer writer, Snapshot snapshot) throws IOException {
    StringBuilder out = new StringBuilder();
    writer.write(snapshot, out);
    return out.toString();
  }
}
