package org.buftrail.agent.weave.netty4;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.agent.weave.library.BufferLibrary;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.BufferAccess;
import org.buftrail.flow.state.Owners;
import org.jspecify.annotations.Nullable;

/** Netty 4.1 and 4.2, shaded or not. */
public final class Netty4 implements BufferLibrary {
  /** Made once for each Netty: method handles that are used much become classes of their own. */
  private final ClassValue<AtomicReference<@Nullable BufferAccess>> foreign =
      new ClassValue<>() {
        @Override
        protected AtomicReference<@Nullable BufferAccess> computeValue(Class<?> root) {
          return new AtomicReference<>();
        }
      };

  private static final byte[] ALLOCATOR_METHOD = "newDirectBuffer".getBytes(StandardCharsets.UTF_8);
  private static final byte[] COMPOSITE_METHOD =
      "compositeDirectBuffer".getBytes(StandardCharsets.UTF_8);
  private static final Set<String> GIVING =
      Set.of("copy", "retainedSlice", "retainedDuplicate", "readRetainedSlice");
  private static final Set<String> HOLDING =
      Set.of("content", "copy", "duplicate", "retainedDuplicate", "replace", "retain", "touch");
  private static final String BUFFER = ".netty.buffer.ByteBuf";
  private static final String COUNTING = "AbstractReferenceCountedByteBuf";

  private final HeldBufferFields parts = new HeldBufferFields();
  private final Relocations relocations = new Relocations();
  private final NettyResources resources = new NettyResources();
  private final UnknownNettys unknown = new UnknownNettys();

  @Override
  public boolean isOwn(String name) {
    return NettyNames.isNetty(name);
  }

  @Override
  public boolean isOfBuffers(String name) {
    return NettyNames.isInBufferPackage(name);
  }

  @Override
  public boolean namesBuffers(byte[] classFile) {
    return ByteSearch.contains(classFile, NettyNames.BUFFER_TYPE);
  }

  @Override
  public boolean isBuffer(String name) {
    return NettyNames.isBuffer(name);
  }

  @Override
  public boolean isHolder(String name) {
    return NettyNames.isHolder(name) || FrameworkHolders.isType(name);
  }

  @Override
  public boolean mayHold(String name) {
    return NettyNames.mayHold(name);
  }

  @Override
  public boolean isCounter(String name) {
    return name.endsWith("/util/ReferenceCountUtil") && NettyNames.isNetty(name);
  }

  @Override
  public boolean onlyReads(String owner, String method, String descriptor, boolean given) {
    return ReadingCalls.contain(owner, method, descriptor, given);
  }

  @Override
  public boolean readsCounts(String name) {
    return name.contains("/util/") && NettyNames.isNetty(name);
  }

  @Override
  public boolean isFrameworks(String name) {
    return FrameworkHolders.isType(name);
  }

  @Override
  public void setFrameworks(Map<String, String> fields) {
    FrameworkHolders.setNamed(fields);
  }

  @Override
  public List<String> unmetFrameworks() {
    return FrameworkHolders.unmet();
  }

  @Override
  public boolean isResource(String name) {
    return NettyResources.isType(name);
  }

  @Override
  public boolean makesResources(byte[] classFile) {
    return NettyResources.areMadeIn(classFile);
  }

  @Override
  public boolean isAllocator(String name) {
    return NettyNames.isAllocator(name);
  }

  @Override
  public boolean isContext(String name) {
    return NettyNames.isContext(name);
  }

  @Override
  public boolean isOfChannels(String name) {
    return NettyNames.isOfChannels(name);
  }

  @Override
  public boolean isHanding(String name) {
    return HandingVisitor.isHanding(name);
  }

  @Override
  public boolean isHandler(String name) {
    return NettyNames.isHandler(name);
  }

  @Override
  public void noteWrapper(String name, String field) {
    FrameworkHolders.noteWrapper(name, field);
  }

  @Override
  public boolean givesAnother(String method, String descriptor) {
    return GIVING.contains(method) || (method.equals("readBytes") && descriptor.startsWith("(I)"));
  }

  @Override
  public boolean isOfHolders(String method) {
    return HOLDING.contains(method);
  }

  /**
   * A class that is as {@code ByteBuf} is makes its package Netty's, wherever it lies; one that
   * lies where there is none, somebody else's.
   */
  @Override
  public void recognise(Class<?> loaded) {
    String name = loaded.getName();
    relocations.lookAtPackage(loaded.getClassLoader(), name.replace('.', '/'));
    HolderRoots.recognise(loaded);
    FrameworkHolders.noteLoaded(name.replace('.', '/'));
    if (name.endsWith(BUFFER) && !isRoot(loaded)) {
      String root = name.substring(0, name.length() - BUFFER.length()) + ".netty.";
      for (Class<?> each : loaded.getInterfaces()) {
        if (each.getName().equals(root + "util.ReferenceCounted")) {
          NettyNames.addRelocated(root.replace('.', '/'));
        }
      }
    }
  }

  @Override
  public byte @Nullable [] weave(
      Rewriter rewriter,
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> loaded,
      byte[] classFile,
      boolean resting) {
    relocations.lookAtPackage(loader, name);
    if (ByteSearch.contains(classFile, NettyNames.BUFFER)) {
      relocations.look(loader, classFile);
    } else if (!NettyNames.isNetty(name)
        && FrameworkHolders.field(name) == null
        && !(loaded != null && parts.isKnown(loader, name))
        && !HolderRoots.contains(name)) {
      if (loaded == null && HolderRoots.mayTurnOutToBe(name)) {
        Owners.expectOthers();
      }
      return null;
    }
    byte[] woven =
        orSame(weaveEvents(rewriter, loader, name, loaded, classFile, resting), classFile);
    woven = orSame(parts.weave(loader, name, loaded, woven), woven);
    if (!resting) {
      woven = orSame(resources.weave(rewriter, loader, name, loaded, woven), woven);
    }
    return woven == classFile ? null : woven;
  }

  private byte @Nullable [] weaveEvents(
      Rewriter rewriter,
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> loaded,
      byte[] classFile,
      boolean resting) {
    if (NettyNames.isInBufferPackage(name)) {
      boolean leftAlone = isLeftAlone(rewriter, loader, name, classFile);
      BufferShape shape = leftAlone && loaded == null ? BufferShape.NONE : shape(name, loaded);
      return (resting || leftAlone) && shape == BufferShape.NONE
          ? null
          : rewriter.rewrite(classFile, next -> new NettyVisitor(shape.over(next), name, shape));
    }
    if (!resting && HandingVisitor.isHanding(name)) {
      return rewriter.rewrite(classFile, HandingVisitor::new);
    }
    if (resting || !ByteSearch.contains(classFile, NettyNames.BUFFER_TYPE)) {
      return null;
    }
    byte[] woven = classFile;
    if (isAllocator(classFile)) {
      BufferShape none = BufferShape.NONE;
      woven = orSame(rewriter.rewrite(woven, next -> new NettyVisitor(next, name, none)), woven);
    }
    if (NettyNames.isNetty(name)) {
      woven = orSame(rewriter.rewrite(woven, next -> new KeptVisitor(next, name)), woven);
    }
    return woven == classFile ? null : woven;
  }

  private boolean isLeftAlone(
      Rewriter rewriter, @Nullable ClassLoader loader, String name, byte[] classFile) {
    boolean counts = NettyNames.isCountingBuffer(name);
    String reason = unknown.reason(loader, name, counts ? classFile : null);
    if (reason != null) {
      FlowTracker.INSTANCE.refuseLibrary(reason);
      rewriter.refuse(name.substring(0, name.lastIndexOf('/') + 1) + COUNTING, reason);
    } else if (counts) {
      FlowTracker.INSTANCE.knowLibrary();
    }
    return reason != null;
  }

  private static byte[] orSame(byte @Nullable [] woven, byte[] classFile) {
    return woven == null ? classFile : woven;
  }

  private static boolean isAllocator(byte[] classFile) {
    return ByteSearch.contains(classFile, ALLOCATOR_METHOD)
        || ByteSearch.contains(classFile, COMPOSITE_METHOD);
  }

  /**
   * The shape that a class of the buffer package gets as it loads; what it got, if it is loaded.
   */
  private static BufferShape shape(String name, @Nullable Class<?> loaded) {
    BufferShape shape = BufferShape.of(Names.simple(name));
    return loaded == null || shape.isOf(loaded) ? shape : BufferShape.NONE;
  }

  @Override
  public boolean mayChange(String name, Set<String> strings) {
    return InsertionPoint.mayBeIn(name, strings)
        || NettyResources.isOwner(name)
        || HandingVisitor.isHanding(name);
  }

  @Override
  public boolean keepsShape(Class<?> loaded) {
    String name = loaded.getName().replace('.', '/');
    return NettyNames.isInBufferPackage(name) && shape(name, loaded) != BufferShape.NONE;
  }

  @Override
  public boolean isRoot(Class<?> loaded) {
    String name = loaded.getName();
    return name.endsWith(BUFFER) && NettyNames.isInBufferPackage(name.replace('.', '/'));
  }

  @Override
  public boolean counts(Class<?> loaded) {
    return loaded.getName().endsWith(COUNTING);
  }

  @Override
  public @Nullable BufferAccess foreign(Class<?> root, Consumer<Class<?>> open)
      throws ReflectiveOperationException {
    AtomicReference<@Nullable BufferAccess> kept = foreign.get(root);
    BufferAccess known = kept.get();
    if (known == null) {
      if (unknown.reason(root.getClassLoader(), root.getName().replace('.', '/'), null) != null) {
        return null;
      }
      known = new NettyBufferAccess(root, open);
      kept.set(known);
    }
    return known;
  }
}
