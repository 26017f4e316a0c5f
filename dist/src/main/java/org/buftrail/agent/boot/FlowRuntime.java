package org.buftrail.agent.boot;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.buftrail.agent.application.ClassDefiner;
import org.objectweb.asm.ClassReader;

/**
 * Defines the classes of the flow runtime in the bootstrap loader, where woven code of every loader
 * finds them.
 *
 * <p>They are defined one by one instead of appending the jar to the boot class path, for three
 * reasons: the command line and the profile classes of the jar stay invisible to the application,
 * its own classes keep coming from the class-data archive, and the JVM prints no warning that they
 * do not.
 */
public final class FlowRuntime {
  private static final String FLOW = "org/buftrail/flow/";

  /** What snapshots are made of, which the runtime names. */
  private static final String MODEL = "org/buftrail/model/";

  private static final String SUFFIX = ".class";
  private static final String TRACKER = "org.buftrail.flow.control.FlowTracker";
  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

  private final ClassDefiner definer;

  /** Classes that are not defined yet, by internal name. */
  private final Map<String, byte[]> waiting = new LinkedHashMap<>();

  private FlowRuntime(Instrumentation instrumentation) throws ReflectiveOperationException {
    definer = new ClassDefiner(instrumentation);
  }

  /**
   * Defines all of them.
   *
   * @param jar where they are stored
   * @param instrumentation of this JVM
   */
  public static void define(JarFile jar, Instrumentation instrumentation)
      throws IOException, ReflectiveOperationException {
    FlowRuntime runtime = new FlowRuntime(instrumentation);
    for (JarEntry entry : Collections.list(jar.entries())) {
      String name = entry.getName();
      if (isOfRuntime(name)) {
        try (InputStream in = jar.getInputStream(entry)) {
          String className = name.substring(0, name.length() - SUFFIX.length());
          runtime.waiting.put(className, in.readAllBytes());
        }
      }
    }
    while (!runtime.waiting.isEmpty()) {
      runtime.defineWithSupertypes(runtime.waiting.keySet().iterator().next());
    }
  }

  /**
   * Initialises every class of the runtime, when the bootstrap loader can find them. Woven code
   * must not be the first to do so: an application's stack may end in the middle, and then that
   * class would be lost for good.
   *
   * @param jar where they are stored
   * @param instrumentation of this JVM
   */
  public static void initialise(JarFile jar, Instrumentation instrumentation)
      throws ReflectiveOperationException {
    exportCarriers(instrumentation);
    for (JarEntry entry : Collections.list(jar.entries())) {
      String name = entry.getName();
      if (isOfRuntime(name)) {
        String className = name.substring(0, name.length() - SUFFIX.length()).replace('/', '.');
        Class.forName(className, true, null);
      }
    }
    Class.forName(TRACKER, true, null).getMethod("rehearse").invoke(null);
  }

  /** Lets the runtime ask the JDK which platform thread a virtual one is mounted on. */
  private static void exportCarriers(Instrumentation instrumentation) {
    Module base = Object.class.getModule();
    String home = "jdk.internal.access";
    if (Runtime.version().feature() < FIRST_WITH_VIRTUAL_THREADS
        || !base.getPackages().contains(home)) {
      return;
    }
    try {
      Module runtime = Class.forName(TRACKER, false, null).getModule();
      instrumentation.redefineModule(
          base, Set.of(), Map.of(home, Set.of(runtime)), Map.of(), Set.of(), Map.of());
    } catch (RuntimeException | LinkageError | ReflectiveOperationException e) {
      // The runtime does without.
    }
  }

  private static boolean isOfRuntime(String entry) {
    return (entry.startsWith(FLOW) || entry.startsWith(MODEL)) && entry.endsWith(SUFFIX);
  }

  private void defineWithSupertypes(String name) throws ReflectiveOperationException {
    byte[] bytes = waiting.remove(name);
    if (bytes == null) {
      return;
    }
    ClassReader reader = new ClassReader(bytes);
    defineWithSupertypes(reader.getSuperName());
    for (String type : reader.getInterfaces()) {
      defineWithSupertypes(type);
    }
    definer.define(name, bytes, null);
  }
}
