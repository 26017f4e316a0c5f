package org.buftrail.report.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.buftrail.model.ProcessMemory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory stands for that of a process under {@code /proc}. */
final class ResidentSetTest {
  @TempDir private Path process;

  private void write(String file, String text) throws IOException {
    Path path = process.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  @BeforeEach
  void map() throws IOException {
    write("smaps", "7f5f0c000000-7f5f0c021000 rw-p 00000000 00:00 0 \nRss:    12 kB\n");
  }

  private ProcessMemory divided(String... figures) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("flag.MaxHeapSize", "1048576");
    for (int i = 0; i < figures.length; i += 2) {
      properties.setProperty(figures[i], figures[i + 1]);
    }
    return ResidentSet.read(process)
        .divide(new JvmFigures(properties, new Properties()), null, false);
  }

  private static ProcessMemory.Owner of(ProcessMemory memory, Owner wanted) {
    return memory.owners().stream()
        .filter(owner -> owner.name().equals(wanted.title()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatNobodyCountsIsNotKnown() throws IOException {
    ProcessMemory memory = divided();
    assertThat(memory.resident()).isEqualTo(12 << 10);
    assertThat(memory.owners()).hasSize(Owner.values().length);
    ProcessMemory.Owner unknown = of(memory, Owner.UNKNOWN);
    assertThat(unknown.resident()).isEqualTo(12 << 10);
    assertThat(unknown.known()).contains("nativemem");
    assertThat(of(memory, Owner.JVM).known())
        .isEqualTo("start with -XX:NativeMemoryTracking=summary to know");
    assertThat(of(memory, Owner.NETTY).known()).startsWith("the agent is not there");
  }

  @Test
  void whatTheJvmCountsIsTakenOffIt() throws IOException {
    ProcessMemory memory =
        divided("answer.vmNativeMemory", "-  Symbol (reserved=8KB, committed=8KB)\n (malloc=8KB)");
    assertThat(memory.resident()).isEqualTo(12 << 10);
    assertThat(of(memory, Owner.JVM).resident()).isEqualTo(8 << 10);
    assertThat(of(memory, Owner.UNKNOWN).resident()).isEqualTo(4 << 10);
  }

  @Test
  void whereTheKernelSaysNothingNothingIsSaid() throws IOException {
    write("smaps", "");
    assertThatIOException().isThrownBy(this::divided).withMessageEndingWith("what is in RAM");
    Files.delete(process.resolve("smaps"));
    assertThatIOException().isThrownBy(this::divided).withMessageContaining("needs Linux");
  }

  @Test
  void theLimitIsThatOfItsOwnGroup() throws IOException {
    assertThat(ResidentSet.group(process)).isNull();
    write("root/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(ResidentSet.group(process)).isNull();
    write("root/sys/fs/cgroup/memory/app/memory.limit_in_bytes", "536870912\n");
    write("cgroup", "9:pids:/\n8:memory:/app\n");
    assertThat(ResidentSet.group(process)).isEqualTo("536870912");
    write("root/sys/fs/cgroup/pod/memory.max", "1073741824\n");
    write("cgroup", "0::/pod\n");
    assertThat(ResidentSet.group(process)).isEqualTo("1073741824");
    write("root/sys/fs/cgroup/pod/memory.max", "max\n");
    assertThat(ResidentSet.group(process)).isNull();
    assertThat(divided().limits())
        .containsExactly("Java heap at most 1.0 MiB", "direct buffers of the JDK at most 1.0 MiB");
    write("root/sys/fs/cgroup/memory.max", "2048\n");
    assertThat(divided().limits()).last().isEqualTo("the cgroup at most 2.0 KiB");
  }
}
