package org.buftrail.agent.weave.hops;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.woven.Collects;
import com.example.woven.Readers;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.buftrail.agent.weave.classfile.Ancestry;
import org.buftrail.agent.weave.classfile.FirstLines;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Which methods only read the buffers they get. */
final class ReadOnlyMethodsTest {
  private static final ClassLoader LOADER = ReadOnlyMethodsTest.class.getClassLoader();

  private final Netty4 library = new Netty4();
  private final TrackedTypes types =
      types(name -> library.isBuffer(name) || library.isHolder(name));

  private TrackedTypes types(Predicate<String> carriers) {
    return new TrackedTypes(
        library,
        Ancestry.ofNamed(carriers),
        Ancestry.ofNamed(library::isBuffer),
        type -> false,
        List.of(),
        LOADER,
        () -> false);
  }

  private static byte[] classFile(Class<?> c) throws IOException {
    try (InputStream in = LOADER.getResourceAsStream(c.getName().replace('.', '/') + ".class")) {
      return in.readAllBytes();
    }
  }

  private Set<String> readers(Class<?> c, String own) throws IOException {
    return ReadOnlyMethods.of(
            new ClassReader(classFile(c)), LOADER, types, name -> name.startsWith(own))
        .readers()
        .stream()
        .map(method -> method.substring(0, method.indexOf('(')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aMethodThatKeepsPassesOnReturnsOrReleasesIsNoReader() throws Exception {
    assertThat(readers(Readers.class, "com/example/"))
        .isEqualTo(
            Stream.concat(
                    Arrays.stream(Readers.class.getDeclaredMethods())
                        .map(java.lang.reflect.Method::getName)
                        .filter(name -> name.startsWith("reads")),
                    Stream.of("overridden"))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void whatALibraryDeclaresItCallsAndGivesAway() throws Exception {
    Class<?> sink = Class.forName(Readers.class.getName() + "$Sink", false, LOADER);
    assertThat(readers(sink, "com/example/")).containsExactly("readsToo");
    Class<?> checked = Class.forName(Readers.class.getName() + "$Checked", false, LOADER);
    assertThat(readers(checked, "com/example/")).containsExactly("readsByOwnInterface");
    assertThat(readers(checked, "none/")).isEmpty();
  }

  @Test
  void aCollectorPutsWhatItGetsIntoACollectionThatItWasNotGiven() throws Exception {
    ClassReader reader = new ClassReader(classFile(Collects.class));
    TrackedTypes wider =
        types(name -> library.isBuffer(name) || library.isHolder(name) || library.mayHold(name));
    MethodUses uses = ReadOnlyMethods.of(reader, LOADER, wider, name -> true);
    assertThat(uses.collectors())
        .extracting(method -> method.substring(0, method.indexOf('(')))
        .containsExactlyInAnyOrder("collects", "channelRead", "collectsByKey", "collectsOf");
    FirstLines lines = FirstLines.of(reader);
    Site entry = new Site("a.B", "collects", "", 7, "");
    List<String> releasing =
        uses.marked(entry, "collects(Lio/netty/buffer/ByteBuf;)V", lines).collects();
    assertThat(releasing)
        .extracting(place -> place.replaceAll(":\\d+$", ""))
        .containsExactly("releasesAll", "releases");
    assertThat(uses.marked(entry, "passes(Lio/netty/buffer/ByteBuf;)V", lines)).isSameAs(entry);
  }

  /** Without a buffer, nothing but a stack that is followed wrongly can be found. */
  @Test
  void theStackOfAllThatCompilersWriteIsFollowed() throws Exception {
    Set<String> wrong = new TreeSet<>();
    int methods = 0;
    for (Class<?> each : List.of(ByteBuf.class, Assertions.class, ClassReader.class)) {
      Path jar = Path.of(each.getProtectionDomain().getCodeSource().getLocation().toURI());
      try (JarFile file = new JarFile(jar.toFile())) {
        for (JarEntry entry : file.stream().collect(Collectors.toList())) {
          if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF")) {
            try (InputStream in = file.getInputStream(entry)) {
              methods += follow(new ClassReader(in), wrong);
            }
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(methods).isGreaterThan(10_000);
  }

  private static int follow(ClassReader reader, Set<String> wrong) {
    int[] methods = new int[1];
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public @Nullable MethodVisitor visitMethod(
              int access,
              String method,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            String name = reader.getClassName() + '.' + method + descriptor;
            wrong.add(name);
            methods[0]++;
            return new Followed((access & Opcodes.ACC_STATIC) != 0, descriptor, name, wrong);
          }
        },
        ClassReader.SKIP_DEBUG | ClassReader.EXPAND_FRAMES);
    return methods[0];
  }

  private static final class Followed extends ReadOnlyCode {
    private final String name;
    private final Set<String> wrong;

    Followed(boolean isStatic, String descriptor, String name, Set<String> wrong) {
      super(
          isStatic,
          Type.getArgumentTypes(descriptor),
          new boolean[Type.getArgumentTypes(descriptor).length]);
      this.name = name;
      this.wrong = wrong;
    }

    @Override
    boolean onlyReads(
        int opcode,
        String owner,
        String method,
        String descriptor,
        boolean receiver,
        boolean[] arguments) {
      return false;
    }

    @Override
    boolean mayCarry(Type type) {
      return true;
    }

    @Override
    void isReader() {
      wrong.remove(name);
    }
  }
}
