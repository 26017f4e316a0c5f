package org.buftrail.profile.otlp.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.EntityRef;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.profile.otlp.RandomProfiles;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures the check against {@code profcheck}, OpenTelemetry's own checker, on changed outputs:
 * {@code -Dprofcheck=PROGRAM} names it, {@code -Dmutations=NUMBER} says how many there are.
 */
@EnabledIfSystemProperty(named = "profcheck", matches = ".+")
class ProfcheckTest {
  private static final int MUTATIONS = Integer.getInteger("mutations", 5_000);

  @TempDir private Path directory;

  private final Map<String, String> missed = new TreeMap<>();
  private int conformant;

  /** An output of ours with each field that the format has and we do not write. */
  private static byte[] complete(long seed) throws IOException {
    ProfilesData.Builder message =
        ProfilesData.parseFrom(new OtlpWriter().toByteArray(RandomProfiles.of(seed))).toBuilder();
    AnyValue one = AnyValue.newBuilder().setIntValue(1).build();
    KeyValueList list =
        KeyValueList.newBuilder()
            .addValues(KeyValue.newBuilder().setKey("k").setValue(one))
            .build();
    message
        .getResourceProfilesBuilder(0)
        .setSchemaUrl("https://opentelemetry.io/schemas/1.40.0")
        .getResourceBuilder()
        .setDroppedAttributesCount(1)
        .addEntityRefs(
            EntityRef.newBuilder()
                .setSchemaUrl("https://opentelemetry.io/schemas/1.40.0")
                .setType("service")
                .addIdKeys("service.name")
                .addDescriptionKeys("process.pid"))
        .addAttributes(
            KeyValue.newBuilder()
                .setKey("list")
                .setValue(AnyValue.newBuilder().setKvlistValue(list)))
        .addAttributes(
            KeyValue.newBuilder()
                .setKey("array")
                .setValue(
                    AnyValue.newBuilder()
                        .setArrayValue(ArrayValue.newBuilder().addValues(one).addValues(one))));
    ScopeProfiles.Builder scope =
        message.getResourceProfilesBuilder(0).getScopeProfilesBuilder(0).setSchemaUrl("https://x");
    scope.setScope(
        InstrumentationScope.newBuilder(scope.getScope())
            .setDroppedAttributesCount(2)
            .addAttributes(KeyValue.newBuilder().setKey("scope").setValue(one)));
    Profile.Builder profile = scope.getProfilesBuilder(0);
    profile
        .setDroppedAttributesCount(3)
        .setProfileId(ByteString.copyFrom(new byte[15]).concat(ByteString.copyFrom(new byte[] {1})))
        .setOriginalPayloadFormat("jfr")
        .setOriginalPayload(ByteString.copyFromUtf8("payload"));
    return message.build().toByteArray();
  }

  @Test
  void whatProfcheckRefusesIsNeverConformant() throws IOException, InterruptedException {
    List<byte[]> bases = new ArrayList<>();
    for (long seed = 0; seed < 12; seed++) {
      bases.add(complete(seed));
      bases.add(new OtlpWriter().toByteArray(RandomProfiles.of(seed)));
    }
    for (byte[] base : bases) {
      assertThat(saidByProfcheck(base, "-check-dupes", "-check-orphans")).isEmpty();
    }
    long start = Long.getLong("mutations.seed", 0);
    for (long seed = start; seed < start + MUTATIONS; seed++) {
      byte[] base = bases.get((int) (seed % bases.size()));
      compare(new MessageMutator(seed).mutate(base), seed);
    }
    System.out.println(MUTATIONS + " changed messages, " + conformant + " conformant");
    missed.values().forEach(System.out::println);
    assertThat(missed).isEmpty();
    assertThat(conformant).isBetween(MUTATIONS / 10, MUTATIONS / 2);
  }

  private void compare(byte[] message, long seed) throws IOException, InterruptedException {
    Conformance.Result result = Conformance.check(new ByteArrayInputStream(message));
    if (!result.isConformant()) {
      return;
    }
    conformant++;
    note("", seed, saidByProfcheck(message));
    if (result.adviceCount() == 0) {
      note("--strict: ", seed, saidByProfcheck(message, "-check-dupes", "-check-orphans"));
    }
  }

  private void note(String mode, long seed, String said) {
    if (!said.isEmpty()) {
      String kind = mode + said.replaceAll("\\d+", "N");
      missed.putIfAbsent(kind, mode + "seed " + seed + ": " + said);
    }
  }

  /** What it says of a message that it refuses; empty if it takes it. */
  private String saidByProfcheck(byte[] message, String... flags)
      throws IOException, InterruptedException {
    Path file = Files.write(directory.resolve("changed.otlp"), message);
    List<String> command = new ArrayList<>(List.of(System.getProperty("profcheck")));
    command.addAll(List.of(flags));
    command.add(file.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    byte[] output = process.getInputStream().readAllBytes();
    if (process.waitFor() == 0) {
      return "";
    }
    String said = new String(output, StandardCharsets.UTF_8).replace(file.toString(), "FILE");
    return said.isBlank() ? "refused without a word" : said.strip();
  }
}
