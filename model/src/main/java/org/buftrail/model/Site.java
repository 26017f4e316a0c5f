package org.buftrail.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A place in code that a flow can pass: an allocator method, a method entry or exit, a call.
 *
 * <p>Immutable. Two sites are equal when they read the same: class, method with suffix, and line.
 * Overloads on one line are, and so is a call where its method begins. What the method does with a
 * buffer is beside that.
 */
public final class Site {
  /** The suffix of the method's name for the exit of a method that returns the buffer. */
  public static final String RETURN_SUFFIX = "_return";

  private final String className;

  /** With the suffix. */
  private final String method;

  private final String descriptor;
  private final int line;
  private final String suffix;
  private final boolean onlyReads;
  private final @Nullable List<String> collects;

  /**
   * @param className binary name, {@code com.example.Outer$Inner}
   * @param method method name without suffix; {@code <init>} for a constructor; empty where the
   *     class name stands for something that is no method, such as {@code (in transit)}
   * @param descriptor method descriptor, or empty where it is not known
   * @param line line number in the source file, or 0 where it is not known
   * @param suffix empty or {@link #RETURN_SUFFIX}
   */
  public Site(String className, String method, String descriptor, int line, String suffix) {
    this(
        Objects.requireNonNull(className),
        suffix.isEmpty() ? Objects.requireNonNull(method) : method + suffix,
        Objects.requireNonNull(descriptor),
        line,
        suffix,
        false,
        null);
  }

  private Site(
      String className,
      String method,
      String descriptor,
      int line,
      String suffix,
      boolean onlyReads,
      @Nullable List<String> collects) {
    this.className = className;
    this.method = method;
    this.descriptor = descriptor;
    this.line = line;
    this.suffix = suffix;
    this.onlyReads = onlyReads;
    this.collects = collects;
  }

  /** Returns the entry of a method that can only read its buffers. Equal to this one. */
  public Site ofReader() {
    return new Site(className, method, descriptor, line, suffix, true, null);
  }

  /**
   * Returns the entry of a method that can put a buffer into a collection. Equal to this one.
   *
   * @param releasing methods of its class that release buffers, each as {@code method:line}
   */
  public Site ofCollector(List<String> releasing) {
    return new Site(className, method, descriptor, line, suffix, false, List.copyOf(releasing));
  }

  /**
   * Whether this is the entry of a method that reads the buffers it gets and does nothing else with
   * them: it neither releases nor retains, returns, stores or passes them on.
   */
  public boolean onlyReads() {
    return onlyReads;
  }

  /**
   * If this is the entry of a method that can put a buffer it gets into a collection, the first
   * methods of its class that release buffers, each as {@code method:line}; null for any other.
   */
  public @Nullable List<String> collects() {
    return collects;
  }

  /** The binary class name. */
  public String className() {
    return className;
  }

  /** The method's name with its suffix, if it has one. */
  public String method() {
    return method;
  }

  /** The line number, or 0 where it is not known. */
  public int line() {
    return line;
  }

  /** {@code SimpleClass.method}, as paths show it; nested classes keep their outer name. */
  public String hop() {
    return join(className.substring(className.lastIndexOf('.') + 1));
  }

  /**
   * {@code com.example.SimpleClass.method}, without the line; the class alone for what stands in
   * place of a method.
   */
  public String qualifiedName() {
    return join(className);
  }

  private String join(String type) {
    return method.isEmpty() ? type : type + '.' + method();
  }

  @Override
  public boolean equals(Object o) {
    if (!(o instanceof Site)) {
      return false;
    }
    Site other = (Site) o;
    return line == other.line && method.equals(other.method) && className.equals(other.className);
  }

  /** Whether this is Netty's {@code retain}, behind which all callers meet. */
  boolean isRetain() {
    return method.equals("retain") && className.endsWith(".buffer.ByteBuf");
  }

  /** Whether this is a known line with a call, and not the method that the line is in. */
  public boolean isCall() {
    return line > 0 && descriptor.isEmpty() && suffix.isEmpty();
  }

  /** Whether it is the very place in code, and does not only read the same. */
  public boolean isExactly(Site other) {
    return equals(other)
        && descriptor.equals(other.descriptor)
        && suffix.equals(other.suffix)
        && onlyReads == other.onlyReads
        && Objects.equals(collects, other.collects);
  }

  @Override
  public int hashCode() {
    return (className.hashCode() * 31 + method.hashCode()) * 31 + line * 17;
  }

  @Override
  public String toString() {
    return qualifiedName() + (line > 0 ? ":" + line : "");
  }
}
