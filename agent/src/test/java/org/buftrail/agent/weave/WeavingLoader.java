package org.buftrail.agent.weave;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.jspecify.annotations.Nullable;

/**
 * Loads Netty and classes of the tests anew, through a weaver, or as they are where there is none.
 */
public final class WeavingLoader extends ClassLoader {
  private static final String TESTS = "com.example.";

  private final @Nullable Weaver weaver;

  /** Classes that are given instead of read, by name; null for one that is missing. */
  private final Map<String, byte @Nullable []> given = new HashMap<>();

  /** Names of the classes that the weaver changed, in the order in which they were loaded. */
  public final List<String> changed = Collections.synchronizedList(new ArrayList<>());

  /**
   * @param weaver null to load classes as they are
   */
  public WeavingLoader(@Nullable Weaver weaver) {
    super(WeavingLoader.class.getClassLoader());
    this.weaver = weaver;
  }

  /** A weaver for classes that match, which logs into a list. */
  public static Weaver weaver(String include, List<String> log) {
    Weaver weaver = new Weaver(new Netty4(), log::add);
    weaver.weave(
        new Selection(
            ClassPattern.parse(include), ClassPattern.NONE, ClassPattern.NONE, List.of()));
    return weaver;
  }

  /** Has a class loaded from these bytes; or not found, when they are null. */
  public WeavingLoader give(String name, byte @Nullable [] classFile) {
    given.put(name, classFile);
    return this;
  }

  /** Runs {@code static Object METHOD()} of a class. */
  public Object run(Class<?> program, String method) throws ReflectiveOperationException {
    return loadClass(program.getName()).getMethod(method).invoke(null);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean own = given.containsKey(name) || name.startsWith("io.netty.") || name.startsWith(TESTS);
    if (!own) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] classFile = classFile(name);
    byte[] woven =
        weaver == null
            ? null
            : weaver.transform(
                getUnnamedModule(), this, name.replace('.', '/'), null, null, classFile);
    if (woven != null) {
      changed.add(name);
    }
    byte[] bytes = woven == null ? classFile : woven;
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] classFile(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  @Override
  public @Nullable InputStream getResourceAsStream(String resource) {
    String name = resource.replace('/', '.').replaceAll("\\.class$", "");
    if (given.containsKey(name)) {
      byte[] bytes = given.get(name);
      return bytes == null ? null : new java.io.ByteArrayInputStream(bytes);
    }
    return super.getResourceAsStream(resource);
  }
}
