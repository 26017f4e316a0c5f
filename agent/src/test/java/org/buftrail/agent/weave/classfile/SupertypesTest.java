package org.buftrail.agent.weave.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** What stands above a type as its loader sees it, and how often that is asked for it. */
final class SupertypesTest {
  private static final String TYPE = "com/example/Order";

  private final Map<String, byte[]> files = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final ClassLoader loader =
      new ClassLoader(null) {
        @Override
        public @Nullable InputStream getResourceAsStream(String name) {
          asked.add(name);
          byte[] file = files.get(name);
          return file == null ? null : new ByteArrayInputStream(file);
        }
      };

  private static byte[] type(String superclass, String... interfaces) {
    ClassWriter made = new ClassWriter(0);
    made.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, TYPE, null, superclass, interfaces);
    made.visitEnd();
    return made.toByteArray();
  }

  private Supertypes.Direct of(String name) {
    return Objects.requireNonNull(Supertypes.of(loader, name), name);
  }

  @Test
  void aClassFileIsReadOnce() {
    files.put(TYPE + ".class", type("com/example/Base", "com/example/Marked"));
    for (int i = 0; i < 2; i++) {
      assertThat(of(TYPE).superclass).isEqualTo("com/example/Base");
      assertThat(of(TYPE).interfaces).containsExactly("com/example/Marked");
    }
    assertThat(asked).containsExactly(TYPE + ".class");
  }

  @Test
  void whatIsAboutToLoadNeedNotBeRead() {
    Supertypes.note(loader, TYPE, new ClassHead(type("com/example/Base")));
    assertThat(of(TYPE).superclass).isEqualTo("com/example/Base");
    assertThat(asked).isEmpty();
  }

  /** Nor does one that came meanwhile: it is looked for again a while later. */
  @Test
  void aTypeThatIsMissingIsNotLookedForAgainAtOnce() {
    assertThat(Supertypes.of(loader, TYPE)).isNull();
    files.put(TYPE + ".class", type("com/example/Base"));
    assertThat(Supertypes.of(loader, TYPE)).isNull();
    assertThat(asked).containsExactly(TYPE + ".class");
  }

  @Test
  void aFileThatIsNoClassIsMissing() {
    files.put(TYPE + ".class", new byte[] {1, 2, 3});
    assertThat(Supertypes.of(loader, TYPE)).isNull();
  }

  @Test
  void theJdkAndTheClassPathAreFoundByTheirLoaders() {
    Supertypes.Direct string = Supertypes.of(null, "java/lang/String");
    assertThat(Objects.requireNonNull(string).superclass).isEqualTo("java/lang/Object");
    String own = SupertypesTest.class.getName().replace('.', '/');
    assertThat(Supertypes.of(getClass().getClassLoader(), own)).isNotNull();
    assertThat(Supertypes.of(loader, own)).isNull();
  }
}
