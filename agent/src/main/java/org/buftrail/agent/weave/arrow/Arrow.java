package org.buftrail.agent.weave.arrow;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Consumer;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.agent.weave.library.BufferLibrary;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.BufferAccess;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of Apache Arrow.
 *
 * <p>Applications pass around an {@code ArrowBuf}, which may be a slice or one of several for the
 * same memory. What counts is its {@code BufferLedger}: one for each allocator that shares the
 * memory. So a flow is that of a ledger. Neither class is given another superclass; flows are kept
 * in a map, whichever came first. Vectors have several buffers each, which come and go, so no type
 * is a holder; a slice shares the count of its buffer; relocated copies are not followed.
 */
public final class Arrow implements BufferLibrary {
  private static final String PACKAGE = "org/apache/arrow/memory/";
  static final String BUFFER = PACKAGE + "ArrowBuf";
  private static final byte[] BUFFER_BYTES = BUFFER.getBytes(StandardCharsets.UTF_8);
  static final String LEDGER = PACKAGE + "BufferLedger";
  static final String ALLOCATOR = PACKAGE + "BaseAllocator";

  private final Ledgers ledgers = new Ledgers();

  @Override
  public boolean isOwn(String name) {
    return name.startsWith("org/apache/arrow/");
  }

  @Override
  public boolean isOfBuffers(String name) {
    return name.startsWith(PACKAGE);
  }

  @Override
  public boolean namesBuffers(byte[] classFile) {
    return ByteSearch.contains(classFile, BUFFER_BYTES);
  }

  @Override
  public boolean isBuffer(String name) {
    return name.equals(BUFFER);
  }

  @Override
  public byte @Nullable [] weave(
      Rewriter rewriter,
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> loaded,
      byte[] classFile,
      boolean resting) {
    if (resting || !(name.equals(LEDGER) || name.equals(ALLOCATOR))) {
      return null;
    }
    if (loaded == null && name.equals(LEDGER)) {
      FlowTracker.INSTANCE.addBufferAccess(ledgers);
      FlowTracker.INSTANCE.knowLibrary();
    }
    return rewriter.rewrite(classFile, next -> new LedgerVisitor(next, name));
  }

  @Override
  public boolean mayChange(String name, Set<String> strings) {
    return name.equals(LEDGER) || name.equals(ALLOCATOR);
  }

  @Override
  public boolean isRoot(Class<?> loaded) {
    return counts(loaded);
  }

  @Override
  public boolean counts(Class<?> loaded) {
    return loaded.getName().equals("org.apache.arrow.memory.BufferLedger");
  }

  /** Returns one access for all: they are asked by their names. */
  @Override
  public BufferAccess foreign(Class<?> root, Consumer<Class<?>> open) {
    return ledgers;
  }
}
