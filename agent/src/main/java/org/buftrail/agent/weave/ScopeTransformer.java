package org.buftrail.agent.weave;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.jspecify.annotations.Nullable;

/**
 * Weaves what {@link org.buftrail.flow.LeakScope} needs, from when the first scope opens, so a JVM
 * without scopes has its classes as they were. Thread-safe.
 */
public abstract class ScopeTransformer implements ClassFileTransformer {
  private final Instrumentation instrumentation;
  private final Consumer<String> log;
  private final Rewriter rewriter;
  private boolean installed;

  /**
   * @param log takes a line if something cannot be woven
   */
  protected ScopeTransformer(Instrumentation instrumentation, Consumer<String> log) {
    this.instrumentation = instrumentation;
    this.log = log;
    this.rewriter = new Rewriter(log);
  }

  @Override
  public final byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || Weaver.isOurs(name)) {
      return null;
    }
    try {
      return weave(name, domain, classFile, rewriter);
    } catch (Throwable e) {
      rewriter.fail(name, e);
      return null;
    }
  }

  /**
   * A class with what a scope needs, or null where it stays as it is.
   *
   * @param name internal name of a class that is not the agent's
   */
  protected abstract byte @Nullable [] weave(
      String name, @Nullable ProtectionDomain domain, byte[] classFile, Rewriter rewriter);

  /** Whether a loaded class is to be woven. */
  protected abstract boolean wants(Class<?> type);

  /** Describes for the user the effect of a class that could not be woven. */
  protected abstract String unwoven(Class<?> type);

  /** Weaves classes from now on, and those that are loaded. */
  public final void weave() {
    add();
    retransform();
  }

  /** Gives classes their byte code back. */
  public final void restore() {
    if (remove()) {
      retransform();
    }
  }

  private synchronized void add() {
    instrumentation.addTransformer(this, instrumentation.isRetransformClassesSupported());
    installed = true;
  }

  private synchronized boolean remove() {
    boolean was = installed;
    installed = false;
    return was && instrumentation.removeTransformer(this);
  }

  private void retransform() {
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (wants(type)) {
        loaded.add(type);
      }
    }
    new Retransformation(instrumentation, (type, e) -> log.accept(unwoven(type) + ": " + e))
        .run(loaded);
  }
}
