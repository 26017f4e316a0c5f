package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** What is recorded: files, sockets, locks and exceptions, each as often as a test can say. */
final class RecordedProgram {
  private final Path directory;

  /** What the recording's program locks. */
  private static final class Door {
    boolean isOpen;
  }

  /** What it throws. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message);
    }
  }

  RecordedProgram(Path directory) {
    this.directory = directory;
  }

  void run() throws Exception {
    useFiles();
    useSockets();
    useLocks();
    for (int i = 0; i < 5; i++) {
      refuse(i);
    }
    System.gc();
  }

  private void useFiles() throws IOException {
    for (int i = 0; i < 3; i++) {
      Path file = directory.resolve("part-" + i + ".txt");
      try (var out = new FileOutputStream(file.toFile())) {
        out.write(new byte[1000 * (i + 1)]);
      }
      try (var in = new FileInputStream(file.toFile())) {
        assertThat(in.read(new byte[4000])).isEqualTo(1000 * (i + 1));
      }
    }
  }

  private static void useSockets() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread answering =
          new Thread(
              () -> {
                try (Socket one = server.accept()) {
                  byte[] asked = one.getInputStream().readNBytes(5);
                  one.getOutputStream().write(asked);
                  one.getInputStream().read();
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              },
              "answering");
      answering.start();
      try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
        socket.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
        assertThat(socket.getInputStream().readNBytes(5)).hasSize(5);
      }
      answering.join();
    }
  }

  private static void useLocks() throws Exception {
    Door door = new Door();
    CountDownLatch held = new CountDownLatch(1);
    Thread guest = new Thread(() -> enter(door, held), "guest");
    Thread owner = new Thread(() -> hold(door, held, guest), "owner");
    owner.start();
    guest.start();
    owner.join();
    guest.join();
    Thread sleeper = new Thread(() -> await(door), "sleeper");
    sleeper.start();
    while (sleeper.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    Thread opener = new Thread(() -> open(door), "opener");
    opener.start();
    opener.join();
    sleeper.join();
    synchronized (door) {
      // Nobody notifies it.
      door.wait(1);
    }
  }

  private static void enter(Door door, CountDownLatch held) {
    try {
      held.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    synchronized (door) {
      door.isOpen = false;
    }
  }

  private static void hold(Door door, CountDownLatch held, Thread guest) {
    synchronized (door) {
      held.countDown();
      while (guest.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
    }
  }

  private static void await(Door door) {
    synchronized (door) {
      while (!door.isOpen) {
        try {
          door.wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private static void open(Door door) {
    synchronized (door) {
      door.isOpen = true;
      door.notifyAll();
    }
  }

  private static void refuse(int number) {
    try {
      throw new Refused("guest " + number % 2);
    } catch (Refused e) {
      assertThat(e).hasMessageStartingWith("guest");
    }
  }
}
