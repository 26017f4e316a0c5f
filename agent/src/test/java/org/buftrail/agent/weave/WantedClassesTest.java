package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.woven.Calls;
import com.example.woven.Leases;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.agent.weave.resources.ResourceRule;
import org.buftrail.agent.weave.selection.ApplicationClasses;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.buftrail.agent.weave.selection.MainClass;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which classes are of interest: by their names, by what they name, and as they load. */
final class WantedClassesTest {
  private static final String TAKES_BUFFER = "(Lio/netty/buffer/ByteBuf;)V";

  private final List<String> log = new ArrayList<>();
  private final Weaver weaver = new Weaver(new Netty4(), log::add);

  private static Selection patterns(String include, String exclude, String constructors) {
    return new Selection(
        ClassPattern.parse(include),
        ClassPattern.parse(exclude),
        ClassPattern.parse(constructors),
        List.of());
  }

  /** Leases, which close themselves. */
  private static ResourceRule leases() {
    String lease = Leases.Lease.class.getName().replace('.', '/');
    List<ResourceRule.Member> open = List.of(new ResourceRule.Member(lease, "<init>", null));
    List<ResourceRule.Member> close = List.of(new ResourceRule.Member(lease, "close", ""));
    return new ResourceRule(5, lease, open, close);
  }

  @ParameterizedTest
  @CsvSource({
    "com.example.woven.Calls, com.example, none, none, true",
    "com.example.woven.Calls, none, none, com.example, true",
    "com.example.woven.Calls, com.example, com.example.woven.Calls, com.example, false",
    "com.example.woven.Calls, none, none, none, false",
    "io.netty.buffer.Unpooled, none, none, none, true",
    "io.netty.channel.Channel, none, none, none, false",
    "io.netty.channel.Channel, io.netty, none, none, true",
    "java.util.ArrayDeque, java, none, java, false",
    "org.buftrail.agent.weave.Ledger, org.buftrail, none, org.buftrail, false",
  })
  void aLoadedClassIsWantedByItsName(
      String name, String include, String exclude, String constructors, boolean wanted)
      throws Exception {
    Class<?> type = Class.forName(name, false, getClass().getClassLoader());
    Selection patterns = patterns(include, exclude, constructors);
    assertThat(weaver.mayWant(type, patterns)).isEqualTo(wanted);
  }

  @Test
  void whatOpensOrClosesAResourceIsWantedWhateverIsIncluded() {
    Selection rule = patterns("none", "none", "none").with(leases());
    assertThat(weaver.mayWant(Leases.Lease.class, rule)).isTrue();
    assertThat(weaver.mayChange(Leases.Lease.class, Set.of(), rule)).isTrue();
    assertThat(rule.mayUse(Leases.Lease.class)).isTrue();
    assertThat(weaver.mayWant(Calls.class, rule)).isFalse();
    assertThat(weaver.mayChange(Calls.class, Set.of(), rule)).isFalse();
    assertThat(rule.mayUse(Calls.class)).isFalse();
    Selection included = patterns("com.example", "none", "none").with(leases());
    assertThat(included.mayUse(Calls.class)).isTrue();
    assertThat(weaver.mayChange(Calls.class, Set.of(), included)).as("may take one").isTrue();
  }

  @Test
  void oneMoreResourceLeavesTheRestAsItIs() {
    Selection before = patterns("com.example,org.acme", "none", "none");
    ResourceRule rule = leases();
    Selection after = before.with(rule);
    assertThat(after.resources()).containsExactly(rule);
    assertThat(after.packages()).containsExactly("com.example", "org.acme");
    assertThat(before.resources()).isEmpty();
  }

  /** By where they come from, which of these is a directory. */
  @Test
  void withoutNamesTheApplicationsOwnAreWanted() {
    ApplicationClasses own =
        new ApplicationClasses(MainClass.UNKNOWN, "", name -> name.startsWith("io/netty/"));
    Selection patterns = new Selection(own, ClassPattern.NONE, ClassPattern.NONE, List.of());
    assertThat(weaver.mayWant(Calls.class, patterns)).isTrue();
    assertThat(weaver.mayWant(Test.class, patterns)).as("of a library").isFalse();
    assertThat(patterns.packages()).containsExactly("com.example.woven");
  }

  @ParameterizedTest
  @CsvSource({
    "com.example, none, (Lio/netty/buffer/ByteBuf;)V, true",
    "none, com.example, (Lio/netty/buffer/ByteBuf;)V, true",
    "none, none, (Lio/netty/buffer/ByteBuf;)V, false",
    "com.example, none, ()Lio/netty/buffer/ByteBuf;, true",
    "com.example, none, Lio/netty/buffer/ByteBuf;, false",
    "com.example, none, (Ljava/lang/String;)V, false",
    "com.example, none, (no descriptor, false",
    "com.example, none, (Ljava/io/InputStream;)V, false",
    "com.example, none, (Ljava/io/InputStream;)V io/grpc/Metadata, true",
    "com.example, none, poll io/netty/buffer/ByteBuf, true",
    "com.example, none, peek io/netty/buffer/ByteBuf, false",
    "com.example, none, poll java/util/Queue, false",
  })
  void anIncludedClassMayChangeIfItNamesWhatCarriesABuffer(
      String include, String constructors, String strings, boolean changes) {
    Set<String> pool = new HashSet<>(Arrays.asList(strings.split(" ")));
    Selection patterns = patterns(include, "none", constructors);
    assertThat(weaver.mayChange(Calls.class, pool, patterns)).isEqualTo(changes);
  }

  @Test
  void ofBuffersThoseMayChangeThatTellOfThemWhateverIsIncluded() {
    for (String include : List.of("none", "io.netty")) {
      Selection patterns = patterns(include, "none", "none");
      Set<String> strings = Set.of(TAKES_BUFFER);
      assertThat(weaver.mayChange(Unpooled.class, strings, patterns)).isTrue();
      assertThat(weaver.mayChange(ByteBuf.class, strings, patterns)).isFalse();
    }
  }

  private byte @Nullable [] transform(Module module, Class<?> type) throws IOException {
    return weaver.transform(
        module, getClass().getClassLoader(), name(type), null, null, classFile(type));
  }

  private static String name(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static byte[] classFile(Class<?> type) throws IOException {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name(type) + ".class")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  @Test
  void classesOfTheAgentAreLeftAlone() throws Exception {
    weaver.weave(patterns("com.example,org.buftrail", "none", "none"));
    assertThat(transform(Ledger.class.getModule(), Ledger.class)).isNull();
  }

  /** Whether it is read for its own sake or for a resource's. */
  @ParameterizedTest
  @CsvSource({"com.example, false", "none, true"})
  void whatCannotBeReadStaysAsItIsAndIsNamedOnce(String include, boolean resources) {
    Selection patterns = patterns(include, "none", "none");
    weaver.weave(resources ? patterns.with(leases()) : patterns);
    ClassLoader loader = getClass().getClassLoader();
    String name = "com/example/Unreadable" + include.length();
    for (int i = 0; i < 2; i++) {
      byte[] noClass = {1, 2, 3, 4};
      Module module = loader.getUnnamedModule();
      assertThat(weaver.transform(module, loader, name, null, null, noClass)).isNull();
    }
    assertThat(log)
        .singleElement()
        .asString()
        .startsWith("class " + Names.binary(name) + " is not woven, or not whole: ");
  }
}
