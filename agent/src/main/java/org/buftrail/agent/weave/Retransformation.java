package org.buftrail.agent.weave;

import java.lang.instrument.Instrumentation;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.buftrail.agent.weave.classfile.Linkage;

/**
 * Has the transformers look at loaded classes again.
 *
 * <p>Many classes at once, since the JVM stops the application for each call; not more than {@value
 * #MAX_AT_ONCE}, since it stops the longer the more there are. A call that fails changes nothing;
 * then each half is tried, so that a class which cannot be redefined is found and costs nobody else
 * anything. Used by one thread.
 */
public final class Retransformation {
  /** The number of classes that stops the application for some 5 ms. */
  private static final int MAX_AT_ONCE = 100;

  private final Instrumentation instrumentation;
  private final BiConsumer<Class<?>, Throwable> failed;
  private int done;

  /**
   * @param failed gets each class that stays as it is and may run, and the reason
   */
  public Retransformation(Instrumentation instrumentation, BiConsumer<Class<?>, Throwable> failed) {
    this.instrumentation = instrumentation;
    this.failed = failed;
  }

  /** Returns how many classes were redefined. */
  public int run(List<Class<?>> classes) {
    done = 0;
    for (int from = 0; from < classes.size(); from += MAX_AT_ONCE) {
      int to = Math.min(classes.size(), from + MAX_AT_ONCE);
      retransform(classes.subList(from, to).toArray(new Class<?>[0]));
    }
    return done;
  }

  private void retransform(Class<?>[] classes) {
    try {
      instrumentation.retransformClasses(classes);
      done += classes.length;
    } catch (Throwable e) {
      // HotSpot throws an InternalError for a class whose initialiser has failed, and others more.
      if (classes.length == 1) {
        if (!Linkage.isWanting(classes[0])) {
          failed.accept(classes[0], e);
        }
      } else {
        int middle = classes.length / 2;
        retransform(Arrays.copyOfRange(classes, 0, middle));
        retransform(Arrays.copyOfRange(classes, middle, classes.length));
      }
    }
  }
}
