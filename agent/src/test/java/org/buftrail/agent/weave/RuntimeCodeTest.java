package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.ExecutorScopes;
import org.buftrail.flow.woven.MemoryAlarm;
import org.buftrail.flow.woven.Resources;
import org.buftrail.flow.woven.TestCode;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The byte code of the runtime does nothing that fails when the stack is exhausted or the heap
 * full.
 */
final class RuntimeCodeTest {
  private static final String ANYTHING = "java/lang/Throwable";
  private static final String WANT_OF_STACK = "java/lang/VirtualMachineError";
  private static final String SUPPRESSED = "org/buftrail/flow/base/Suppressed.add";

  /** Run by those alone who wait for a snapshot. */
  private static final Set<String> OF_SNAPSHOTS = Set.of("Snapshot", "FlowMetrics");

  /** Woven code does not call them, or in place of what throws, so they may throw. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "Resources.remove",
          "ExecutorScopes.setWeaver",
          "ExecutorScopes.prepare",
          "ExecutorScopes.run",
          "ExecutorScopes.expunge");

  @Test
  void nothingIsLinkedByTheJdkAtFirstUse() throws IOException, URISyntaxException {
    TreeSet<String> linked = new TreeSet<>();
    List<ClassReader> runtime = runtime();
    assertThat(runtime).hasSizeGreaterThan(30);
    for (ClassReader file : runtime) {
      if (OF_SNAPSHOTS.contains(Names.simple(file.getClassName()))) {
        continue;
      }
      file.accept(
          new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                int access, String method, String type, String sign, String[] exceptions) {
              return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitInvokeDynamicInsn(
                    String name, String descriptor, Handle bootstrap, Object... arguments) {
                  linked.add(file.getClassName() + ' ' + method);
                }
              };
            }
          },
          0);
    }
    assertThat(linked).as("lambdas, method references, joined strings").isEmpty();
  }

  @Test
  void noCallOfAnEntryPointIsOutsideItsHandlers() throws IOException {
    Map<String, Method> methods = entryPoints();
    assertThat(methods.keySet())
        .contains(
            "Buffers.allocated",
            "Buffers.returnedByAllocator",
            "Buffers.created",
            "Buffers.poolMade",
            "Buffers.createdOnHeap",
            "Buffers.derived",
            "Buffers.joined",
            "Buffers.merged",
            "Buffers.componentRemoved",
            "Buffers.hop",
            "Buffers.requested",
            "Buffers.retained",
            "Buffers.released",
            "Buffers.misused",
            "Buffers.markedUnreleasable",
            "Resources.opened",
            "Resources.passed",
            "Resources.requested",
            "Resources.closed",
            "Resources.allocatedDirect",
            "ExecutorScopes.made",
            "ExecutorScopes.begun",
            "ExecutorScopes.handed",
            "ExecutorScopes.offered",
            "ExecutorScopes.lasting",
            "ExecutorScopes.taken",
            "ExecutorScopes.ended",
            "TestCode.caught",
            "TestCode.passed",
            "TestCode.asked",
            "MemoryAlarm.raised");
    methods.forEach(
        (name, method) -> {
          for (Call call : method.calls) {
            assertThat(method.isHandled(call)).as(name + " calls " + call.what).isTrue();
          }
        });
  }

  @Test
  void handlersOfEntryPointsAllocateNothingAndCallOneMethod() throws IOException {
    entryPoints()
        .forEach(
            (name, method) -> {
              int first = method.firstHandler();
              assertThat(first).as(name + " has a handler").isLessThan(Integer.MAX_VALUE);
              assertThat(method.calls)
                  .filteredOn(call -> call.at > first)
                  .as(name)
                  .isNotEmpty()
                  .allMatch(call -> call.what.equals(SUPPRESSED));
            });
  }

  /** All its classes, and those of snapshots, from directories or jars. */
  private static List<ClassReader> runtime() throws IOException, URISyntaxException {
    List<ClassReader> readers = new ArrayList<>();
    for (Class<?> one : List.of(Buffers.class, Snapshot.class)) {
      Path from = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
      String name = one.getName().replace('.', '/');
      String place = name.substring(0, name.indexOf('/', "org/buftrail/".length()));
      if (Files.isDirectory(from)) {
        readers.addAll(readers(from.resolve(place)));
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(from, (ClassLoader) null)) {
          readers.addAll(readers(jar.getPath("/", place)));
        }
      }
    }
    return readers;
  }

  private static List<ClassReader> readers(Path directory) throws IOException {
    List<ClassReader> readers = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        readers.add(new ClassReader(Files.readAllBytes(file)));
      }
    }
    return readers;
  }

  private static Map<String, Method> entryPoints() throws IOException {
    Map<String, Method> methods = new TreeMap<>();
    for (Class<?> c :
        List.of(
            Buffers.class,
            Resources.class,
            ExecutorScopes.class,
            TestCode.class,
            MemoryAlarm.class)) {
      try (var in = c.getResourceAsStream(c.getSimpleName() + ".class")) {
        new ClassReader(in).accept(new EntryPoints(c.getSimpleName(), methods), 0);
      }
    }
    return methods;
  }

  /** A call or an allocation, and the number of its instruction. */
  private record Call(int at, String what) {}

  /** Where a handler begins, and what it handles. */
  private record Range(Label start, Label end, Label handler, String type) {}

  private static final class EntryPoints extends ClassVisitor {
    private final String simpleName;
    private final Map<String, Method> methods;

    EntryPoints(String simpleName, Map<String, Method> methods) {
      super(Opcodes.ASM9);
      this.simpleName = simpleName;
      this.methods = methods;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String method, String type, String signature, String[] exceptions) {
      int open = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
      String name = simpleName + '.' + method;
      boolean told = (access & open) == open && type.endsWith(")V") && !OF_OTHERS.contains(name);
      return told
          ? methods.computeIfAbsent(name, key -> new Method())
          : new MethodVisitor(Opcodes.ASM9) {};
    }
  }

  private static final class Method extends MethodVisitor {
    final List<Call> calls = new ArrayList<>();
    private final List<Range> ranges = new ArrayList<>();
    private final Map<Label, Integer> places = new HashMap<>();
    private int at;

    Method() {
      super(Opcodes.ASM9);
    }

    /** What notes an error lets pass what is none of the tracker's: a thread that is stopped. */
    boolean isHandled(Call call) {
      String type = call.what.equals(SUPPRESSED) ? WANT_OF_STACK : ANYTHING;
      return ranges.stream()
          .filter(range -> range.type.equals(type))
          .anyMatch(range -> place(range.start) < call.at && call.at < place(range.end));
    }

    private int place(Label label) {
      return Objects.requireNonNull(places.get(label));
    }

    int firstHandler() {
      return ranges.stream().mapToInt(r -> place(r.handler)).min().orElse(Integer.MAX_VALUE);
    }

    @Override
    public void visitLabel(Label label) {
      places.put(label, at++);
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      ranges.add(new Range(start, end, handler, type == null ? ANYTHING : type));
    }

    @Override
    public void visitMethodInsn(int op, String owner, String name, String type, boolean isOfType) {
      calls.add(new Call(at++, owner + '.' + name));
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      at++;
      if (opcode == Opcodes.NEW || opcode == Opcodes.ANEWARRAY) {
        calls.add(new Call(at, "new " + type));
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      at++;
      if (opcode == Opcodes.NEWARRAY) {
        calls.add(new Call(at, "new array"));
      }
    }

    @Override
    public void visitMultiANewArrayInsn(String type, int dimensions) {
      calls.add(new Call(at++, "new " + type));
    }
  }
}
