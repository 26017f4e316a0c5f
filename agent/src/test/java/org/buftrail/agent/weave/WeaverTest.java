package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.woven.Calls;
import com.example.woven.Counts;
import com.example.woven.Crate;
import com.example.woven.Envelope;
import com.example.woven.Hides;
import com.example.woven.Keeps;
import com.example.woven.Message;
import com.example.woven.Orders;
import com.example.woven.OwnAllocators.ByOne;
import com.example.woven.OwnAllocators.ByTwo;
import com.example.woven.OwnAllocators.Inherits;
import com.example.woven.Parcel;
import com.example.woven.Plain;
import com.example.woven.Takes;
import com.example.woven.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.buftrail.flow.LeakScope;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.control.UnfollowedWrappers;
import org.buftrail.model.Path;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Classes woven, loaded and run: which hops they have, and which are left as they are. */
final class WeaverTest {
  /** Instructions of one byte that a method has room for, but not for a hop beside them. */
  private static final int FULL = 65_534;

  private final List<String> log = new ArrayList<>();
  private final Map<String, Long> before = live();

  @BeforeAll
  static void follow() {
    FlowTracker.INSTANCE.start(true);
  }

  private WeavingLoader loader(String include) {
    return new WeavingLoader(WeavingLoader.weaver(include, log));
  }

  /** By the methods of their paths, the allocator's left out, how many flows are live. */
  private static Map<String, Long> live() {
    Map<String, Long> live = new LinkedHashMap<>();
    for (Path path : FlowTracker.INSTANCE.snapshot().paths()) {
      String methods =
          path.hops().stream()
              .skip(1)
              .map(hop -> hop.site().method())
              .collect(Collectors.joining(" "));
      live.merge(methods, path.live().count(), Long::sum);
    }
    return live;
  }

  /** The paths of what this test has live, beside what tests before it left. */
  private List<String> path(Object buffer) {
    assertThat(buffer).isNotNull();
    return live().entrySet().stream()
        .filter(path -> path.getValue() > before.getOrDefault(path.getKey(), 0L))
        .map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  @Test
  void aCallKeepsItsPlaceWhereNettyIsIncludedToo() throws Exception {
    Object buffer = loader("com.example,io.netty").run(Calls.class, "ask");
    assertThat(path(buffer)).contains("ask");
    assertThat(log).isEmpty();
    release(buffer);
  }

  @Test
  void theMethodsThatEveryHolderHasAreNoHops() throws Exception {
    Object buffer = loader("com.example").run(Parcel.class, "run");
    assertThat(path(buffer)).contains("run unpack_return");
    release(buffer);
  }

  /** As an application does that tests for leaks itself. */
  private static final class OpensAScope {
    static String name() {
      try (LeakScope scope = LeakScope.open("mine")) {
        return scope.name();
      }
    }
  }

  @Test
  void whoCallsTheApiAndNothingElseIsLeftAsItIs() throws Exception {
    Rewriter rewriter = new Rewriter(log::add);
    assertThat(OpensAScope.name()).isEqualTo("mine");
    assertThat(rewriter.rewrite(classFile(OpensAScope.class), writer -> writer)).isNull();
    assertThat(log).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "inAVariable,make make_return inAVariable",
    "inAField,make make_return inAField",
    "chosen,make make_return chosen",
    "dropped,dropped same same_return",
    "handedOn,make make_return handedOn same same_return",
  })
  void whoKeepsWhatAnotherReturnsIsAHop(String method, String expected) throws Exception {
    Object buffer = loader("com.example").run(Keeps.class, method);
    assertThat(path(buffer)).contains(expected);
    release(buffer);
  }

  @Test
  void aClassThatIsNamedCarriesWhatItsFieldHolds() throws Exception {
    String run = "run accept wrap wrap_return";
    Object unnamed = loader("com.example").run(Crate.class, "run");
    assertThat(path(unnamed)).doesNotContain(run).contains("run");
    release(unnamed);
    new Netty4().setFrameworks(Map.of("com/example/woven/Crate", "content"));
    release(loader("com.example").run(Crate.class, "run"));
    assertThat(new Netty4().unmetFrameworks())
        .containsExactly("carrier com.example.woven.Crate.content: the class has no such field");
    new Netty4().setFrameworks(Map.of("com/example/woven/Crate", "body"));
    assertThat(new Netty4().unmetFrameworks())
        .containsExactly("carrier com.example.woven.Crate.body: no class of this name was loaded");
    Object buffer = loader("com.example").run(Crate.class, "run");
    assertThat(path(buffer)).anyMatch(path -> path.startsWith(run));
    assertThat(new Netty4().unmetFrameworks()).isEmpty();
    release(buffer);
    new Netty4().setFrameworks(Map.of());
    unnamed = loader("com.example").run(Crate.class, "run");
    assertThat(path(unnamed)).as("the next attachment").doesNotContain(run).contains("run");
    release(unnamed);
  }

  @ParameterizedTest
  @CsvSource({
    "run,run <init> run take",
    "seen,seen <init> seen deliver",
    "posted,posted",
    "registered,registered <init>",
  })
  void aWrapperOfOneBufferIsFollowedByItself(String method, String expected) throws Exception {
    Object buffer = loader("com.example").run(Envelope.class, method);
    assertThat(path(buffer)).containsExactly(expected);
    release(buffer);
  }

  @ParameterizedTest
  @CsvSource({
    "polled,fill polled",
    "removed,fill removed",
    "joined,fill joined",
    "swapped,fill swapped",
    "unwrapped,fill <init> unwrapped unwrapped",
    "peeked,fill",
    "looped,fill",
    "consumed,fill consume",
    "returned,fill next_return returned",
  })
  void whoTakesABufferOutOfWhatKeepsItIsAHop(String method, String expected) throws Exception {
    Object buffer = loader("com.example").run(Waiting.class, method);
    assertThat(path(buffer)).containsExactly(expected);
    release(buffer);
  }

  /** The methods of paths whose flows were released by a class, the allocator's first. */
  private static List<String> released(Class<?> by) {
    return FlowTracker.INSTANCE.snapshot().paths().stream()
        .filter(path -> path.released().count() > 0)
        .map(
            path ->
                path.hops().stream()
                    .skip(1)
                    .map(hop -> hop.site().hop())
                    .collect(Collectors.joining(" ")))
        .filter(path -> path.contains(by.getSimpleName() + '.'))
        .map(path -> path.replace(by.getSimpleName(), ""))
        .toList();
  }

  @Test
  void whatIsNamedLikeAReleaseOfNettysIsOneOnlyForWhoCallsIt() throws Exception {
    loader("com.example").run(Counts.class, "message");
    loader("com.example").run(Counts.class, "ownMethod");
    assertThat(released(Counts.class))
        .contains(
            ".make .make_return .message ByteBuf.release",
            ".make .make_return .ownMethod .release ByteBuf.release");
  }

  @Test
  void whatALibraryWrapsIsNotFollowed() throws Exception {
    Object buffer = loader("com.example.woven").run(Counts.class, "sealed");
    assertThat(path(buffer)).containsExactly("make make_return sealed");
    release(buffer);
  }

  @Test
  void anObjectBesideATypeVariableIsNoHop() throws Exception {
    Object buffer = loader("com.example").run(Counts.class, "variables");
    assertThat(path(buffer)).containsExactly("make make_return variables within");
    release(buffer);
  }

  @Test
  void classesThatHideBuffersAreNotedWithWhoGivesThem() throws Exception {
    UnfollowedWrappers.forget();
    loader("com.example").run(Hides.class, "run");
    assertThat(FlowTracker.INSTANCE.snapshot().status().unfollowed())
        .extracting(
            each ->
                String.join(" ", each.className(), each.reason(), "" + each.fields())
                    + each.givers())
        .map(each -> each.replace("com.example.woven.Hides", ""))
        .containsExactlyInAnyOrder(
            "$Pair has several fields that hold buffers [head, body][.run]",
            "$Link has several fields that hold buffers [body, next][.run]",
            "$Slot assigns its field again [body][.fill, $Slot.put]",
            "$Frames is a collection [body][.run]",
            "$Later extends a class of the JDK [body][.run]");
    assertThat(log).isEmpty();
  }

  private WeavingLoader excluding(String exclude) {
    ClassPattern all = ClassPattern.parse("com.example");
    Weaver weaver = new Weaver(new Netty4(), log::add);
    weaver.weave(new Selection(all, ClassPattern.parse(exclude), all, List.of()));
    return new WeavingLoader(weaver);
  }

  /** A class that is woven tells by itself what it returns; of one that is not, its caller does. */
  @ParameterizedTest
  @CsvSource({
    "none,take take_return run same same_return",
    "com.example.woven.Orders$Stock,run same same_return",
  })
  void whoCallsWhatIsExcludedTellsOfIt(String exclude, String expected) throws Exception {
    Object buffer = excluding(exclude).run(Orders.class, "run");
    assertThat(path(buffer)).contains(expected);
    release(buffer);
  }

  @Test
  void whatIsExcludedIsLeftAsItIs() throws Exception {
    for (String exclude : List.of("none", "com.example.woven.Parcel")) {
      WeavingLoader loader = excluding(exclude);
      Object buffer = loader.run(Parcel.class, "run");
      assertThat(loader.changed.contains(Parcel.class.getName())).isEqualTo(exclude.equals("none"));
      assertThat(path(buffer)).anyMatch(path -> exclude.equals("none") == path.contains("unpack"));
      release(buffer);
    }
  }

  /** Which instruction is of which line is what a stack trace tells. */
  @Test
  void linesStayWhereTheyAre() throws Exception {
    Module module = getClass().getClassLoader().getUnnamedModule();
    for (Class<?> each : List.of(Calls.class, Takes.class, Parcel.class)) {
      String name = each.getName().replace('.', '/');
      byte[] plain = classFile(each);
      byte[] woven =
          WeavingLoader.weaver("com.example", log)
              .transform(module, each.getClassLoader(), name, null, null, plain);
      assertThat(woven).as(name).isNotNull();
      assertThat(calls(woven)).as(name).containsAll(calls(plain)).hasSizeGreaterThan(3);
    }
  }

  private static byte[] classFile(Class<?> c) throws IOException {
    try (InputStream in = c.getResourceAsStream("/" + c.getName().replace('.', '/') + ".class")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  /** Every call in a class, with its method and line. */
  private static List<String> calls(byte[] classFile) {
    List<String> found = new ArrayList<>();
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access,
                  String method,
                  String descriptor,
                  @Nullable String signature,
                  String @Nullable [] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                  private int at;

                  @Override
                  public void visitLineNumber(int line, Label start) {
                    at = line;
                  }

                  @Override
                  public void visitMethodInsn(
                      int opcode, String owner, String callee, String types, boolean isInterface) {
                    found.add(method + descriptor + " " + owner + "." + callee + types + " " + at);
                  }
                };
              }
            },
            0);
    return found;
  }

  @Test
  void aBufferDerivedInTwoStepsHasNoHops() throws Exception {
    WeavingLoader loader = loader("com.example");
    Object buffer = loader.run(Calls.class, "ownBuffer");
    assertThat(loader.changed)
        .contains(Calls.class.getName())
        .doesNotContain(Calls.Nearer.class.getName(), Calls.Further.class.getName());
    release(buffer);
  }

  @Test
  void aClassThatNothingIsInsertedIntoIsNotTouched() throws Exception {
    WeavingLoader loader = loader("com.example");
    assertThat(loader.run(Plain.class, "run")).isEqualTo("aa");
    assertThat(loader.changed).isEmpty();
  }

  @Test
  void aMethodThatWouldBeTooLargeIsLeftAloneAndNamed() throws Exception {
    WeavingLoader loader = loader("com.example");
    for (int i = 0; i < 8; i++) {
      String name = "com.example.Large" + i;
      loader.give(name, large(name.replace('.', '/')));
      Class<?> large = loader.loadClass(name);
      assertThat(large.getMethod("run").invoke(null)).isEqualTo("done");
      assertThat(loader.changed).as("its other method is woven").contains(name);
    }
    TrackerStatus status = FlowTracker.INSTANCE.snapshot().status();
    assertThat(status.unwovenClasses()).isGreaterThanOrEqualTo(8);
    assertThat(status.unwoven())
        .filteredOn(each -> each.className().startsWith("com.example.Large"))
        .hasSize(8)
        .allSatisfy(
            each ->
                assertThat(each.reason())
                    .isEqualTo(
                        "too large with what would be woven in:"
                            + " huge(Lio/netty/buffer/ByteBuf;)V"));
    assertThat(log).hasSize(6).last().asString().contains("in the report alone");
    assertThat(log.get(0)).contains("com.example.Large0").doesNotContain("any like it");
  }

  /** {@code huge}, which fits as it is, {@code small}, and {@code run}. */
  private static byte[] large(String name) {
    ClassWriter made = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    made.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    String takes = "(Lio/netty/buffer/ByteBuf;)V";
    for (String method : List.of("huge", "small")) {
      MethodVisitor mv =
          made.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, method, takes, null, null);
      mv.visitCode();
      for (int i = 0; method.equals("huge") && i < FULL; i++) {
        mv.visitInsn(Opcodes.NOP);
      }
      mv.visitInsn(Opcodes.RETURN);
      mv.visitMaxs(0, 0);
      mv.visitEnd();
    }
    MethodVisitor run =
        made.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", "()Ljava/lang/Object;", null, null);
    run.visitCode();
    for (String method : List.of("huge", "small")) {
      run.visitInsn(Opcodes.ACONST_NULL);
      run.visitMethodInsn(Opcodes.INVOKESTATIC, name, method, takes, false);
    }
    run.visitLdcInsn("done");
    run.visitInsn(Opcodes.ARETURN);
    run.visitMaxs(0, 0);
    run.visitEnd();
    made.visitEnd();
    return made.toByteArray();
  }

  @Test
  void lambdasOfOtherLanguagesAreHopsAndBridgesOfCompilersAreNot() throws Exception {
    List<String> methods = List.of("lambda$run$0", "access$100", "$anonfun$run$1", "run$lambda$2");
    String name = "com.example.Lambdas";
    WeavingLoader loader =
        loader("com.example").give(name, passing(name.replace('.', '/'), methods));
    Object buffer = loader.loadClass(name).getMethod("run").invoke(null);
    assertThat(path(buffer)).contains("run lambda$run$0 $anonfun$run$1 run$lambda$2 run_return");
    release(buffer);
  }

  /** {@code run}, which makes a buffer and gives it to synthetic methods one after the other. */
  private static byte[] passing(String name, List<String> methods) {
    ClassWriter made = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    made.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    String buffer = "Lio/netty/buffer/ByteBuf;";
    String takes = "(" + buffer + ")V";
    MethodVisitor run =
        made.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", "()" + buffer, null, null);
    run.visitCode();
    run.visitInsn(Opcodes.ICONST_1);
    run.visitMethodInsn(
        Opcodes.INVOKESTATIC, "io/netty/buffer/Unpooled", "buffer", "(I)" + buffer, false);
    for (String method : methods) {
      MethodVisitor mv =
          made.visitMethod(Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC, method, takes, null, null);
      mv.visitCode();
      mv.visitInsn(Opcodes.RETURN);
      mv.visitMaxs(0, 0);
      mv.visitEnd();
      run.visitInsn(Opcodes.DUP);
      run.visitMethodInsn(Opcodes.INVOKESTATIC, name, method, takes, false);
    }
    run.visitInsn(Opcodes.ARETURN);
    run.visitMaxs(0, 0);
    run.visitEnd();
    made.visitEnd();
    return made.toByteArray();
  }

  @Test
  void aTypeThatIsMissingInOneLoaderIsKnownInAnother() throws Exception {
    Weaver weaver = WeavingLoader.weaver("com.example", log);
    WeavingLoader without = new WeavingLoader(weaver).give(Message.class.getName(), null);
    without.loadClass(Takes.class.getName());
    assertThat(without.changed).contains(Takes.class.getName());
    Object buffer = new WeavingLoader(weaver).run(Takes.class, "run");
    assertThat(path(buffer)).contains("run take");
    release(buffer);
  }

  @Test
  void anAllocatorByWayOfATypeOfItsOwnIsOne() {
    Weaver weaver = WeavingLoader.weaver("nothing.here", log);
    Selection none =
        new Selection(ClassPattern.NONE, ClassPattern.NONE, ClassPattern.NONE, List.of());
    for (Class<?> own : List.of(ByOne.class, ByTwo.class, Inherits.class)) {
      assertThat(weaver.mayWant(own, none)).as(own.getName()).isTrue();
    }
    assertThat(weaver.mayWant(Message.class, none)).isFalse();
  }

  private static void release(Object buffer) throws ReflectiveOperationException {
    buffer.getClass().getMethod("release").invoke(buffer);
  }
}
