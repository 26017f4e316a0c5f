package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.it.programs.DirectOwners;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's direct buffers by call, {@link DirectOwners}'s own numbers being the truth. */
final class DirectBuffersIT {
  private static final String OPTIONS = "include=org.buftrail.it;directBuffers=true";

  @TempDir private Path directory;

  @EachSetting
  void whatIsLiveByCall(Setting setting) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .option("-XX:MaxDirectMemorySize=64m")
            .agent(OPTIONS + ";report=flows.json,flows.txt,flows.html,flows.llm")
            .run(DirectOwners.class);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.err()).contains("direct buffers of the JDK");
    JsonNode direct = direct("flows.json");
    isWhatWasAllocated(direct.path("calls"));
    JsonNode account = direct.path("accounts").path(0);
    assertThat(account.path("account").asText()).isEqualTo("JVM, direct");
    assertThat(account.path("limit").asLong()).isEqualTo(64 << 20);
    // What is kept, and what files are read and written through.
    assertThat(account.path("bytes").asLong()).isBetween(8_650_752L, 8_650_752L + (1 << 20));
    assertThat(Files.readString(directory.resolve("flows.txt")))
        .contains("8.0 MiB in 8 buffers of DirectOwners.keepWhole:")
        .contains("256.0 KiB in 4 buffers of DirectOwners.keepSlices:")
        .contains("0 B in 0 buffers of DirectOwners.drop:")
        .contains("; at most 64.0 MiB, ");
    assertThat(Files.readString(directory.resolve("flows.llm")))
        .contains("call live=8 live_bytes=8388608 allocated=8 allocated_bytes=8388608 at=")
        .contains("account name=\"JVM, direct\" buffers=");
    assertThat(Files.readString(directory.resolve("flows.html")))
        .contains("org.buftrail.it.programs.DirectOwners.keepWhole:");
  }

  @Test
  void nothingIsWovenWithoutTheOption() throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .agent("include=org.buftrail.it;report=flows.json")
            .run(DirectOwners.class);
    assertThat(result.exit()).as(result.err()).isZero();
    Path flows = directory.resolve("flows.json");
    assertThat(!Files.exists(flows) || direct("flows.json").isMissingNode()).isTrue();
  }

  @EachSetting
  void afterAnAttachToo(Setting setting) throws Exception {
    List<String> line = List.of("-cp", setting.classPath(), DirectOwners.class.getName(), "wait");
    try (RunningProgram program = new RunningProgram(directory, setting.java(), line)) {
      program.await("ready");
      ForkedJvm.Result attached = program.command("attach", OPTIONS);
      assertThat(attached.exit()).as(attached.err()).isZero();
      Files.writeString(directory.resolve("go"), "");
      program.await("done");
      ForkedJvm.Result dumped = program.command("dump", "--format", "json");
      assertThat(dumped.exit()).as(dumped.err()).isZero();
      JsonNode root = new ObjectMapper().readTree(dumped.out());
      isWhatWasAllocated(root.path("memory").path("direct").path("calls"));
    }
  }

  private JsonNode direct(String file) throws Exception {
    return new ObjectMapper()
        .readTree(directory.resolve(file).toFile())
        .path("memory")
        .path("direct");
  }

  private static void isWhatWasAllocated(JsonNode calls) {
    assertThat(calls).hasSize(3);
    isCall(calls.path(0), "keepWhole", 8, 8 << 20, 8, 8 << 20);
    isCall(calls.path(1), "keepSlices", 4, 4 << 16, 4, 4 << 16);
    isCall(calls.path(2), "drop", 0, 0, 100, 409_600);
  }

  private static void isCall(
      JsonNode call, String method, long live, long liveBytes, long allocated, long bytes) {
    assertThat(call.path("path").path("hops").path(0).asText()).isEqualTo("DirectOwners." + method);
    assertThat(call.path("live").asLong()).as(method).isEqualTo(live);
    assertThat(call.path("liveBytes").asLong()).as(method).isEqualTo(liveBytes);
    assertThat(call.path("allocated").asLong()).as(method).isEqualTo(allocated);
    assertThat(call.path("allocatedBytes").asLong()).as(method).isEqualTo(bytes);
  }
}
