package org.buftrail.flow.base;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;

/**
 * Walks the stack of the calling thread to the nearest frame of the application.
 *
 * <p>Looks at no more than {@value #MAX_DEPTH} frames, asks no class loader, runs no code of the
 * application, and keeps names alone. Thread-safe.
 */
public final class NearestFrames {
  /** Frames of libraries that are kept, the nearest ones. */
  public static final int MAX_LIBRARY = 3;

  /** Frames that are kept beyond the application's nearest one. */
  static final int MAX_CALLERS = 2;

  static final int MAX_DEPTH = 128;

  /** Frames that the JVM hands out at once. */
  private static final int BATCH = 32;

  private static final int MAX_CLASSES = 4_096;

  private static final Byte OWN = 0;
  private static final Byte LIBRARY = 1;
  private static final Byte SKIPPED = 2;

  /** Made here, since a security manager of the application is asked when one is made. */
  private static final StackWalker WALKER = StackWalker.getInstance(Set.of(), BATCH);

  private final Predicate<String> isOwn;

  /** By the class's name. Made anew when it is full. */
  private volatile Map<String, Byte> kinds = new ConcurrentHashMap<>();

  /**
   * @param isOwn tells the application's classes by their binary names; runs none of their code
   */
  public NearestFrames(Predicate<String> isOwn) {
    this.isOwn = isOwn;
  }

  /** One walk and its result. */
  private final class Walk
      implements Function<Stream<StackWalker.StackFrame>, @Nullable CallPlace>,
          Consumer<StackWalker.StackFrame> {
    private final List<Site> library = new ArrayList<>(MAX_LIBRARY);
    private final List<Site> callers = new ArrayList<>(MAX_CALLERS);
    private @Nullable Site own;

    @Override
    public @Nullable CallPlace apply(Stream<StackWalker.StackFrame> frames) {
      var each = frames.spliterator();
      int depth = 0;
      while (callers.size() < MAX_CALLERS && depth < MAX_DEPTH && each.tryAdvance(this)) {
        depth++;
      }
      return own == null && library.isEmpty() ? null : new CallPlace(own, library, callers);
    }

    @Override
    public void accept(StackWalker.StackFrame frame) {
      Byte kind = kind(frame.getClassName());
      if (own != null) {
        if (!kind.equals(SKIPPED)) {
          callers.add(site(frame));
        }
      } else if (kind.equals(OWN)) {
        own = site(frame);
      } else if (kind.equals(LIBRARY)
          && library.size() < MAX_LIBRARY
          && !passesOn(frame.getMethodName())) {
        library.add(site(frame));
      }
    }
  }

  /** The nearest frames of the calling thread; null where there are none but the JDK's. */
  public @Nullable CallPlace find() {
    return WALKER.walk(new Walk());
  }

  private static Site site(StackWalker.StackFrame frame) {
    int line = frame.getLineNumber();
    return new Site(frame.getClassName(), frame.getMethodName(), "", Math.max(0, line), "");
  }

  /** Whether holders delegate such a method to their buffer. */
  private static boolean passesOn(String method) {
    return method.equals("retain")
        || method.equals("release")
        || method.equals("touch")
        || method.equals("retainedDuplicate")
        || method.equals("retainedSlice");
  }

  private Byte kind(String className) {
    Map<String, Byte> known = kinds;
    Byte kind = known.get(className);
    if (kind == null) {
      boolean isSkipped = isOfMemory(className) || isPassingOn(className);
      kind = isSkipped ? SKIPPED : isOwn.test(className) ? OWN : LIBRARY;
      if (known.size() >= MAX_CLASSES) {
        known = new ConcurrentHashMap<>();
        kinds = known;
      }
      known.put(className, kind);
    }
    return kind;
  }

  /** Whether a class of Netty's hands on what goes through a pipeline, whatever it is. */
  private static boolean isPassingOn(String name) {
    return name.endsWith("netty.channel.AbstractChannelHandlerContext")
        || name.endsWith("netty.channel.DefaultChannelHandlerContext")
        || name.endsWith("netty.channel.DefaultChannelPipeline");
  }

  /** Whether the application's classes have one of that binary name. */
  public boolean isOwn(String className) {
    return kind(className).equals(OWN);
  }

  /** Whether every allocation or retain passes such a class, so that to name it says nothing. */
  private static boolean isOfMemory(String name) {
    return name.startsWith("java.")
        || name.startsWith("jdk.")
        || name.startsWith("sun.")
        || name.startsWith("org.buftrail.flow.")
        || name.startsWith("org.apache.arrow.memory.")
        || name.contains("netty.buffer.")
        || name.contains("netty.util.")
        || isAllocator(name);
  }

  /** Whether it is called an allocator, or is nested in what is; the test of one is not. */
  private static boolean isAllocator(String name) {
    int at = name.indexOf("Allocator", name.lastIndexOf('.') + 1);
    while (at >= 0) {
      int end = at + "Allocator".length();
      if (name.startsWith("Impl", end)) {
        end += "Impl".length();
      }
      if (end == name.length() || name.charAt(end) == '$') {
        return true;
      }
      at = name.indexOf("Allocator", end);
    }
    return false;
  }
}
