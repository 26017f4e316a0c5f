package org.buftrail.boot;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.IllegalClassFormatException;
import java.security.ProtectionDomain;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits in a JVM that shows no Netty for the first class that names it, and has the agent start
 * before that class loads. From then on it passes classes on to the agent's transformer. A JVM that
 * never loads Netty pays for this class and a search of its own class files.
 *
 * <p>The agent starts on a thread of its own, since classes that a transformer loads are shown to
 * no transformer. The class that woke it waits while the start gets on: a stack that runs already
 * would lack its hops, and buffers that are loaded already are followed less exactly. The start may
 * need a lock that a waiting thread holds. So when it stands still nobody waits any longer, then
 * and later, and the agent starts as after an attach. Thread-safe.
 */
final class Dormant implements ClassFileTransformer, Consumer<ClassFileTransformer> {
  /** A start that loads no class of its own for so long stands still. */
  private static final long STILL_MILLIS = 2_000;

  /** What follows the name in {@code java/nio/ByteBuffer}, which most programs name. */
  private static final byte JDK_BUFFER = 'f';

  private static final byte[] BUFFER = ascii("/ByteBuf");

  /** Packages of Netty, moved or not, and of what an application tells the agent with. */
  private static final byte[][] PACKAGES = {
    ascii("/netty"), ascii("org/buftrail/flow"), ascii("org/buftrail/model")
  };

  private final AtomicBoolean awake = new AtomicBoolean();
  private final CountDownLatch started = new CountDownLatch(1);
  private final @Nullable ClassLoader platform = AgentLoader.platformLoader();

  private final Start start;
  private final long stillMillis;

  /** Made before the application runs, so that it inherits nothing from its threads. */
  private final Thread starter;

  /** Nobody waits: the start is over, or stands still. */
  private volatile boolean impatient;

  private volatile @Nullable ClassFileTransformer weaver;

  /** Starts the agent, which gives its transformer to {@link Dormant#accept}. */
  interface Start {
    void run();

    /** A number that changes while the start gets on. */
    int progress();
  }

  /** Classes with names: a lambda costs a JVM that has none yet more than all of this. */
  private static final class Starter extends Thread {
    private final Start start;
    private final CountDownLatch started;

    Starter(Start start, CountDownLatch started) {
      super("buftrail-start");
      this.start = start;
      this.started = started;
      setDaemon(true);
      setContextClassLoader(null);
    }

    @Override
    public void run() {
      try {
        start.run();
      } finally {
        started.countDown();
      }
    }
  }

  Dormant(Start start) {
    this(start, STILL_MILLIS);
  }

  Dormant(Start start, long stillMillis) {
    this.start = start;
    this.stillMillis = stillMillis;
    starter = new Starter(start, started);
  }

  private static byte[] ascii(String text) {
    byte[] bytes = new byte[text.length()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) text.charAt(i);
    }
    return bytes;
  }

  /** Takes the agent's transformer. */
  @Override
  public void accept(ClassFileTransformer transformer) {
    weaver = transformer;
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile)
      throws IllegalClassFormatException {
    if (!impatient && isOfApplication(loader) && namesNetty(classFile)) {
      if (redefined == null) {
        wakeAndWait();
      } else {
        wake();
      }
    }
    ClassFileTransformer woven = weaver;
    return woven == null ? null : woven.transform(loader, name, redefined, domain, classFile);
  }

  private boolean isOfApplication(@Nullable ClassLoader loader) {
    return loader != null && loader != platform && !(loader instanceof AgentLoader);
  }

  /**
   * Starts the agent, unless that was done. A thread that retransforms a class must not wait: the
   * start retransforms too.
   */
  private void wake() {
    if (awake.compareAndSet(false, true)) {
      starter.start();
    }
  }

  /** Starts the agent, unless that was done, and waits while the start gets on. */
  void wakeAndWait() {
    wake();
    if (Thread.currentThread() == starter) {
      return;
    }
    boolean interrupted = false;
    while (!impatient) {
      int before = start.progress();
      try {
        impatient = started.await(stillMillis, TimeUnit.MILLISECONDS) || start.progress() == before;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether a class file names Netty, a buffer, or what is tracked beside. */
  static boolean namesNetty(byte[] file) {
    for (int i = 0; i < file.length; i++) {
      if (file[i] == '/' && (isPackage(file, i) || isBuffer(file, i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isPackage(byte[] file, int slash) {
    for (byte[] name : PACKAGES) {
      int at = slash - name.length;
      if (at >= 0 && isAt(name, file, at)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBuffer(byte[] file, int slash) {
    int end = slash + BUFFER.length;
    return isAt(BUFFER, file, slash) && (end == file.length || file[end] != JDK_BUFFER);
  }

  private static boolean isAt(byte[] name, byte[] file, int at) {
    if (at + name.length > file.length) {
      return false;
    }
    for (int i = name.length - 1; i >= 0; i--) {
      if (file[at + i] != name[i]) {
        return false;
      }
    }
    return true;
  }
}
