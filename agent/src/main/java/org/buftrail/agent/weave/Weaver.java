package org.buftrail.agent.weave;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.ConstantPools;
import org.buftrail.agent.weave.classfile.FirstLines;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.ParameterNames;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.agent.weave.classfile.Supertypes;
import org.buftrail.agent.weave.hops.DirectCalls;
import org.buftrail.agent.weave.hops.HopVisitor;
import org.buftrail.agent.weave.hops.MethodUses;
import org.buftrail.agent.weave.hops.ReadOnlyMethods;
import org.buftrail.agent.weave.hops.TrackedTypes;
import org.buftrail.agent.weave.library.BufferLibrary;
import org.buftrail.agent.weave.resources.InheritedMembers;
import org.buftrail.agent.weave.resources.ResourceVisitor;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/**
 * Weaves classes as they load.
 *
 * <p>Thread-safe. A class that cannot be woven is left as it is and named once; nothing is thrown
 * into class loading. Insertions never branch, so no type of the application is looked up to
 * compute frames. Modules of transformed classes can read the runtime: the JVM sees to that.
 */
public final class Weaver implements ClassFileTransformer {
  private static final String[] OURS = {
    "org/buftrail/flow/",
    "org/buftrail/model/",
    "org/buftrail/agent/",
    "org/buftrail/boot/",
    "org/buftrail/cli/",
    "org/buftrail/console/",
    "org/buftrail/options/",
    "org/buftrail/profile/",
    "org/buftrail/report/",
    "org/buftrail/jfr/"
  };

  private final BufferLibrary library;

  /** Made anew when weaving begins, since what is asked for then may make more of them. */
  private volatile Kinds kinds;

  private final Rewriter rewriter;
  private final ParameterNames parameterNames = new ParameterNames();
  private final ConstantPools pools = new ConstantPools();
  private final InheritedMembers inherited = new InheritedMembers();

  /** Classes loaded since weaving began; see {@link #hasSeen}. Null once that is settled. */
  private volatile @Nullable Set<String> seen;

  /** Called for the first class of a library's buffers; null once that was done. */
  private volatile @Nullable Runnable buffersLoad;

  /** Null while resting. */
  private volatile @Nullable Selection patterns;

  /**
   * @param library whose buffers are followed
   * @param log takes a line when a class cannot be woven
   */
  public Weaver(BufferLibrary library, Consumer<String> log) {
    this.library = library;
    this.kinds = new Kinds(library, name -> false);
    this.rewriter = new Rewriter(log);
  }

  /** Weaves from now on, in what loads or is retransformed. */
  public void weave(Selection patterns) {
    if (patterns.hasResources()) {
      ResourceVisitor.rehearse();
    }
    kinds = new Kinds(library, patterns::mayHaveHops);
    this.patterns = patterns;
    // Last: a class that is seen must be woven. One that is woven unseen is woven once more.
    seen = ConcurrentHashMap.newKeySet();
  }

  /**
   * Has something done when the first class of a library's buffers, or of its other resources, is
   * about to load.
   *
   * @param action returns at once, and loads nothing of the application's
   */
  public void whenBuffersLoad(Runnable action) {
    buffersLoad = action;
  }

  /** Called once the classes loaded before are woven too. */
  public void settle() {
    seen = null;
  }

  /**
   * Weaves from now on only what was loaded with another shape, and so can never be without: a
   * retransformation of such a class must get that shape from here.
   */
  public void rest() {
    patterns = null;
    seen = null;
  }

  /**
   * Whether a class has loaded under this weaver since {@link #weave}. A class whose loading had
   * begun before, and that was listed among those that are loaded later, has not.
   */
  boolean hasSeen(Class<?> c) {
    Set<String> names = seen;
    return names != null && names.contains(key(c.getClassLoader(), c.getName().replace('.', '/')));
  }

  private static String key(@Nullable ClassLoader loader, String name) {
    return name + '@' + System.identityHashCode(loader);
  }

  ConstantPools pools() {
    return pools;
  }

  public InheritedMembers inherited() {
    return inherited;
  }

  ParameterNames parameterNames() {
    return parameterNames;
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    return transform(loader, name, redefined, domain, classFile);
  }

  /** What passes classes on knows no modules. */
  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || isOurs(name)) {
      return null;
    }
    try {
      Set<String> noted = seen;
      if (noted != null && redefined == null) {
        noted.add(key(loader, name));
      }
      byte[] named = redefined == null ? classFile : parameterNames.restore(redefined, classFile);
      byte[] woven = weave(loader, name, redefined, domain, named);
      return woven == null && named != classFile ? named : woven;
    } catch (Throwable e) {
      rewriter.fail(name, e);
      return null;
    }
  }

  private byte @Nullable [] weave(
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    // What opens a resource comes first: the hop at its exit must find the flow begun.
    Selection now = patterns;
    ClassHead head = now != null && now.hasResources() ? head(name, classFile) : null;
    byte[] woven =
        head == null || now == null
            ? null
            : weaveResources(loader, name, redefined, classFile, head, now);
    if (!Names.isOfJdk(name)) {
      byte[] more =
          weaveBuffers(
              loader,
              name,
              redefined,
              domain,
              woven == null ? classFile : woven,
              woven == null ? head : null);
      woven = more == null ? woven : more;
    }
    return woven;
  }

  /** What goes wrong here must not keep a class of the library's from its shape. */
  private @Nullable ClassHead head(String name, byte[] classFile) {
    try {
      return new ClassHead(classFile);
    } catch (Throwable e) {
      rewriter.fail(name, e);
      return null;
    }
  }

  /** Neither must what goes wrong here. */
  private byte @Nullable [] weaveResources(
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> redefined,
      byte[] classFile,
      ClassHead head,
      Selection now) {
    if (redefined == null) {
      lookAbove(loader, name, head, now);
    }
    try {
      return ResourceVisitor.weave(rewriter, loader, redefined, classFile, head, now.resources());
    } catch (Throwable e) {
      rewriter.fail(name, e);
      return null;
    }
  }

  /** What goes wrong here must not keep what the class declares itself from being woven. */
  private void lookAbove(@Nullable ClassLoader loader, String name, ClassHead head, Selection now) {
    try {
      inherited.look(loader, head, now.resources());
    } catch (Throwable e) {
      rewriter.fail(name, e);
    }
  }

  /** Whether a loaded class may be of interest, by its name and what it extends. */
  boolean mayWant(Class<?> c, Selection wanted) {
    String name = c.getName().replace('.', '/');
    return wanted.concern(c)
        || (!isOurs(name)
            && !Names.isOfJdk(name)
            && (library.isOfBuffers(name)
                || library.isResource(name)
                || library.isHanding(name)
                || wanted.methods(c)
                || wanted.constructors(name)
                || kinds.allocators.includes(c)));
  }

  /**
   * Whether weaving may change a loaded class of interest.
   *
   * @param strings those of its constant pool
   */
  boolean mayChange(Class<?> c, Set<String> strings, Selection wanted) {
    String name = c.getName().replace('.', '/');
    if (wanted.concern(c) || library.mayChange(name, strings)) {
      return true;
    }
    if (wanted.directBuffers() && DirectCalls.mayBeIn(strings) && wanted.methods(c)) {
      return true;
    }
    return !library.isOfBuffers(name)
        && !library.readsCounts(name)
        && (wanted.methods(c) || wanted.constructors(name))
        && (wanted.hasResources() || kinds.mayHop(c, strings));
  }

  /** Whether a loaded class is the library's, shaded or not. */
  boolean isOwn(Class<?> c) {
    return library.isOwn(c.getName().replace('.', '/'));
  }

  /** Whose buffers are followed. */
  BufferLibrary library() {
    return library;
  }

  /** Whether a class, by its internal name, is the agent's own. */
  static boolean isOurs(String name) {
    for (String prefix : OURS) {
      if (name.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /**
   * @param known the head of the class file, if somebody has read it
   */
  private byte @Nullable [] weaveBuffers(
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile,
      @Nullable ClassHead known) {
    Selection now = patterns;
    boolean wraps = now != null && wraps(loader, name, domain, classFile, now);
    byte[] woven = library.weave(rewriter, loader, name, redefined, classFile, now == null);
    Runnable action = buffersLoad;
    if (action != null && (library.isOfBuffers(name) || library.isResource(name))) {
      buffersLoad = null;
      action.run();
    }
    if (now == null || library.isOfBuffers(name) || library.readsCounts(name)) {
      return woven;
    }
    boolean methods = now.methods(name, domain);
    if (methods && now.directBuffers()) {
      byte[] direct = DirectCalls.weave(rewriter, name, woven == null ? classFile : woven);
      woven = direct == null ? woven : direct;
    }
    if (!methods && !now.constructors(name)) {
      // With packages that the user named, no class is searched for buffers.
      if (redefined == null && now.mayBeUnwatched(name) && library.namesBuffers(classFile)) {
        now.noteUnwatched(name, domain);
      }
      return woven;
    }
    byte[] hops =
        woven == null
            ? weaveHops(loader, name, classFile, known, now, methods, wraps)
            : weaveHops(loader, name, woven, null, now, methods, wraps);
    return hops == null ? woven : hops;
  }

  /**
   * Whether a class of the application wraps a buffer. Noted before the library weaves the class,
   * which then shows its field. What goes wrong here must not keep it from being woven.
   */
  private boolean wraps(
      @Nullable ClassLoader loader,
      String name,
      @Nullable ProtectionDomain domain,
      byte[] classFile,
      Selection now) {
    try {
      return !library.isOwn(name)
          && now.methods(name, domain)
          && kinds.wrappers.look(loader, name, classFile);
    } catch (Throwable e) {
      rewriter.fail(name, e);
      return false;
    }
  }

  private byte @Nullable [] weaveHops(
      @Nullable ClassLoader loader,
      String name,
      byte[] classFile,
      @Nullable ClassHead known,
      Selection now,
      boolean methods,
      boolean wraps) {
    ClassHead head = known == null ? new ClassHead(classFile) : known;
    Supertypes.note(loader, name, head);
    Kinds kept = kinds;
    TrackedTypes types =
        kept.types(now.resources(), loader, () -> TrackedTypes.mayBeStreams(classFile));
    // A buffer's own methods take and return buffers all the time; they are not journeys.
    boolean[] carrying =
        types.carrying(head, library.makesResources(classFile), kept.uninteresting.get(loader));
    boolean counts = methods && ((now.callLines() && types.mayCount(head)) || types.mayTake(head));
    if ((carrying == null && !counts && !(methods && head.mayHaveTypeVariables()))
        || kept.buffers.includes(loader, head)) {
      return null;
    }
    // Buffers and what makes them have no hops, whatever is included.
    Predicate<String> instrumented =
        owner ->
            now.mayHaveHops(owner)
                && !library.isOfBuffers(owner)
                && !library.readsCounts(owner)
                && !types.isBuffer(owner);
    HopVisitor.Extent scope =
        new HopVisitor.Extent(
            instrumented,
            carrying == null ? Set.of() : head.texts(carrying),
            methods,
            counts
                || (methods
                    && carrying != null
                    && head.anyCall(
                        carrying,
                        (owner, method, descriptor) ->
                            instrumented.test(owner)
                                ? types.mayGiveBack(owner, method, descriptor)
                                : types.mayGive(owner, method, descriptor)
                                    || types.taken(owner, method, descriptor) >= 0)),
            wraps || now.constructors(name),
            kept.carriers.includes(loader, head),
            now.callLines());
    ClassReader reader = new ClassReader(classFile);
    FirstLines lines = FirstLines.of(reader);
    MethodUses uses =
        methods ? ReadOnlyMethods.of(reader, loader, types, now::mayHaveHops) : MethodUses.UNKNOWN;
    return rewriter.rewrite(
        classFile, next -> new HopVisitor(next, name, types, scope, lines, uses));
  }
}
