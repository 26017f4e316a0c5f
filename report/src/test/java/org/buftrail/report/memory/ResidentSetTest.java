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
    assertThat(of(memory, Owner.DIRECT).known()).isEqualTo("0 B counted by the JVM in all");
  }

  @Test
  void directBuffersAreSaidAsTheJvmCountsThem() throws IOException {
    ProcessMemory.Owner direct = of(divided("buffers.direct", "8192"), Owner.DIRECT);
    assertThat(direct.known()).isEqualTo("8.0 KiB counted by the JVM in all");
    assertThat(direct.resident() + direct.beyond()).isEqualTo(8 << 10);
  }

  @Test
  void whatTheJvmCountsIsTakenOffIt() throws IOException {
    ProcessMemory memory =
        divided(
            "answer.vmNativeMemory",
            """
            -  GC (reserved=1KB, committed=1KB)
               (malloc=1KB)
            -  Symbol (reserved=7KB, committed=7KB)
               (malloc=4KB #9)
               (arena=3KB #1)
            -  Other (reserved=9KB, committed=9KB)
               (malloc=9KB)
            """);
    assertThat(memory.resident()).isEqualTo(12 << 10);
    assertThat(of(memory, Owner.JVM).resident()).isEqualTo(8 << 10);
    assertThat(of(memory, Owner.JVM).known()).isEqualTo("Symbol 7.0 KiB, GC 1.0 KiB");
    assertThat(of(memory, Owner.UNKNOWN).resident()).isEqualTo(4 << 10);
  }

  /** Three mappings of one page make three pages in RAM, where the heap has two. */
  @Test
  void aHeapThatIsMappedAgainIsSaidToBe() throws IOException {
    String mapping = "-%s rw-s 00000000 00:01 9 /memfd:java_heap (deleted)\nRss:    4 kB\n";
    write(
        "smaps",
        "100000000"
            + String.format(mapping, "100001000")
            + ("200000000" + String.format(mapping, "200001000"))
            + ("300000000" + String.format(mapping, "300001000")));
    ProcessMemory once = divided("pool.HEAP.ZHeap", "4096 12288");
    assertThat(of(once, Owner.HEAP).known()).isEqualTo("4.0 KiB used of 12.0 KiB committed");
    ProcessMemory again = divided("pool.HEAP.ZHeap", "4096 8192");
    assertThat(of(again, Owner.HEAP).resident()).isEqualTo(12 << 10);
    assertThat(of(again, Owner.HEAP).known())
        .isEqualTo(
            "4.0 KiB used of 8.0 KiB committed; Linux counts a page of ZGC once for each of its"
                + " mappings");
    ProcessMemory grown = divided("pool.HEAP.G1 Eden Space", "4096 8192");
    assertThat(of(grown, Owner.HEAP).known())
        .as("another collector maps its heap once")
        .isEqualTo("4.0 KiB used of 8.0 KiB committed");
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
    assertThat(ResidentSet.group(process)).isEqualTo(ControlGroup.NONE);
    write("root/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(ResidentSet.group(process)).isEqualTo(ControlGroup.NONE);
    write("root/sys/fs/cgroup/memory/app/memory.limit_in_bytes", "536870912\n");
    write("cgroup", "9:pids:/\n8:memory:/app\n");
    assertThat(ResidentSet.group(process)).isEqualTo(536_870_912);
    write("root/sys/fs/cgroup/pod/memory.max", "1073741824\n");
    write("cgroup", "0::/pod\n");
    assertThat(ResidentSet.group(process)).isEqualTo(1_073_741_824);
    write("root/sys/fs/cgroup/pod/memory.max", "max\n");
    assertThat(ResidentSet.group(process)).isEqualTo(ControlGroup.NONE);
    assertThat(divided().limits())
        .containsExactly("Java heap at most 1.0 MiB", "direct buffers of the JDK at most 1.0 MiB");
    write("root/sys/fs/cgroup/memory.max", "2097152\n");
    assertThat(divided().limits()).last().isEqualTo("the cgroup at most 2.0 MiB");
  }

  @Test
  void aGroupAroundItsOwnBoundsItToo() throws IOException {
    write("root/sys/fs/cgroup/pods/memory.max", "3000000\n");
    write("root/sys/fs/cgroup/pods/app/memory.max", "4000000\n");
    write("cgroup", "0::/pods/app\n");
    assertThat(ResidentSet.group(process)).isEqualTo(3_000_000);
    write("root/sys/fs/cgroup/pods/app/memory.max", "2000000\n");
    assertThat(ResidentSet.group(process)).isEqualTo(2_000_000);
    write("root/sys/fs/cgroup/memory/pods/memory.limit_in_bytes", "5000000\n");
    write("root/sys/fs/cgroup/memory/pods/app/memory.limit_in_bytes", "9223372036854771712\n");
    write("cgroup", "4:memory:/pods/app\n0::/\n");
    assertThat(ResidentSet.group(process)).isEqualTo(5_000_000);
  }
}
