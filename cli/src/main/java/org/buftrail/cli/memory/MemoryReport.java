package org.buftrail.cli.memory;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.buftrail.cli.live.AgentLoading;
import org.buftrail.cli.live.Jvm;
import org.buftrail.cli.live.RunningAgent;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ProcessMemory;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.profile.text.Amounts;
import org.buftrail.report.ProcessMemoryJson;
import org.buftrail.report.ProcessMemoryText;
import org.buftrail.report.SnapshotJsonReader;
import org.buftrail.report.memory.JvmFigures;
import org.buftrail.report.memory.ResidentSet;
import org.jspecify.annotations.Nullable;

/**
 * Asks a process, its JVM and the agent in it who holds its memory, and says so as text or JSON.
 * Immutable. Linux only.
 */
public final class MemoryReport {
  private final long pid;
  private final ProcessMemory memory;

  private MemoryReport(long pid, ProcessMemory memory) {
    this.pid = pid;
    this.memory = memory;
  }

  /**
   * Returns the report of a running JVM.
   *
   * @throws IOException saying in one line why it cannot be asked
   */
  public static MemoryReport of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    boolean hasAgent = Jvm.hasAgent(process.resolve("task"));
    PoolMemory pools = hasAgent ? pools(pid) : null;
    // The JVM first: it says best why a process cannot be asked.
    JvmFigures jvm = JvmFigures.unpack(AgentLoading.memory(pid), AgentLoading.properties(pid));
    return new MemoryReport(pid, ResidentSet.read(process).divide(jvm, pools, hasAgent));
  }

  /** Null where the agent gives no answer. */
  private static @Nullable PoolMemory pools(long pid) {
    try {
      byte[] json = new RunningAgent(pid).render("json");
      return SnapshotJsonReader.read(
              new InputStreamReader(new ByteArrayInputStream(json), StandardCharsets.UTF_8))
          .pools();
    } catch (IOException e) {
      return null;
    }
  }

  /** One object: the process, its owners with their bytes, and the limits. */
  public String json() throws IOException {
    StringBuilder text = new StringBuilder();
    JsonOut out = new JsonOut(text, true).beginObject();
    out.name("format").value("buftrail-memory").name("version").value(1);
    out.name("pid").value(pid).name("residentBytes").value(memory.resident());
    ProcessMemoryJson.members(memory, out);
    out.endObject();
    return text.append('\n').toString();
  }

  /** A table by owner, and the limits. */
  public String text() throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("process ").append(pid).append(": ");
    text.append(Amounts.of(memory.resident(), "bytes")).append(" resident\n\n");
    ProcessMemoryText.table(memory, text);
    return text.toString();
  }

  /** Returns the bill as a snapshot has it. */
  public ProcessMemory memory() {
    return memory;
  }
}
