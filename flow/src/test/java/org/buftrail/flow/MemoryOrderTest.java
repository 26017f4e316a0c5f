package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.VarHandle;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.buftrail.flow.state.FlowState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The orders of memory that the comments beside them argue for, as they stand in the class files.
 * Processors of today's servers hide it when one is weaker than it must be, and so do tests that
 * run.
 */
class MemoryOrderTest {
  private static final String HANDLE = Type.getInternalName(VarHandle.class);

  private static final String STATE = Type.getInternalName(FlowState.class);

  /** What methods of {@link FlowState} do to a buffer's state and stamp. */
  private static final Map<String, String> THROUGH_STATE =
      Map.of(
          "setState",
          "put state",
          "setStamp",
          "put stamp",
          "setStateOpaque",
          "state.setOpaque",
          "setStampRelease",
          "stamp.setRelease",
          "stateOpaque",
          "state.getOpaque",
          "stateVolatile",
          "state.getVolatile",
          "stampOpaque",
          "stamp.getOpaque",
          "stampVolatile",
          "stamp.getVolatile",
          "compareAndSetState",
          "state.compareAndSet",
          "compareAndSetStamp",
          "stamp.compareAndSet");

  private static final String EXPECTED =
      """
      Births.rename: state.compareAndSet
      ByteBudget.of: stamp.getOpaque
      Census.addPending: state.getOpaque
      Evictions.apply: stamp.getOpaque, state.getOpaque
      Evictions.displaced: stamp.getOpaque
      Evictions.grown: state.getOpaque, stamp.getOpaque, put bytes
      Evictions.letGo: stamp.getOpaque, put bytes, put strong
      Evictions.recheck: state.getVolatile
      FlowState.bytes: stamp.getOpaque
      FlowState.compareAndSetStamp: STAMP.compareAndSet
      FlowState.compareAndSetState: STATE.compareAndSet
      FlowState.ending: state.getOpaque, stamp.getOpaque
      FlowState.setStampRelease: STAMP.setRelease
      FlowState.setStateOpaque: STATE.setOpaque
      FlowState.stampOpaque: STAMP.getOpaque
      FlowState.stampVolatile: STAMP.getVolatile
      FlowState.stateOpaque: STATE.getOpaque
      FlowState.stateVolatile: STATE.getVolatile
      Holdings.changed: state.getOpaque, put changed
      Holdings.parted: put held, state.getOpaque
      Holdings.revisit: put changed, state.getOpaque
      LiveBuffers.atSlot: stamp.getOpaque
      LiveByNode.look: stamp.getOpaque
      Meter.position: state.getOpaque
      Misuses.earlier: stamp.getOpaque
      Misuses.seen: state.getOpaque
      Moment.<init>: put cuts, put released, put allocated, fullFence, fullFence, put during, put later
      Moves.place: state.getOpaque, put node
      Moves.store: state.setOpaque, stamp.getOpaque
      Node.insert: WAYS.setRelease
      Node.way: WAYS.getAcquire
      Node.wayIn: WAYS.getAcquire
      Nursery.forget: state.compareAndSet, put retiredAllocated
      Nursery.keep: stamp.getOpaque, stamp.compareAndSet, state.getOpaque, stamp.getOpaque, put kept
      Nursery.late: stamp.getOpaque
      Nursery.liveNode: state.getOpaque
      Nursery.overtaken: state.getOpaque, state.setOpaque
      Nursery.position: state.getOpaque, stamp.getOpaque
      Nursery.promote: stamp.getOpaque, stamp.compareAndSet, put kept, put before, state.compareAndSet, stamp.getVolatile
      Nursery.recall: stamp.getOpaque, state.getOpaque, state.compareAndSet
      Nursery.sweepRing: stamp.getOpaque
      Nursery.takeOut: stamp.getOpaque
      PendingFlows$TenuredOf.apply: state.getOpaque
      PendingFlows.check: state.getOpaque, put strong, stamp.getOpaque, put bytes, put keeps, put strong, put checked, put checked
      PendingFlows.endMissed: stamp.compareAndSet, state.compareAndSet
      PendingFlows.mark: stamp.compareAndSet, put checked, state.getOpaque
      PendingFlows.revisit: state.getOpaque, put strong
      Releases.end: stamp.getOpaque, put stamp
      Releases.endOther: stamp.getOpaque, put ended, state.setOpaque
      RingCut.add: stamp.getOpaque, stamp.getOpaque
      RingSlots.buffers: BUFFERS.getAcquire
      RingSlots.clearSlot: SLOTS.compareAndSet, PASTS_OF.getAcquire, PASTS.compareAndSet
      RingSlots.entered: NEXT.getOpaque
      RingSlots.held: stamp.getOpaque
      RingSlots.inSlot: SLOTS.getAcquire
      RingSlots.inUse: stamp.getOpaque
      RingSlots.offer: put offered, SPARE.setRelease
      RingSlots.past: PASTS_OF.getAcquire, PASTS.getOpaque
      RingSlots.put: put mask, PASTS_OF.setRelease, BUFFERS.setRelease, put mask
      RingSlots.reclaim: SPARE.getAndSet, FLOOR.setOpaque
      RingSlots.takeOffered: SPARE.getAndSet, put offered, put floor, put allowance, put left
      RuntimeWarmUp.longLife: stamp.getOpaque
      RuntimeWarmUp.shortLife: stamp.getOpaque, stamp.getOpaque, stamp.compareAndSet, state.compareAndSet
      SampleStore.find: INTS.getAcquire
      SampleStore.increment: INTS.getAndAdd
      SampleStore.make: put [], INTS.setRelease, put records
      SampleStore.place: INTS.getAcquire
      ScopeLeftovers.atRings: stamp.getOpaque
      ScopeLeftovers.atYoung: stamp.getOpaque, stamp.getOpaque
      ScopeLeftovers.moveOut: state.compareAndSet, stamp.getOpaque
      SideHolder.lostAt: state.getOpaque, stamp.getOpaque
      SideState.tenured: state.getVolatile
      TenuredFlow.isCollected: state.getOpaque
      TenuredFlow.isOfLifeOf: state.getOpaque
      TenuredFlow.isOver: stamp.getOpaque
      TenuredFlow.markEnded: ENDED.compareAndSet, put strong
      TenuredFlow.undo: state.compareAndSet, put strong
      TenuredTable.isOverwritten: state.getOpaque
      ThreadRing.borrow: LENT.getAcquire, LENT.setOpaque
      ThreadRing.enter: put left, put next, state.setOpaque, stamp.setRelease, SLOTS.setRelease, put stamp, put withoutSlot
      ThreadRing.enterWithoutSlot: put before, put bytes, put strong, put withoutSlot, state.setOpaque, stamp.setRelease, put stamp, put withoutSlot
      ThreadRing.giveBack: LENT.setRelease
      ThreadRing.isAbandoned: LENT.getAcquire
      ThreadRing.keepLive: PUBLISHED.getAndSet, put next, put publishedCount, PUBLISHED.getVolatile, put next, PUBLISHED.compareAndSet
      ThreadRing.lastPublished: PUBLISHED.getAcquire
      ThreadRing.leave: put stamp, storeStoreFence, put stamp, put state, releaseFence, put [], put left
      ThreadRing.mark: SLOTS.compareAndSet
      ThreadRing.push: handle.getVolatile, put next, handle.compareAndSet
      ThreadRing.takeEnded: ENDED.getAndSet
      ThreadRing.takePublished: put taken, PUBLISHED.getAndSet
      ThreadRings.open: put full, put listed, releaseFence, put []
      ThreadRings.past: stamp.getOpaque
      """;

  /** The classes of the runtime. */
  private static List<Path> classFiles() throws IOException {
    URI classes =
        URI.create(FlowState.class.getProtectionDomain().getCodeSource().getLocation().toString());
    try (Stream<Path> files = Files.walk(Path.of(classes).resolve("org/buftrail/flow"))) {
      return files.filter(file -> file.toString().endsWith(".class")).toList();
    }
  }

  /** Accesses by handles and fences in their order, by method. */
  private static Map<String, List<String>> accesses(Path file) throws IOException {
    String name = file.getFileName().toString().replace(".class", "");
    Map<String, List<String>> found = new TreeMap<>();
    try (InputStream in = Files.newInputStream(file)) {
      new ClassReader(in)
          .accept(
              new ClassVisitor(Opcodes.ASM9) {
                @Override
                public @Nullable MethodVisitor visitMethod(
                    int access,
                    String method,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                  if (method.equals("<clinit>")) {
                    return null;
                  }
                  List<String> accesses = new ArrayList<>();
                  return new Accesses(accesses) {
                    @Override
                    public void visitEnd() {
                      if (accesses.stream().anyMatch(text -> !text.startsWith("put "))) {
                        found
                            .computeIfAbsent(name + "." + method, key -> new ArrayList<>())
                            .addAll(accesses);
                      }
                    }
                  };
                }
              },
              0);
    }
    return found;
  }

  /** Notes accesses by handles, fences, and the plain stores between them. */
  private static class Accesses extends MethodVisitor {
    private final List<String> accesses;
    private final Deque<String> handles = new ArrayDeque<>();

    Accesses(List<String> accesses) {
      super(Opcodes.ASM9);
      this.accesses = accesses;
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
      if (opcode == Opcodes.GETSTATIC && descriptor.equals("L" + HANDLE + ";")) {
        handles.push(field);
      } else if (opcode == Opcodes.PUTFIELD) {
        accesses.add("put " + field);
      }
    }

    /** The field that was read last and is not used yet; else a parameter. */
    private String handle() {
      return handles.isEmpty() ? "handle" : handles.pop();
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.AASTORE) {
        accesses.add("put []");
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String method, String descriptor, boolean isInterface) {
      if (owner.equals(HANDLE)) {
        accesses.add(method.endsWith("Fence") ? method : handle() + "." + method);
      } else if (owner.equals(STATE) && THROUGH_STATE.containsKey(method)) {
        accesses.add(THROUGH_STATE.get(method));
      }
    }
  }

  @Test
  void accessesAreOrderedAsTheirCommentsSay() throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    for (Path file : classFiles()) {
      found.putAll(accesses(file));
    }
    List<String> lines = new ArrayList<>();
    found.forEach((method, accesses) -> lines.add(method + ": " + String.join(", ", accesses)));
    assertThat(lines).isEqualTo(EXPECTED.lines().toList());
  }
}
