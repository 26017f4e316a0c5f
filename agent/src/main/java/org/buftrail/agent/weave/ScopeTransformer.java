package org.buftrail.agent.weave;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Weaves what {@link org.buftrail.flow.LeakScope} needs, from when the first scope opens, so a JVM
 * without scopes has its classes as they were. Thread-safe.
 */
public abstract class ScopeTransformer implements ClassFileTransformer {
  private final Instrumentation instrumentation;
  private final Consumer<String> log;
  private boolean installed;

  /**
   * @param log takes a line if something cannot be woven
   */
  protected ScopeTransformer(Instrumentation instrumentation, Consumer<String> log) {
    this.instrumentation = instrumentation;
    this.log = log;
  }

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
