package org.buftrail.agent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.flow.woven.MemoryAlarm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OutOfMemoryTest {
  @TempDir private Path directory = Path.of("");
  private final List<String> log = new ArrayList<>();
  private int errors = 5;
  private boolean full;
  private long nanos;

  @Test
  void writesOnceAMinute() throws Exception {
    OutOfMemorySnapshots snapshots =
        new OutOfMemorySnapshots(
            () -> errors,
            errors,
            () -> full,
            () -> nanos,
            new SnapshotFiles(directory, 9, 1 << 20, log::add));
    assertThat(snapshots.isWanted()).isFalse();
    errors++;
    assertThat(snapshots.isWanted()).isTrue();
    snapshots.look(SnapshotBuilder.none().build());
    assertThat(log).hasSize(1).first().asString().startsWith("snapshot (oom) written to ");
    errors++;
    assertThat(snapshots.isWanted()).isFalse();
    nanos += 61_000_000_000L;
    assertThat(snapshots.isWanted()).isFalse();
    full = true;
    assertThat(snapshots.isWanted()).isTrue();
    snapshots.look(SnapshotBuilder.none().after(1).build());
    assertThat(log.get(1)).startsWith("snapshot (heap-full) written to ");
    nanos += 61_000_000_000L;
    assertThat(snapshots.isWanted()).isFalse();
  }

  @Test
  void anErrorFromBeforeTheWatchBeganIsNotMissed() {
    SnapshotFiles files = new SnapshotFiles(directory, 9, 1 << 20, log::add);
    errors = 6;
    assertThat(new OutOfMemorySnapshots(() -> errors, 5, () -> full, () -> nanos, files).isWanted())
        .isTrue();
  }

  /** Stands in for the class of the JDK: woven by the same code, defined beside it. */
  static class Sample extends Error {
    private static final long serialVersionUID = 1L;

    public Sample() {}

    public Sample(String message) {
      super(message);
    }
  }

  @Test
  void constructorsRaiseTheAlarm() throws Exception {
    byte[] classFile;
    String resource = Sample.class.getName().replace('.', '/') + ".class";
    try (InputStream in = Sample.class.getClassLoader().getResourceAsStream(resource)) {
      classFile = OutOfMemoryWeaver.weave(Objects.requireNonNull(in).readAllBytes());
    }
    ClassLoader loader =
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(Sample.class.getName())
                ? defineClass(name, classFile, 0, classFile.length)
                : super.loadClass(name, resolve);
          }
        };
    Class<?> woven = loader.loadClass(Sample.class.getName());
    int before = MemoryAlarm.count();
    Constructor<?> constructor = woven.getConstructor(String.class);
    constructor.setAccessible(true);
    Throwable error = (Throwable) constructor.newInstance("no more");
    assertThat(error).hasMessage("no more");
    assertThat(MemoryAlarm.count()).isEqualTo(before + 1);
  }

  @Test
  void aHeapThatIsNotFullIsNotHigh() {
    assertThat(new HeapPressure().isHigh()).isFalse();
  }
}
