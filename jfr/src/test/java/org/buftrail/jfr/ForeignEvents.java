package org.buftrail.jfr;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;

/**
 * A recording of this JVM with events that async-profiler, Datadog, Netty and Buftrail write, under
 * their names and with their fields, and those of the JDK that no recording of the tests has.
 */
final class ForeignEvents {
  private static final int ROUNDS = 40;

  private ForeignEvents() {}

  @Name("profiler.WallClockSample")
  static final class WallClockSample extends Event {
    Thread sampledThread = Thread.currentThread();
    int samples;
  }

  @Name("datadog.ExecutionSample")
  static final class DatadogCpu extends Event {
    long weight;
    long spanId;
    long localRootSpanId;
  }

  @Name("datadog.MethodSample")
  static final class DatadogWall extends Event {
    long weight;
  }

  @Name("datadog.ObjectSample")
  static final class DatadogObject extends Event {
    Class<?> objectClass = String.class;
    long size;
    float weight;
  }

  @Name("datadog.HeapLiveObject")
  static final class DatadogLive extends Event {
    Class<?> objectClass = String.class;
    long size;
    float weight;
  }

  @Name("profiler.LiveObject")
  static final class LiveObject extends Event {
    Class<?> objectClass = String.class;
    long allocationSize;
  }

  @Name("profiler.NativeLock")
  static final class NativeLock extends Event {
    long address;
  }

  @Name("profiler.Span")
  static final class Span extends Event {
    String tag = "";
  }

  @Name("profiler.Malloc")
  static final class Malloc extends Event {
    long address;
    long size;
  }

  @Name("profiler.Free")
  static final class Free extends Event {
    long address;
  }

  @Name("io.netty.AllocateBuffer")
  static final class AllocateBuffer extends Event {
    Class<?> allocatorType = String.class;
    int size;
    boolean direct;
    long address;
  }

  @Name("io.netty.FreeBuffer")
  static final class FreeBuffer extends Event {
    boolean direct;
    long address;
  }

  @Name("buftrail.Leak")
  static final class Leak extends Event {
    String path = "";
    boolean direct;
    long count;
    long bytes;
  }

  @Name("buftrail.LiveFlows")
  static final class LiveFlows extends Event {
    String path = "a.B.c";
    boolean direct;
    long count;
    long bytes;
  }

  @Name("buftrail.DoubleRelease")
  static final class DoubleRelease extends Event {
    String path = "";
    String kind = "twice";
    long count;
  }

  /** Records all of them, from two threads, with values that differ. */
  static Path record(Path directory) throws Exception {
    Path file = directory.resolve("foreign.jfr");
    try (Recording recording = new Recording()) {
      for (String event :
          List.of("FileRead", "FileWrite", "FileForce", "JavaMonitorWait", "ThreadPark")) {
        recording.enable("jdk." + event).withStackTrace().withThreshold(Duration.ZERO);
      }
      recording.enable("jdk.JavaErrorThrow").withStackTrace();
      recording.enable("jdk.JavaExceptionThrow").withStackTrace();
      recording.start();
      for (int i = 0; i < 2; i++) {
        int first = i * ROUNDS;
        Thread thread = new Thread(() -> work(first, directory), "worker-" + i);
        thread.start();
        thread.join();
      }
      recording.stop();
      recording.dump(file);
    }
    return file;
  }

  private static void work(int first, Path directory) {
    for (int i = first; i < first + ROUNDS; i++) {
      samples(i);
      memory(i);
      flows(i);
      jdk(directory);
    }
  }

  private static void samples(int i) {
    WallClockSample wall = new WallClockSample();
    wall.samples = 1 + i % 7;
    wall.commit();
    DatadogCpu cpu = new DatadogCpu();
    cpu.weight = 1L + i % 3;
    cpu.spanId = i % 4;
    cpu.localRootSpanId = i % 2;
    cpu.commit();
    DatadogWall method = new DatadogWall();
    method.weight = 2L + i % 5;
    method.commit();
    NativeLock lock = new NativeLock();
    lock.begin();
    LockSupport.parkNanos(1);
    lock.commit();
    Span span = new Span();
    span.begin();
    span.tag = "span-" + i % 3;
    span.commit();
  }

  private static void memory(int i) {
    DatadogObject object = new DatadogObject();
    object.size = 16L * (1L + i);
    object.weight = 3;
    object.commit();
    DatadogLive live = new DatadogLive();
    live.size = 24L * (1L + i);
    live.weight = 2;
    live.commit();
    LiveObject alive = new LiveObject();
    alive.allocationSize = 40L * (1L + i);
    alive.commit();
    Malloc malloc = new Malloc();
    malloc.address = 0x7000_0000_0000L + 64L * i;
    malloc.size = 100L + i;
    malloc.commit();
    AllocateBuffer buffer = new AllocateBuffer();
    buffer.address = 0x6000_0000_0000L + 64L * i;
    buffer.size = 1000 + i;
    buffer.direct = i % 4 != 0;
    buffer.commit();
    if (i % 3 == 0) {
      Free free = new Free();
      free.address = malloc.address;
      free.commit();
      FreeBuffer freed = new FreeBuffer();
      freed.address = buffer.address;
      freed.direct = buffer.direct;
      freed.commit();
    }
  }

  private static void flows(int i) {
    Leak leak = new Leak();
    leak.path = "a.B.c;d.E.f";
    leak.direct = i % 2 == 0;
    leak.count = i;
    leak.bytes = 256L * i;
    leak.commit();
    DoubleRelease misuse = new DoubleRelease();
    misuse.path = "a.B.c";
    misuse.count = 1L + i % 2;
    misuse.commit();
  }

  private static void jdk(Path directory) {
    try (RandomAccessFile file =
        new RandomAccessFile(directory.resolve("written").toFile(), "rw")) {
      file.write(new byte[1000]);
      file.seek(0);
      file.read(new byte[700]);
      file.getChannel().force(true);
      synchronized (directory) {
        directory.wait(1);
      }
      LockSupport.parkNanos(1_000);
      throw new Planned();
    } catch (Planned expected) {
      // Recorded as an error, and as an exception.
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static final class Planned extends Error {
    private static final long serialVersionUID = 1;
  }
}
