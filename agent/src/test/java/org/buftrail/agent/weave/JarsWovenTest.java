package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.buftrail.agent.weave.classfile.Ancestry;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.ClassPathFiles;
import org.buftrail.agent.weave.classfile.FirstLines;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.agent.weave.hops.HopVisitor;
import org.buftrail.agent.weave.hops.MethodUses;
import org.buftrail.agent.weave.hops.ReadOnlyMethods;
import org.buftrail.agent.weave.hops.TrackedTypes;
import org.buftrail.agent.weave.library.BufferLibrary;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Every class of real jars, woven as it is and woven by visiting all methods of all classes: what
 * is passed by without a look inside is what would have stayed the same.
 */
@Tag("slow")
final class JarsWovenTest {
  private static final ClassLoader LOADER = JarsWovenTest.class.getClassLoader();

  /** Every package of the jars. */
  private static final String INCLUDED = "io,org,com";

  private final List<String> log = new ArrayList<>();
  private final BufferLibrary library = new Netty4();
  private final Ancestry carriers =
      Ancestry.ofNamed(name -> library.isBuffer(name) || library.isHolder(name));
  private final PlainWrappers wrappers =
      new PlainWrappers(library, carriers, ClassPattern.parse(INCLUDED)::matches);
  private final Ancestry declared =
      Ancestry.ofNamed(
          name -> library.isBuffer(name) || library.isHolder(name) || library.mayHold(name));
  private final Ancestry buffers = Ancestry.ofNamed(library::isBuffer);
  private final Rewriter rewriter = new Rewriter(log::add);

  /** Class files by name. */
  private static Map<String, byte[]> classes(String jarName) throws IOException {
    Map<String, byte[]> classes = new HashMap<>();
    for (String element :
        System.getProperty("surefire.test.class.path").split(File.pathSeparator, -1)) {
      if (new File(element).getName().startsWith(jarName)) {
        read(new File(element), classes);
      }
    }
    assertThat(classes).as(jarName).isNotEmpty();
    return classes;
  }

  private static void read(File file, Map<String, byte[]> classes) throws IOException {
    try (JarFile jar = new JarFile(file)) {
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        String name = entry.getName();
        if (name.endsWith(".class") && !name.startsWith("META-INF") && name.contains("/")) {
          try (InputStream in = jar.getInputStream(entry)) {
            classes.put(name.substring(0, name.length() - ".class".length()), in.readAllBytes());
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "netty-buffer",
        "netty-codec-http",
        "netty-codec-mqtt",
        "netty-handler",
        "netty-transport",
        "grpc-netty-1",
        "grpc-netty-shaded",
        "spring-web",
        "jackson-databind",
        "protobuf-java"
      })
  void whatIsPassedByWouldHaveStayedTheSame(String jar) throws IOException {
    Weaver weaver = WeavingLoader.weaver(INCLUDED, log);
    Module module = LOADER.getUnnamedModule();
    for (Map.Entry<String, byte[]> each : classes(jar).entrySet()) {
      String name = each.getKey();
      byte[] woven = weaver.transform(module, LOADER, name, null, null, each.getValue());
      byte[] visited = visited(name, each.getValue());
      assertThat(woven == null).as(name + " stays as it is").isEqualTo(visited == null);
      if (woven != null && visited != null) {
        assertThat(Arrays.equals(written(woven), written(visited))).as(name).isTrue();
      }
    }
    assertThat(log).isEmpty();
  }

  /** Woven with a visitor for each method. */
  private byte @Nullable [] visited(String name, byte[] classFile) {
    boolean wraps = !library.isOwn(name) && wrappers.look(LOADER, name, classFile);
    byte[] own = library.weave(rewriter, LOADER, name, null, classFile, false);
    byte[] before = own == null ? classFile : own;
    ClassReader reader = new ClassReader(before);
    if (library.isOfBuffers(name)
        || library.readsCounts(name)
        || buffers.includes(LOADER, new ClassHead(before))) {
      return own;
    }
    boolean streams = TrackedTypes.mayBeStreams(before);
    TrackedTypes types =
        new TrackedTypes(
            library,
            declared,
            buffers,
            type -> wrappers.includes(LOADER, type),
            List.of(),
            LOADER,
            () -> streams);
    ClassPattern all = ClassPattern.parse(INCLUDED);
    Predicate<String> instrumented =
        owner ->
            all.matches(owner)
                && !library.isOfBuffers(owner)
                && !library.readsCounts(owner)
                && !types.isBuffer(owner);
    boolean holder = carriers.includes(LOADER, new ClassHead(before));
    HopVisitor.Extent scope =
        new HopVisitor.Extent(instrumented, null, true, true, wraps, holder, true);
    FirstLines lines = FirstLines.of(reader);
    checkHeads(reader, lines);
    MethodUses uses = ReadOnlyMethods.of(reader, LOADER, types, all::matches);
    byte[] hops =
        rewriter.rewrite(before, next -> new HopVisitor(next, name, types, scope, lines, uses));
    return hops == null ? own : hops;
  }

  /** Compares what was read of each method's head with what a visit of its code shows. */
  private static void checkHeads(ClassReader reader, FirstLines heads) {
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String method,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            String which = reader.getClassName() + "." + method + descriptor;
            return new MethodVisitor(Opcodes.ASM9) {
              private int first;

              @Override
              public void visitLineNumber(int line, Label start) {
                first = first == 0 ? line : first;
              }

              @Override
              public void visitMaxs(int stack, int locals) {
                assertThat(heads.line(method, descriptor)).as(which).isEqualTo(first);
                assertThat(heads.unusedLocal(method, descriptor)).as(which).isEqualTo(locals);
              }
            };
          }
        },
        0);
  }

  /**
   * Written anew, with a constant pool in the order of use: methods that are copied keep theirs.
   */
  private static byte[] written(byte[] classFile) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    new ClassReader(classFile).accept(writer, 0);
    return writer.toByteArray();
  }

  @Test
  void aClassFileOfTheClassPathIsTheOneThatItsLoaderFinds() throws IOException {
    ClassPathFiles files = new ClassPathFiles(System.getProperty("java.class.path"));
    List<String> names = new ArrayList<>(classes("netty-buffer").keySet());
    names.add(Weaver.class.getName().replace('.', '/'));
    for (String name : names) {
      String resource = name + ".class";
      try (InputStream in = LOADER.getResourceAsStream(resource)) {
        boolean same = Arrays.equals(files.read(resource), in.readAllBytes());
        assertThat(same).as(resource).isTrue();
      }
    }
    assertThat(files.read("no/such/Type.class")).isNull();
  }
}
