package org.buftrail.agent.weave;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.agent.weave.resources.ResourceRule;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Resources;
import org.jspecify.annotations.Nullable;

/** Loads classes that are made, woven or as they are, beside stand-ins of the runtime. */
final class ShapeLoader extends ClassLoader {
  /** The runtime's number for the resource that {@link Shapes} use. */
  private static final int READER = 3;

  private final @Nullable Weaver weaver;
  private final Map<String, byte[]> made = new HashMap<>();
  private final Map<String, byte[]> woven = new HashMap<>();

  /**
   * @param weaver null to load classes as they are
   */
  ShapeLoader(@Nullable Weaver weaver) {
    super(ShapeLoader.class.getClassLoader());
    this.weaver = weaver;
    for (Class<?> each : Set.of(Buffers.class, Resources.class)) {
      byte[] standIn = StandIns.of(each);
      defineClass(each.getName(), standIn, 0, standIn.length);
    }
  }

  /** A weaver with the patterns that the shapes have been made for. */
  static Weaver weaver(Shapes.Included included, List<String> log) {
    ClassPattern all = ClassPattern.parse(Shapes.PACKAGE.replace('/', '.') + "*");
    ResourceRule.Member close = new ResourceRule.Member("java/io/StringReader", "close", null);
    ResourceRule rule = new ResourceRule(READER, "java/io/StringReader", List.of(), List.of(close));
    Weaver weaver = new Weaver(new Netty4(), log::add);
    weaver.weave(
        new Selection(
            included.methods() ? all : ClassPattern.NONE,
            ClassPattern.NONE,
            included.constructors() ? all : ClassPattern.NONE,
            List.of(rule)));
    return weaver;
  }

  ShapeLoader give(Shapes.Made shape) {
    made.put(shape.binaryName(), shape.classFile());
    return this;
  }

  /** The class file as it was woven, or null where it stayed as it was. */
  byte @Nullable [] woven(String name) {
    return woven.get(name);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] classFile = made.get(name);
    if (classFile == null) {
      throw new ClassNotFoundException(name);
    }
    byte[] changed =
        weaver == null
            ? null
            : weaver.transform(
                getUnnamedModule(), this, name.replace('.', '/'), null, null, classFile);
    if (changed != null) {
      woven.put(name, changed);
    }
    byte[] bytes = changed == null ? classFile : changed;
    return defineClass(name, bytes, 0, bytes.length);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> own = findLoadedClass(name);
      return own != null ? own : super.loadClass(name, resolve);
    }
  }

  @Override
  public @Nullable InputStream getResourceAsStream(String resource) {
    byte[] own = made.get(resource.replace('/', '.').replaceAll("\\.class$", ""));
    return own == null ? super.getResourceAsStream(resource) : new ByteArrayInputStream(own);
  }
}
