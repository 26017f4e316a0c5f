package org.buftrail.jfr;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPInputStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Recordings for tests: those of the test resources, and one that this JVM makes of itself. */
final class Recordings {
  private static final int MAX_ROUNDS = 10;

  private Recordings() {}

  /** A recording among the test resources, unpacked into a directory. */
  static Path unpack(String name, Path directory) throws IOException {
    Path file = directory.resolve(name + ".jfr");
    if (!Files.exists(file)) {
      try (InputStream packed =
          Recordings.class.getResourceAsStream("/recordings/" + name + ".jfr.gz")) {
        Files.copy(new GZIPInputStream(Objects.requireNonNull(packed, name)), file);
      }
    }
    return file;
  }

  /** Records this JVM at work with locks, sockets, exceptions and allocation. */
  static Path record(Path directory) throws IOException, InterruptedException {
    Path file = directory.resolve("own.jfr");
    try (Recording recording = new Recording()) {
      for (String event :
          List.of(
              "jdk.ExecutionSample",
              "jdk.NativeMethodSample",
              "jdk.ObjectAllocationSample",
              "jdk.ObjectAllocationInNewTLAB",
              "jdk.ObjectAllocationOutsideTLAB",
              "jdk.JavaMonitorEnter",
              "jdk.JavaMonitorWait",
              "jdk.ThreadPark",
              "jdk.SocketRead",
              "jdk.SocketWrite",
              "jdk.JavaExceptionThrow",
              "jdk.JavaErrorThrow",
              "jdk.GCPhasePause",
              "jdk.ExecuteVMOperation",
              "jdk.OldObjectSample")) {
        recording.enable(event).withStackTrace();
      }
      recording.setSettings(merge(recording.getSettings()));
      recording.start();
      // On a busy machine a second may pass without a sample.
      for (int round = 0; round < MAX_ROUNDS && !hasSamples(file); round++) {
        work();
        recording.dump(file);
      }
    }
    return file;
  }

  private static boolean hasSamples(Path file) throws IOException {
    Set<String> missing = new HashSet<>(List.of("jdk.ExecutionSample", "jdk.NativeMethodSample"));
    if (Files.exists(file)) {
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        missing.remove(event.getEventType().getName());
      }
    }
    return missing.isEmpty();
  }

  private static Map<String, String> merge(Map<String, String> settings) {
    Map<String, String> merged = new HashMap<>(settings);
    for (String event :
        List.of("JavaMonitorEnter", "JavaMonitorWait", "ThreadPark", "SocketRead", "SocketWrite")) {
      merged.put("jdk." + event + "#threshold", "0 ms");
    }
    merged.put("jdk.ExecutionSample#period", "10 ms");
    merged.put("jdk.NativeMethodSample#period", "10 ms");
    merged.put("jdk.ObjectAllocationSample#throttle", "10000/s");
    return merged;
  }

  private static void work() throws IOException, InterruptedException {
    Object lock = new Object();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      threads.add(new Thread(() -> contend(lock), "contender-" + i));
    }
    threads.add(new Thread(Recordings::serve, "server"));
    threads.add(new Thread(Recordings::listen, "listener"));
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    System.gc();
  }

  private static void contend(Object lock) {
    long end = System.nanoTime() + 1_000_000_000L;
    while (System.nanoTime() < end) {
      List<byte[]> garbage = new ArrayList<>();
      synchronized (lock) {
        for (int i = 0; i < 200; i++) {
          garbage.add(recurse(i % 40));
        }
      }
      try {
        throw new IllegalStateException("on purpose " + garbage.size());
      } catch (IllegalStateException e) {
        LockSupport.parkNanos(100_000);
      }
    }
  }

  private static byte[] recurse(int depth) {
    return depth == 0 ? new byte[2048] : recurse(depth - 1);
  }

  /** Waits in native code for long enough to be sampled there. */
  private static void listen() {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(1_500);
      server.accept();
    } catch (SocketTimeoutException e) {
      // Nobody calls.
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void serve() {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      for (int i = 0; i < 50; i++) {
        client.getOutputStream().write(new byte[100 + i]);
        accepted.getInputStream().readNBytes(100 + i);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
