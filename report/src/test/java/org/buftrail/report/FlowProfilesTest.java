package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.buftrail.model.Misuse;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.output.ProfileFormat;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class FlowProfilesTest {
  @Test
  void aPathIsAStackWithTheAllocatorAtItsRoot() {
    Profiles profiles = FlowProfiles.of(SnapshotBuilder.service());

    assertThat(samples(profiles, "leaked_objects"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "com.example.app.Errors.reject:88 < com.example.app.Server.dispatch:44 <"
                    + " com.example.app.Server.channelRead:31 <"
                    + " io.netty.buffer.PooledByteBufAllocator.directBuffer:0"
                    + " {buftrail.flow.memory=direct, buftrail.flow.refs=1-2,"
                    + " buftrail.flow.state=leaked}",
                7L,
                "com.example.app.Json$Codec.encode_return:9 <"
                    + " io.netty.buffer.Unpooled.wrappedBuffer:0"
                    + " {buftrail.flow.memory=heap, buftrail.flow.refs=1-2,"
                    + " buftrail.flow.state=leaked}",
                2L));
  }

  @Test
  void kindsHaveTheirTypesTotalsAndPeriod() {
    Profiles profiles = FlowProfiles.of(SnapshotBuilder.service());

    List<String> kinds = new ArrayList<>();
    for (Profile profile : profiles.profiles()) {
      kinds.add(profile.name() + " " + profile.sampleType() + " " + profile.total());
      assertThat(profile.period()).isEqualTo(1);
      assertThat(profile.periodType()).hasToString("bytebuf/count");
    }
    assertThat(kinds)
        .containsExactly(
            "live live_space/bytes 104858368",
            "live live_objects/count 103",
            "leaked leaked_space/bytes 1856",
            "leaked leaked_objects/count 9",
            "allocated allocated_space/bytes 107417664",
            "allocated allocated_objects/count 10102");
  }

  @Test
  void allocatedTellsWhatBecameOfTheFlows() {
    Profiles profiles = FlowProfiles.of(SnapshotBuilder.service());

    Map<String, Long> byState = new TreeMap<>();
    samples(profiles, "allocated_objects")
        .forEach(
            (sample, value) ->
                byState.merge(sample.replaceAll(".*state=(\\w+).*", "$1"), value, Long::sum));
    assertThat(byState).isEqualTo(Map.of("live", 103L, "leaked", 9L, "released", 9_990L));
  }

  @Test
  void aLivePathUnderSuspicionSaysSoAlsoWhereOnlyAPartOfItsFlowsIsTold() {
    Snapshot service = SnapshotBuilder.service();
    String suspect = "{buftrail.flow.memory=direct, buftrail.flow.refs=1-2,";
    assertThat(samples(FlowProfiles.of(service), "live_objects").keySet())
        .filteredOn(sample -> sample.contains("buftrail.flow.suspect=true"))
        .singleElement()
        .asString()
        .startsWith("com.example.app.Cache.put:7 < ")
        .contains(suspect);
    SnapshotBuilder released = new SnapshotBuilder();
    released.heap("a.B.c").released(1, 1).live(30, 30).ages(60_000, 1_000).add();
    assertThat(samples(FlowProfiles.deltas(service, released.build(), 0), "live_objects").keySet())
        .singleElement()
        .asString()
        .doesNotContain("suspect");
  }

  @Test
  void whatWasDoneToReleasedBuffersIsAProfileOfItsOwn() {
    SnapshotBuilder b = new SnapshotBuilder().sampling(3).overflowed(7);
    b.status().stop(new TrackerStatus.Stop(SnapshotBuilder.TAKEN_AT, "switched off"));
    List<String> release = List.of("a.Pool.heapBuffer", "a.B.c:1", "a.ByteBuf.release [0]");
    b.misuse(Misuse.Kind.USE_AFTER_RELEASE, "a.Reader.read:7", 5, release, List.of());
    Profiles profiles = FlowProfiles.of(b.build());

    assertThat(samples(profiles, "misuses"))
        .isEqualTo(
            Map.of(
                "a.ByteBuf.release:0 < a.B.c:1 < a.Pool.heapBuffer:0"
                    + " {buftrail.misuse.kind=use after release,"
                    + " buftrail.misuse.place=a.Reader.read:7}",
                5L));
    assertThat(profiles.profiles())
        .extracting(profile -> set(profiles.dictionary(), profile.attributeSet()))
        .containsOnly(
            "{buftrail.flow.hop_rules=4, buftrail.flow.overflowed=7, buftrail.flow.sampling=3,"
                + " buftrail.tracking.stopped=switched off}");
  }

  @Test
  void anotherDecoderReadsTheSame() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FlowReports.write(SnapshotBuilder.service(), ProfileFormat.OTLP, out);
    ProfilesData data = ProfilesData.parseFrom(out.toByteArray());

    ProfilesDictionary dictionary = data.getDictionary();
    Map<String, List<Long>> values = new TreeMap<>();
    for (io.opentelemetry.proto.profiles.v1development.Profile profile :
        data.getResourceProfiles(0).getScopeProfiles(0).getProfilesList()) {
      List<Long> all = new ArrayList<>();
      profile.getSamplesList().forEach(sample -> all.addAll(sample.getValuesList()));
      values.put(dictionary.getStringTable(profile.getSampleType().getTypeStrindex()), all);
    }
    assertThat(values)
        .containsEntry("live_objects", List.of(3L, 100L))
        .containsEntry("leaked_space", List.of(1_792L, 64L))
        .containsEntry("allocated_objects", List.of(3L, 7L, 2L, 100L, 9_990L))
        .hasSize(6);
  }

  @Test
  void theRangeIsWhatTheCallerKnows() {
    long second = 1_000_000_000L;
    Profile moment = FlowProfiles.of(SnapshotBuilder.service()).profiles().get(0);
    assertThat(moment.time()).isEqualTo(SnapshotBuilder.TAKEN_AT * 1_000_000);
    assertThat(moment.duration()).isEqualTo(1_000_000);

    Profile since =
        FlowProfiles.of(SnapshotBuilder.service(), SnapshotBuilder.TAKEN_AT - 5_000)
            .profiles()
            .get(0);
    assertThat(since.time()).isEqualTo(SnapshotBuilder.TAKEN_AT * 1_000_000 - 5 * second);
    assertThat(since.duration()).isEqualTo(5 * second);
  }

  @RepeatedTest(300)
  void theyConformWhateverTheSnapshot(RepetitionInfo seed) throws IOException {
    Snapshot snapshot = RandomSnapshots.of(seed.getCurrentRepetition());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FlowReports.write(snapshot, ProfileFormat.OTLP, out);

    assertThat(Conformance.check(new ByteArrayInputStream(out.toByteArray())).violations())
        .isEmpty();
  }

  @Test
  void pprofHoldsAllFlowsWithTheirState() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FlowReports.write(SnapshotBuilder.service(), ProfileFormat.PPROF, out);
    byte[] unpacked =
        new GZIPInputStream(new ByteArrayInputStream(out.toByteArray())).readAllBytes();

    assertThat(new String(unpacked, StandardCharsets.UTF_8))
        .contains("allocated_objects", "allocated_space", "com.example.app.Errors.reject")
        .contains("buftrail.flow.state", "leaked", "released", "live");
  }

  @Test
  void pprofOfNoFlowsIsAFileWithoutSamples() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FlowReports.write(new SnapshotBuilder().build(), ProfileFormat.PPROF, out);

    assertThat(new GZIPInputStream(new ByteArrayInputStream(out.toByteArray())).readAllBytes())
        .isNotEmpty();
  }

  @Test
  void withoutFlowsNothingWasAllocated() {
    Profiles profiles = FlowProfiles.of(new SnapshotBuilder().build());

    assertThat(profiles.profiles()).extracting(Profile::name).containsOnly("allocated").hasSize(2);
    assertThat(profiles.profiles()).extracting(Profile::total).containsOnly(0L);
  }

  private static Map<String, Long> samples(Profiles profiles, String type) {
    Dictionary dictionary = profiles.dictionary();
    Map<String, Long> found = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      if (profile.sampleType().type().equals(type)) {
        for (int i = 0; i < profile.samples().size(); i++) {
          int stack = profile.samples().stack(i);
          int set = profile.samples().attributeSet(i);
          found.put(frames(dictionary, stack) + " " + set(dictionary, set), profile.value(i));
        }
      }
    }
    return found;
  }

  private static String frames(Dictionary dictionary, int stack) {
    List<String> frames = new ArrayList<>();
    for (int i = 0; i < dictionary.stacks().depth(stack); i++) {
      int location = dictionary.stacks().location(stack, i);
      assertThat(set(dictionary, dictionary.locations().attributeSet(location)))
          .isEqualTo("{profile.frame.type=jvm}");
      int name = dictionary.functions().name(dictionary.locations().function(location));
      frames.add(dictionary.strings().get(name) + ":" + dictionary.locations().line(location));
    }
    return String.join(" < ", frames);
  }

  private static String set(Dictionary dictionary, int set) {
    Map<String, String> attributes = new TreeMap<>();
    for (int i = 0; i < dictionary.attributeSets().length(set); i++) {
      int attribute = dictionary.attributeSets().attribute(set, i);
      attributes.put(
          dictionary.strings().get(dictionary.attributes().key(attribute)),
          dictionary.attributes().text(attribute));
    }
    return attributes.toString();
  }
}
