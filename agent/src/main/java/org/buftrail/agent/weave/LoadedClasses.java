package org.buftrail.agent.weave;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.buftrail.flow.FlowTracker;
import org.buftrail.flow.Trail;
import org.jspecify.annotations.Nullable;

/**
 * What was loaded before the agent: found, woven again without a change of shape, and restored.
 *
 * <p>Confined to the thread that attaches or detaches.
 */
public final class LoadedClasses {
  private final Instrumentation instrumentation;
  private final Consumer<String> log;

  /**
   * @param log takes a line for each class that cannot be woven
   */
  public LoadedClasses(Instrumentation instrumentation, Consumer<String> log) {
    this.instrumentation = instrumentation;
    this.log = log;
  }

  /**
   * Every loaded {@code ByteBuf} without the tracker's state, made known to the runtime.
   *
   * @return the loaders that they are in, held weakly; empty when no Netty was loaded
   */
  public Set<ClassLoader> adoptBuffers() {
    Set<ClassLoader> loaders = Collections.newSetFromMap(new WeakHashMap<>());
    for (Class<?> c : instrumentation.getAllLoadedClasses()) {
      if (c.getName().endsWith("netty.buffer.ByteBuf") && !Trail.class.isAssignableFrom(c)) {
        try {
          loaders.add(c.getClassLoader());
          FlowTracker.addForeign(new ForeignBuffers(c, this::open));
        } catch (ReflectiveOperationException | LinkageError e) {
          log.accept("buffers of " + c.getName() + " cannot be followed: " + e);
        }
      }
    }
    return loaders;
  }

  /** Lets the agent read the fields of a class, which a named module may keep to itself. */
  private void open(Class<?> c) {
    Module module = c.getModule();
    Module agent = LoadedClasses.class.getModule();
    if (!module.isOpen(c.getPackageName(), agent)) {
      Map<String, Set<Module>> opens = Map.of(c.getPackageName(), Set.of(agent));
      instrumentation.redefineModule(module, Set.of(), Map.of(), opens, Set.of(), Map.of());
    }
  }

  /**
   * Has the transformers look at all classes again that are woven.
   *
   * @return how many were
   */
  public int retransform(Weaver weaver, Weaver.Patterns patterns) {
    return retransform(c -> weaver.wants(c, patterns) || isAllocator(c));
  }

  /**
   * Has the transformers look at classes again.
   *
   * @return how many were
   */
  public int retransform(Predicate<Class<?>> which) {
    List<Class<?>> wanted = new ArrayList<>();
    for (Class<?> c : instrumentation.getAllLoadedClasses()) {
      if (instrumentation.isModifiableClass(c) && !c.isArray() && which.test(c)) {
        wanted.add(c);
      }
    }
    int done = 0;
    for (Class<?> c : wanted) {
      done += retransform(c) ? 1 : 0;
    }
    return done;
  }

  private boolean retransform(Class<?> c) {
    try {
      // One by one: a class that fails must not keep the others from it.
      instrumentation.retransformClasses(c);
      return true;
    } catch (UnmodifiableClassException | UnsupportedOperationException | LinkageError e) {
      log.accept("class " + c.getName() + " stays as it is: " + e);
      return false;
    }
  }

  private static boolean isAllocator(Class<?> c) {
    for (@Nullable Class<?> at = c; at != null; at = at.getSuperclass()) {
      for (Class<?> each : at.getInterfaces()) {
        if (Names.isAllocator(each.getName().replace('.', '/'))) {
          return true;
        }
      }
    }
    return false;
  }
}
