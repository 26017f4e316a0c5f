package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.woven.Calls;
import com.example.woven.Keeps;
import com.example.woven.Leases;
import com.example.woven.Parcel;
import com.example.woven.Takes;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.buftrail.agent.weave.library.BufferLibrary;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.agent.weave.resources.ResourceRule;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Which classes a JVM is asked to redefine, and what is said of those that it does not. */
final class LoadedClassesTest {
  private static final String COUNTING = "io.netty.buffer.AbstractReferenceCountedByteBuf";
  private static final String WHY = " (java.lang.instrument.UnmodifiableClassException: not this)";

  private final List<String> log = new ArrayList<>();
  private final WeavingLoader plain = new WeavingLoader(null);
  private final Weaver weaver = WeavingLoader.weaver("com.example", log);

  /** The loaded classes that the JVM names each time it is asked; the last answer repeats. */
  private final Deque<List<Class<?>>> loaded = new ArrayDeque<>();

  private final Set<Class<?>> unmodifiable = new HashSet<>();
  private final Set<Class<?>> failing = new HashSet<>();
  private final List<List<Class<?>>> asked = new ArrayList<>();

  /** Packages that modules were asked to open, and to whom. */
  private final List<Map<?, ?>> opened = new ArrayList<>();

  private final Instrumentation jvm = FakeJvm.of(this::answer);

  private @Nullable Object answer(String method, Object[] arguments)
      throws UnmodifiableClassException {
    switch (method) {
      case "getAllLoadedClasses":
        List<Class<?>> now = loaded.size() > 1 ? loaded.remove() : loaded.element();
        return now.toArray(new Class<?>[0]);
      case "isModifiableClass":
        return !unmodifiable.contains(arguments[0]);
      case "retransformClasses":
        List<Class<?>> classes = Arrays.asList((Class<?>[]) arguments[0]);
        asked.add(classes);
        if (classes.stream().anyMatch(failing::contains)) {
          throw new UnmodifiableClassException("not this");
        }
        return null;
      case "redefineModule":
        opened.add((Map<?, ?>) arguments[3]);
        return null;
      default:
        throw new UnsupportedOperationException(method);
    }
  }

  private Class<?> plain(Class<?> type) throws ClassNotFoundException {
    return plain.loadClass(type.getName());
  }

  private static Selection patterns() {
    return new Selection(
        ClassPattern.parse("com.example"), ClassPattern.NONE, ClassPattern.NONE, List.of());
  }

  private LoadedClasses classes() {
    return new LoadedClasses(jvm, weaver, log::add);
  }

  /** Classes that are given to nobody else: arrays of more and more dimensions. */
  private static List<Class<?>> several(int number) {
    List<Class<?>> found = new ArrayList<>();
    for (Class<?> type = int.class; found.size() < number; ) {
      for (Class<?> each : List.of(type, long.class, Object.class, String.class, Integer.class)) {
        int[] dimensions = new int[1 + found.size() / 5];
        found.add(Array.newInstance(each, dimensions).getClass());
      }
    }
    return found.subList(0, number);
  }

  private int retransform(List<Class<?>> classes, List<String> failures) {
    return new Retransformation(jvm, (c, e) -> failures.add(c.getName() + ": " + e.getMessage()))
        .run(classes);
  }

  @Test
  void aHundredAreRedefinedAtATime() {
    List<Class<?>> many = several(230);
    assertThat(retransform(many, new ArrayList<>())).isEqualTo(230);
    assertThat(asked)
        .containsExactly(many.subList(0, 100), many.subList(100, 200), many.subList(200, 230));
  }

  @Test
  void oneThatCannotBeIsFoundAndCostsNobodyElseAnything() {
    List<Class<?>> five = several(5);
    failing.add(five.get(3));
    List<String> failures = new ArrayList<>();
    assertThat(retransform(five, failures)).isEqualTo(4);
    assertThat(failures).containsExactly(five.get(3).getName() + ": not this");
    assertThat(asked)
        .containsExactly(
            five,
            five.subList(0, 2),
            five.subList(2, 5),
            five.subList(2, 3),
            five.subList(3, 5),
            five.subList(3, 4),
            five.subList(4, 5));
  }

  @Test
  void whatIsIncludedAndCanBeRedefinedIsWoven() throws Exception {
    Class<?> calls = plain(Calls.class);
    Class<?> keeps = plain(Keeps.class);
    unmodifiable.add(keeps);
    loaded.add(
        List.of(
            String.class, calls, calls.arrayType(), keeps, LoadedClassesTest.class, Test.class));
    assertThat(classes().weave(patterns())).isEqualTo(1);
    assertThat(asked).containsExactly(List.of(calls));
    assertThat(log).isEmpty();
  }

  /** A class that the weaver has seen load was woven then. */
  @Test
  void whatBeganToLoadBeforeTheWeaverCameIsFoundTheSecondTime() throws Exception {
    Class<?> first = plain(Calls.class);
    Class<?> unseen = plain(Keeps.class);
    Class<?> seen = new WeavingLoader(weaver).loadClass(Takes.class.getName());
    loaded.add(List.of(first));
    loaded.add(List.of(first, unseen, seen));
    // What loads now is woven as it does.
    loaded.add(List.of(first, unseen, seen, plain(Parcel.class)));
    assertThat(classes().weave(patterns())).isEqualTo(2);
    assertThat(asked).containsExactly(List.of(first), List.of(unseen));
  }

  @Test
  void whatStaysAsItIsIsNamedOnce() throws Exception {
    List<Class<?>> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      all.add(new WeavingLoader(null).loadClass(Calls.class.getName()));
    }
    loaded.add(all);
    failing.add(all.get(0));
    LoadedClasses classes = classes();
    assertThat(classes.weave(patterns())).isEqualTo(6);
    assertThat(classes.failures()).isEqualTo(1);
    String named = Calls.class.getName() + WHY;
    assertThat(log).containsExactly("a class stays as it is: " + named);
    failing.addAll(all);
    assertThat(classes.weave(patterns())).isZero();
    assertThat(classes.failures()).isEqualTo(7);
    assertThat(log)
        .last()
        .isEqualTo(
            "7 classes stay as they are: "
                + String.join(", ", Stream.generate(() -> named).limit(5).toList())
                + ", and 2 more");
  }

  @Test
  void asManyAsAreNamedAreAll() throws Exception {
    List<Class<?>> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(new WeavingLoader(null).loadClass(Calls.class.getName()));
    }
    loaded.add(all);
    failing.addAll(all);
    assertThat(classes().weave(patterns())).isZero();
    String named = Calls.class.getName() + WHY;
    assertThat(log)
        .containsExactly(
            "5 classes stay as they are: " + String.join(", ", Collections.nCopies(5, named)));
  }

  /**
   * A JVM that loses the names of parameters is asked for them before; where it fails, the file.
   */
  @Test
  void aClassThatDoesNotTellItsParametersIsWovenByItsFile() throws Exception {
    ClassWriter made = new ClassWriter(0);
    String name = "com/example/Needy";
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT;
    made.visit(Opcodes.V11, access, name, null, "java/lang/Object", null);
    made.visitMethod(access, "take", "(Lcom/example/Nowhere;)V", null, null).visitEnd();
    made.visitEnd();
    Class<?> needy =
        plain.give("com.example.Needy", made.toByteArray()).loadClass("com.example.Needy");
    loaded.add(List.of(needy));
    LoadedClasses classes = classes();
    assertThat(classes.weave(patterns())).isEqualTo(1);
    assertThat(asked).isEqualTo(List.of(List.of(needy)));
    assertThat(classes.failures()).isZero();
  }

  /** As classes of Netty's are that need a library which is not there: none of its code can run. */
  @Test
  void aClassThatCannotBeLinkedForWantOfAnotherIsNotTold() throws Exception {
    ClassWriter made = new ClassWriter(0);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
    made.visit(
        Opcodes.V11, Opcodes.ACC_PUBLIC, "com/example/Wanting", null, "java/lang/Object", null);
    MethodVisitor upcast =
        made.visitMethod(
            access, "upcast", "(Lcom/example/Nowhere;)Lcom/example/Never;", null, null);
    upcast.visitCode();
    upcast.visitVarInsn(Opcodes.ALOAD, 0);
    upcast.visitInsn(Opcodes.ARETURN);
    upcast.visitMaxs(1, 1);
    upcast.visitEnd();
    made.visitEnd();
    Class<?> wanting =
        plain.give("com.example.Wanting", made.toByteArray()).loadClass("com.example.Wanting");
    loaded.add(List.of(wanting));
    failing.add(wanting);
    LoadedClasses classes = classes();
    assertThat(classes.weave(patterns())).isZero();
    assertThat(classes.failures()).isZero();
    assertThat(log).isEmpty();
  }

  @Test
  void buffersOfALibraryWhoseCountsCannotBeSeenAreNotFollowed() throws Exception {
    Class<?> counting = plain.loadClass(COUNTING);
    loaded.add(List.of(counting, plain.loadClass("io.netty.buffer.ByteBuf")));
    failing.add(counting);
    assertThat(classes().weave(patterns())).isEqualTo(1);
    assertThat(log)
        .containsExactly(
            "a class stays as it is: " + COUNTING + WHY,
            "buffers are not followed of 1 loaded library: " + COUNTING + " stays as it is");
  }

  /** Netty's own and the application's; not what has a shape that it must keep. */
  @Test
  void whatMayBeWovenIsRestored() throws Exception {
    Class<?> calls = plain(Calls.class);
    Class<?> buffer = new WeavingLoader(weaver).loadClass("io.netty.buffer.ByteBuf");
    Class<?> handler = plain.loadClass("io.netty.handler.codec.http.HttpObjectEncoder");
    loaded.add(List.of(String.class, calls, buffer, handler, Test.class));
    weaver.rest();
    assertThat(classes().restore(patterns())).isEqualTo(2);
    assertThat(asked).containsExactly(List.of(calls, handler));
    assertThat(log).isEmpty();
    failing.add(handler);
    assertThat(classes().restore(patterns())).isEqualTo(1);
    assertThat(log).containsExactly("a class stays as it is: " + handler.getName() + WHY);
  }

  private static Selection closing(Class<?> resource) {
    String type = resource.getName().replace('.', '/');
    List<ResourceRule.Member> open = List.of(new ResourceRule.Member(type, "<init>", null));
    List<ResourceRule.Member> close = List.of(new ResourceRule.Member(type, "close", ""));
    ResourceRule rule = new ResourceRule(5, type, open, close);
    return new Selection(ClassPattern.NONE, ClassPattern.NONE, ClassPattern.NONE, List.of(rule));
  }

  @Test
  void whatOpensOrClosesAResourceIsWovenOnceTheApplicationTellsOfIt() throws Exception {
    Class<?> lease = plain(Leases.Lease.class);
    loaded.add(List.of(String.class, plain(Calls.class), lease));
    classes().weaveUsers(closing(Leases.Lease.class));
    assertThat(asked).containsExactly(List.of(lease));
    assertThat(log).isEmpty();
  }

  /** It declares what it closes by further up, where it is woven too. */
  @Test
  void whatAResourceInheritsIsWovenWhereItStands() throws Exception {
    Class<?> holding = plain(Leases.Holding.class);
    Class<?> above = holding.getSuperclass();
    loaded.add(List.of(plain(Calls.class), holding, above));
    assertThat(classes().weave(closing(Leases.Holding.class))).isEqualTo(2);
    assertThat(asked).containsExactly(List.of(holding), List.of(above));
  }

  @Test
  void whatAResourceInheritsIsWovenWhenTheApplicationTellsOfIt() throws Exception {
    Class<?> holding = plain(Leases.Holding.class);
    Class<?> above = holding.getSuperclass();
    loaded.add(List.of(plain(Calls.class), holding, above));
    failing.add(above);
    classes().weaveUsers(closing(Leases.Holding.class));
    assertThat(asked).containsExactly(List.of(holding), List.of(above));
    assertThat(log).containsExactly("a class stays as it is: " + above.getName() + WHY);
  }

  /** The class path says what a type inherits that has not loaded. */
  @Test
  void whatATypeInheritsIsWovenThoughItHasNotLoaded() throws Exception {
    Class<?> above = plain(Leases.Holding.class).getSuperclass();
    loaded.add(List.of(plain(Calls.class), above));
    assertThat(classes().weave(closing(Leases.Holding.class))).isEqualTo(1);
    assertThat(asked).containsExactly(List.of(above));
  }

  /** Though the type of resource says nothing of it. */
  @Test
  void whatAClassOfAResourcesTypeInheritsIsWoven() throws Exception {
    Class<?> gate = plain(Leases.Gate.class);
    Class<?> above = gate.getSuperclass();
    loaded.add(List.of(gate, above));
    assertThat(classes().weave(closing(Leases.Shut.class))).isEqualTo(2);
    assertThat(asked).containsExactly(List.of(gate), List.of(above));
  }

  /** It was loaded by somebody else before that was seen. */
  @Test
  void whatIsSeenToBeInheritedLaterIsWovenThen() throws Exception {
    Selection patterns = closing(Leases.Holding.class);
    weaver.weave(patterns);
    Class<?> above = plain(Leases.Holding.class).getSuperclass();
    loaded.add(List.of(plain(Calls.class), above));
    failing.add(above);
    LoadedClasses classes = classes();
    classes.weaveInherited(patterns);
    assertThat(asked).isEmpty();
    new WeavingLoader(weaver).loadClass(Leases.Holding.class.getName());
    classes.weaveInherited(patterns);
    assertThat(asked).containsExactly(List.of(above));
    assertThat(log).containsExactly("a class stays as it is: " + above.getName() + WHY);
  }

  /** Netty, but for what its buffers are asked by; whose roots are asked for is written down. */
  private static BufferLibrary askedFor(List<Class<?>> roots, List<Consumer<Class<?>>> opens) {
    Netty4 netty = new Netty4();
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("foreign")) {
            roots.add((Class<?>) arguments[0]);
            opens.add(opener(arguments[1]));
            throw new NoSuchFieldException("root " + roots.size());
          }
          return method.invoke(netty, arguments);
        };
    Class<?>[] types = {BufferLibrary.class};
    return (BufferLibrary) Proxy.newProxyInstance(Netty4.class.getClassLoader(), types, handler);
  }

  @SuppressWarnings("unchecked") // as the method declares it
  private static Consumer<Class<?>> opener(Object argument) {
    return (Consumer<Class<?>>) argument;
  }

  /** A class that counts may fail in one of them, and any other in all. */
  @Test
  void eachLibraryIsAskedThatLoadedWithoutStateOfItsOwn() throws Exception {
    List<Class<?>> roots = new ArrayList<>();
    Weaver asking = new Weaver(askedFor(roots, new ArrayList<>()), log::add);
    asking.weave(patterns());
    List<Class<?>> plainRoots = new ArrayList<>();
    List<Class<?>> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      WeavingLoader loader = new WeavingLoader(null);
      Class<?> counting = loader.loadClass(COUNTING);
      Class<?> other = loader.loadClass("io.netty.buffer.Unpooled");
      failing.add(i == 2 ? counting : other);
      plainRoots.add(loader.loadClass("io.netty.buffer.ByteBuf"));
      all.addAll(List.of(counting, other, plainRoots.get(i)));
    }
    all.add(new WeavingLoader(asking).loadClass("io.netty.buffer.ByteBuf"));
    loaded.add(all);
    new LoadedClasses(jvm, asking, log::add).weave(patterns());
    assertThat(roots).containsExactlyElementsOf(plainRoots.subList(0, 2));
    assertThat(log)
        .last()
        .isEqualTo(
            "buffers are not followed of 3 loaded libraries:"
                + " java.lang.NoSuchFieldException: root 1");
  }

  /** So that its fields can be read; a package that is open already stays as it is. */
  @Test
  void aModuleIsAskedToOpenItself() throws Exception {
    List<Consumer<Class<?>>> opens = new ArrayList<>();
    Weaver asking = new Weaver(askedFor(new ArrayList<>(), opens), log::add);
    loaded.add(List.of(plain.loadClass("io.netty.buffer.ByteBuf")));
    new LoadedClasses(jvm, asking, log::add).weave(patterns());
    assertThat(opens).hasSize(1);
    opened.clear();
    opens.get(0).accept(LoadedClassesTest.class);
    assertThat(opened).isEmpty();
    opens.get(0).accept(ArrayDeque.class);
    Module us = LoadedClasses.class.getModule();
    assertThat(opened).containsExactly(Map.of("java.util", Set.of(us)));
  }

  /** Under a name of its own, which was never reported. */
  @Test
  void aLibraryIsRecognisedByWhatIsLoaded() throws Exception {
    String root = "com/recognised/netty/";
    for (String name : List.of("util/ReferenceCounted", "buffer/ByteBuf")) {
      ClassWriter made = new ClassWriter(0);
      int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE;
      String[] above =
          name.startsWith("util") ? null : new String[] {root + "util/ReferenceCounted"};
      made.visit(Opcodes.V11, access, root + name, null, "java/lang/Object", above);
      made.visitEnd();
      plain.give((root + name).replace('/', '.'), made.toByteArray());
    }
    loaded.add(List.of(plain.loadClass("com.recognised.netty.buffer.ByteBuf")));
    classes().weave(patterns());
    assertThat(weaver.library().isBuffer(root + "buffer/ByteBuf")).isTrue();
    assertThat(log).hasSize(1).allMatch(line -> line.contains("of 1 loaded library: "));
  }
}
