package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.buftrail.agent.weave.Shapes.Included;
import org.buftrail.agent.weave.Shapes.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.util.CheckClassAdapter;

/**
 * Classes of every shape and version, woven and run beside themselves unwoven: they do the same,
 * and tell what they say that they must tell, call by call.
 */
final class WovenShapesTest {
  /** The first of Java 1.2; those before it differ in nothing that matters here. */
  private static final int FIRST_VERSION = 46;

  private static final int SEEDS = 12;
  private static final int RUNS = 4;
  private static final Included ALL = new Included(true, true);

  private final List<String> log = new ArrayList<>();

  /** Those that this JVM loads. */
  static IntStream versions() {
    return IntStream.rangeClosed(FIRST_VERSION, newest());
  }

  private static int newest() {
    return Runtime.version().feature() + 44;
  }

  @ParameterizedTest
  @MethodSource("versions")
  void classesOfAllVersionsDoTheSameAndTellOfIt(int version) throws Exception {
    int told = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Included included = new Included(seed % 4 != 1, seed % 3 != 1);
      told += check(Shapes.random(seed, version, included), included);
    }
    assertThat(told).isGreaterThan(100);
  }

  /** Each kind of parameter before, between and behind buffers, and alone. */
  static Stream<Kind> kinds() {
    return Stream.of(Kind.values());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aBufferIsFoundBesideEveryKindOfParameter(Kind kind) throws Exception {
    List<Shapes.Method> methods = new ArrayList<>();
    List<Kind> constructor = List.of(kind, Kind.BUFFER);
    methods.add(new Shapes.Method(ACC_PUBLIC, "<init>", List.of(), null, true));
    methods.add(new Shapes.Method(ACC_PUBLIC, "<init>", constructor, null, true));
    List<List<Kind>> orders =
        List.of(
            List.of(kind),
            List.of(kind, Kind.BUFFER),
            List.of(Kind.BUFFER, kind, Kind.BUFFER),
            List.of(Kind.DOUBLE, kind, Kind.HOLDER, kind, kind, Kind.BUFFER),
            List.of(kind, Kind.BUFFER, Kind.CONTEXT));
    for (int i = 0; i < orders.size(); i++) {
      methods.add(new Shapes.Method(ACC_PUBLIC, "virtual" + i, orders.get(i), kind, true));
      int isStatic = ACC_PUBLIC | ACC_STATIC;
      methods.add(new Shapes.Method(isStatic, "fixed" + i, orders.get(i), kind, true));
    }
    for (int version : new int[] {FIRST_VERSION, Opcodes.V1_6, newest()}) {
      Shapes.Made made = Shapes.of("Beside" + kind + version, version, ALL, methods);
      assertThat(check(made, ALL)).isGreaterThan(10);
    }
  }

  @Test
  void aMethodWithAsManyParametersAsThereMayBeIsTold() throws Exception {
    List<Kind> many = new ArrayList<>();
    for (int i = 0; i < 126; i++) {
      many.add(Kind.LONG);
    }
    many.add(Kind.BUFFER);
    many.add(Kind.BUFFER);
    Shapes.Method method =
        new Shapes.Method(ACC_PUBLIC | ACC_STATIC, "many", many, Kind.LONG, true);
    assertThat(check(Shapes.of("Many", newest(), ALL, List.of(method)), ALL)).isGreaterThan(1);
  }

  @Test
  void methodsOfInterfacesAreTold() throws Exception {
    for (int version : new int[] {Opcodes.V1_8, newest()}) {
      Shapes.Made contract = Shapes.contract(version, ALL);
      Shapes.Made implementation = Shapes.implementation(contract, version);
      assertThat(check(contract, ALL, implementation)).isGreaterThan(5);
    }
  }

  @Test
  void aClassOfAVersionThatNobodyKnowsYetIsLeftAloneAndNamed() {
    Shapes.Made made = Shapes.random(1, newest(), ALL);
    byte[] classFile = made.classFile();
    classFile[7] = 100;
    byte[] woven =
        ShapeLoader.weaver(ALL, log)
            .transform(
                getClass().getClassLoader().getUnnamedModule(),
                getClass().getClassLoader(),
                made.name(),
                null,
                null,
                classFile);
    assertThat(woven).isNull();
    assertThat(log).hasSize(1).first().asString().contains(made.binaryName());
  }

  /** How much was told. */
  private int check(Shapes.Made made, Included included, Shapes.Made... others) throws Exception {
    ShapeLoader woven = new ShapeLoader(ShapeLoader.weaver(included, log)).give(made);
    ShapeLoader plain = new ShapeLoader(null).give(made);
    for (Shapes.Made other : others) {
      woven.give(other);
      plain.give(other);
    }
    String name = (others.length == 0 ? made : others[0]).binaryName();
    Class<?> wovenClass = Class.forName(name, true, woven);
    Class<?> plainClass = Class.forName(name, true, plain);
    byte[] changed = woven.woven(made.binaryName());
    assertThat(log).as("classes that cannot be woven").isEmpty();
    if (changed != null) {
      assertThat(faults(changed, woven)).isEmpty();
    }
    int told = 0;
    for (Shapes.Method method : made.methods()) {
      for (int run = 0; run < RUNS && (method.access() & ACC_PUBLIC) != 0; run++) {
        told += checkRun(wovenClass, plainClass, method, run);
      }
    }
    return told;
  }

  private static int checkRun(Class<?> woven, Class<?> plain, Shapes.Method method, int seed)
      throws Exception {
    String which = woven.getName() + '.' + method.name() + method.descriptor() + ' ' + seed;
    String plainResult = run(plain, method, seed);
    assertThat(Ledger.told()).as(which + " is not woven").isEmpty();
    List<String> plainExpected = Ledger.expected();
    List<String> plainDone = Ledger.done();
    assertThat(run(woven, method, seed)).as(which).isEqualTo(plainResult);
    assertThat(Ledger.done()).as(which).isEqualTo(plainDone);
    assertThat(Ledger.expected()).as(which).isEqualTo(plainExpected);
    assertThat(Ledger.told()).as(which).isEqualTo(plainExpected);
    return plainExpected.size();
  }

  /** The result or exception of a method, given values that follow from a seed. */
  private static String run(Class<?> c, Shapes.Method method, int seed) throws Exception {
    Executable executable = find(c, method);
    Object subject = executable instanceof Method && !method.isStatic() ? subject(c, seed) : null;
    Ledger.open(seed);
    Object[] arguments = method.parameters().stream().map(Ledger::value).toArray();
    try {
      return "returns " + describe(invoke(executable, subject, arguments));
    } catch (InvocationTargetException e) {
      assertThat(e.getCause()).isInstanceOf(Ledger.Thrown.class);
      return "throws " + e.getCause();
    }
  }

  /** Constructors may throw, as their choices will have it. */
  private static Object subject(Class<?> c, int seed) throws Exception {
    for (int more = seed; ; more += RUNS) {
      Ledger.open(more);
      try {
        return c.getConstructor().newInstance();
      } catch (InvocationTargetException e) {
        assertThat(e.getCause()).isInstanceOf(Ledger.Thrown.class);
        assertThat(more).as("constructors that throw").isLessThan(100 * RUNS);
      }
    }
  }

  private static @Nullable Object invoke(
      Executable executable, @Nullable Object subject, Object[] arguments) throws Exception {
    if (executable instanceof Constructor) {
      ((Constructor<?>) executable).newInstance(arguments);
      return null;
    }
    return ((Method) executable).invoke(subject, arguments);
  }

  private static String describe(@Nullable Object result) {
    boolean simple = result instanceof Number || result instanceof Character;
    return simple ? String.valueOf(result) : Ledger.text(result);
  }

  private static Executable find(Class<?> c, Shapes.Method method) {
    List<Executable> all = new ArrayList<>(List.of(c.getConstructors()));
    for (Class<?> each : c.getInterfaces()) {
      all.addAll(List.of(each.getMethods()));
    }
    all.addAll(List.of(c.getMethods()));
    return all.stream()
        .filter(e -> e instanceof Constructor ? method.isConstructor() : isNamed(e, method))
        .filter(e -> e.getParameterCount() == method.parameters().size())
        .findFirst()
        .orElseThrow();
  }

  private static boolean isNamed(Executable executable, Shapes.Method method) {
    return executable.getName().equals(method.name());
  }

  /** What ASM's verifier says against a class, which looks at more than the JVM's. */
  private static String faults(byte[] classFile, ClassLoader loader) {
    StringWriter faults = new StringWriter();
    CheckClassAdapter.verify(
        new ClassReader(classFile), loader, false, new PrintWriter(faults, true));
    return faults.toString();
  }
}
