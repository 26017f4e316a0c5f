package org.buftrail.agent.weave;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.buftrail.agent.weave.classfile.Linkage;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.ParameterNames;
import org.buftrail.agent.weave.resources.InheritedMembers;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.control.UnwovenClasses;
import org.buftrail.flow.state.BufferAccess;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.model.ErrorText;

/**
 * Finds the classes loaded before the agent, weaves them without a change of shape, and restores
 * them.
 *
 * <p>Confined to the thread that attaches or detaches.
 */
public final class LoadedClasses {
  private static final int MAX_NAMED = 5;

  /** The second finds what was about to load as the transformer came. */
  private static final int ROUNDS = 2;

  private final Instrumentation instrumentation;
  private final Weaver weaver;
  private final Consumer<String> log;
  private final Set<Class<?>> failed = Collections.newSetFromMap(new IdentityHashMap<>());
  private final StringBuilder names = new StringBuilder();
  private int unfollowed;
  private String unfollowedWhy = "";

  /**
   * @param log takes a line when classes cannot be woven
   */
  public LoadedClasses(Instrumentation instrumentation, Weaver weaver, Consumer<String> log) {
    this.instrumentation = instrumentation;
    this.weaver = weaver;
    this.log = log;
  }

  /**
   * Weaves all classes that the patterns want and that weaving may change; the weaver must be in
   * place.
   *
   * <p>Each {@code ByteBuf} without the tracker's state is made known to the runtime, when what
   * counts its buffers could be woven.
   *
   * @return how many were woven
   */
  public int weave(Selection patterns) {
    Set<Class<?>> listed = Collections.newSetFromMap(new IdentityHashMap<>());
    int woven = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<Class<?>> fresh = new ArrayList<>();
      for (Class<?> c : instrumentation.getAllLoadedClasses()) {
        if (listed.add(c) && !c.isArray() && (round == 0 || !weaver.hasSeen(c))) {
          fresh.add(c);
        }
      }
      for (Class<?> c : fresh) {
        weaver.library().recognise(c);
      }
      patterns.look(fresh);
      woven += retransform(fresh, c -> isToWeave(c, patterns));
      for (Class<?> c : fresh) {
        if (weaver.library().isRoot(c) && !TrackedBuffer.class.isAssignableFrom(c)) {
          adopt(c);
        }
      }
    }
    findInherited(List.of(instrumentation.getAllLoadedClasses()), patterns);
    woven += weaveNewlyFound(patterns);
    tell();
    return woven;
  }

  /** Weaves classes that may use a resource which the application has just described. */
  public void weaveUsers(Selection patterns) {
    List<Class<?>> loaded = List.of(instrumentation.getAllLoadedClasses());
    retransform(loaded, patterns::mayUse);
    findInherited(loaded, patterns);
    weaveNewlyFound(patterns);
    tell();
  }

  private void findInherited(List<Class<?>> loaded, Selection patterns) {
    if (patterns.hasResources()) {
      InheritedMembers inherited = weaver.inherited();
      inherited.lookAtTypes(patterns.resources());
      loaded.forEach(c -> inherited.look(c, patterns.resources()));
    }
  }

  /**
   * Weaves those that were loaded before it was seen that a resource inherits from them what opens
   * or closes it; to be called now and again.
   */
  public void weaveInherited(Selection patterns) {
    weaveNewlyFound(patterns);
    tell();
  }

  private int weaveNewlyFound(Selection patterns) {
    Set<String> news = weaver.inherited().newlyFound(patterns.resources());
    return news.isEmpty()
        ? 0
        : retransform(
            List.of(instrumentation.getAllLoadedClasses()),
            c -> news.contains(c.getName().replace('.', '/')));
  }

  /**
   * Lets the agent read the fields of a class, which a named module may keep to itself. Not an
   * inner class: it lives as long as a Netty, and must not hold classes of another.
   */
  private static Consumer<Class<?>> opener(Instrumentation instrumentation) {
    return c -> {
      Module module = c.getModule();
      Module agent = LoadedClasses.class.getModule();
      if (!module.isOpen(c.getPackageName(), agent)) {
        Map<String, Set<Module>> opens = Map.of(c.getPackageName(), Set.of(agent));
        instrumentation.redefineModule(module, Set.of(), Map.of(), opens, Set.of(), Map.of());
      }
    };
  }

  /**
   * Gives all woven classes their byte code back; the weaver must be resting. Parameters keep their
   * names: of what was woven as it loaded the JVM has the file as it came, and those of the rest
   * were remembered.
   *
   * @return how many got it
   */
  public int restore(Selection patterns) {
    int restored =
        run(List.of(instrumentation.getAllLoadedClasses()), c -> isToRestore(c, patterns));
    tell();
    return restored;
  }

  /** How many classes could not be woven, or restored. */
  public int failures() {
    return failed.size();
  }

  private boolean isToWeave(Class<?> c, Selection patterns) {
    if (!weaver.mayWant(c, patterns)) {
      return false;
    }
    Set<String> strings = weaver.pools().strings(c, instrumentation);
    return strings == null || weaver.mayChange(c, strings, patterns);
  }

  private boolean keepsNames(Class<?> c) {
    if (!ParameterNames.mayBeLost()) {
      return true;
    }
    Set<String> strings = weaver.pools().strings(c, instrumentation);
    if (strings != null && !strings.contains(ParameterNames.ATTRIBUTE)) {
      return true;
    }
    try {
      weaver.parameterNames().remember(c);
      return true;
    } catch (Throwable e) {
      if (!Linkage.isWanting(c)) {
        fail(c, e);
      }
      return false;
    }
  }

  private boolean isToRestore(Class<?> c, Selection patterns) {
    if (weaver.library().keepsShape(c) || !(weaver.mayWant(c, patterns) || weaver.isOwn(c))) {
      return false;
    }
    Set<String> strings = weaver.pools().strings(c, instrumentation);
    return strings == null || strings.contains(Names.BUFFERS) || strings.contains(Names.RESOURCES);
  }

  /** Weaves some classes; not those whose parameters would lose their names by it. */
  private int retransform(List<Class<?>> classes, Predicate<Class<?>> which) {
    return run(classes, c -> which.test(c) && keepsNames(c));
  }

  private int run(List<Class<?>> classes, Predicate<Class<?>> which) {
    List<Class<?>> wanted = new ArrayList<>();
    for (Class<?> c : classes) {
      if (!c.isArray() && instrumentation.isModifiableClass(c) && which.test(c)) {
        wanted.add(c);
      }
    }
    return new Retransformation(instrumentation, this::fail).run(wanted);
  }

  private void adopt(Class<?> buffer) {
    ClassLoader loader = buffer.getClassLoader();
    for (Class<?> c : failed) {
      if (c.getClassLoader() == loader && weaver.library().counts(c)) {
        leaveOut(c.getName() + " stays as it is");
        return;
      }
    }
    try {
      BufferAccess foreign = weaver.library().foreign(buffer, opener(instrumentation));
      if (foreign != null) {
        FlowTracker.INSTANCE.addBufferAccess(foreign);
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      leaveOut(ErrorText.of(e));
    }
  }

  private void leaveOut(String why) {
    unfollowed++;
    unfollowedWhy = unfollowedWhy.isEmpty() ? why : unfollowedWhy;
  }

  private void fail(Class<?> c, Throwable why) {
    if (!failed.add(c)) {
      return;
    }
    String reason = ErrorText.of(why);
    UnwovenClasses.add(c.getName(), reason);
    if (failed.size() <= MAX_NAMED) {
      names.append(names.length() == 0 ? "" : ", ").append(c.getName());
      names.append(" (").append(reason).append(')');
    }
  }

  private void tell() {
    if (failed.size() == 1) {
      log.accept("a class stays as it is: " + names);
    } else if (!failed.isEmpty()) {
      int more = failed.size() - MAX_NAMED;
      log.accept(
          failed.size()
              + " classes stay as they are: "
              + names
              + (more > 0 ? ", and " + more + " more" : ""));
    }
    if (unfollowed > 0) {
      log.accept(
          "buffers are not followed of "
              + unfollowed
              + (unfollowed == 1 ? " loaded library: " : " loaded libraries: ")
              + unfollowedWhy);
    }
  }
}
