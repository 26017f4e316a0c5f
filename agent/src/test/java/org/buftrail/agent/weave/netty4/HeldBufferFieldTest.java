package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.woven.Messages;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.buftrail.agent.weave.Weaver;
import org.buftrail.agent.weave.WeavingLoader;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.state.BufferHolder;
import org.buftrail.flow.state.HolderRoot;
import org.buftrail.flow.state.Owners;
import org.buftrail.flow.state.TrackedBuffer;
import org.junit.jupiter.api.Test;

/** What woven classes show of what they hold or view, and what those that were not woven do. */
final class HeldBufferFieldTest {
  private final List<String> log = new ArrayList<>();
  private final WeavingLoader loader = new WeavingLoader(WeavingLoader.weaver("nothing.here", log));

  @Test
  void aHolderShowsWhatItsFieldHas() throws Exception {
    Map<String, Object> shown = new LinkedHashMap<>();
    Map<String, Object> expected = new LinkedHashMap<>();
    cases("holders", loader)
        .forEach(
            (name, parts) -> {
              shown.put(name, Owners.held(parts[0]));
              expected.put(name, parts[1]);
            });
    assertSame(shown, expected);
    assertThat(expected).hasSizeGreaterThan(16);
    assertThat(log).isEmpty();
  }

  /** Else each hop of an application that uses Netty alone would search for an interface. */
  @Test
  void nettysOwnHoldersAreKnownByTheirSuperclass() throws Exception {
    List<String> others = new ArrayList<>();
    cases("holders", loader)
        .forEach(
            (name, parts) -> {
              if (parts[1] != null && !(parts[0] instanceof HolderRoot)) {
                others.add(name);
              }
            });
    assertThat(others).containsExactly("own", "own, of a content");
  }

  /** Mockito would take a call of one for a call of the application's. */
  @Test
  void whatIsAddedIsSynthetic() throws Exception {
    assertThat(HolderRoot.class.getDeclaredMethods()).isEmpty();
    for (String name :
        List.of(
            "io.netty.buffer.DefaultByteBufHolder",
            "io.netty.handler.codec.http.DefaultHttpObject",
            "io.netty.util.AbstractReferenceCounted")) {
      Class<?> type = loader.loadClass(name);
      assertThat(type.getSuperclass()).as(name).isEqualTo(HolderRoot.class);
      assertThat(type.getDeclaredMethod("buftrail$content").isSynthetic()).as(name).isTrue();
    }
  }

  /** As one is that other agents have put something above, before it came here. */
  @Test
  void aClassThatDidNotGetItsPartIsLeftAlone() throws Exception {
    String name = "io/netty/buffer/DefaultByteBufHolder";
    Class<?> bare = new WeavingLoader(null).loadClass(name.replace('/', '.'));
    Weaver weaver = WeavingLoader.weaver("nothing.here", log);
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      byte[] classFile = Objects.requireNonNull(in).readAllBytes();
      ClassLoader of = bare.getClassLoader();
      Module module = loader.getUnnamedModule();
      assertThat(weaver.transform(module, of, name, null, null, classFile)).isNotNull();
      assertThat(weaver.transform(module, of, name, bare, null, classFile)).isNull();
    }
  }

  @Test
  void aProxyIsNotAsked() throws Exception {
    List<Class<?>> interfaces =
        List.of(
            loader.loadClass("io.netty.buffer.ByteBufHolder"),
            loader.loadClass("io.netty.handler.codec.http.HttpContent"),
            BufferHolder.class);
    for (Class<?> type : interfaces) {
      Object proxy =
          Proxy.newProxyInstance(
              loader,
              new Class<?>[] {type},
              (self, method, arguments) -> {
                throw new AssertionError("calls " + method);
              });
      assertThat(Owners.held(proxy)).isNull();
    }
    assertThat(interfaces.subList(0, 2)).noneMatch(BufferHolder.class::isAssignableFrom);
  }

  @Test
  void whatStaysAfterADetachDoesNotLookWoven() throws Exception {
    Weaver weaver = WeavingLoader.weaver("nothing.here", log);
    weaver.rest();
    for (String name :
        List.of(
            "io/netty/buffer/DefaultByteBufHolder",
            "io/netty/buffer/WrappedByteBuf",
            "io/netty/handler/codec/http/DefaultHttpContent",
            "com/example/woven/Messages$Own",
            "com/example/woven/Messages$Delegating")) {
      try (InputStream in = loader.getResourceAsStream(name + ".class")) {
        byte[] woven =
            weaver.transform(
                loader.getUnnamedModule(),
                loader,
                name,
                null,
                null,
                Objects.requireNonNull(in).readAllBytes());
        assertThat(new String(Objects.requireNonNull(woven), StandardCharsets.ISO_8859_1))
            .as(name)
            .contains("buftrail$")
            .doesNotContain(Names.BUFFERS);
      }
    }
  }

  @Test
  void aViewShowsTheBufferThatItIsOf() throws Exception {
    Map<String, Object> shown = new LinkedHashMap<>();
    Map<String, Object> expected = new LinkedHashMap<>();
    cases("views", loader)
        .forEach(
            (name, parts) -> {
              shown.put(name, ((TrackedBuffer) parts[0]).buftrail$owner());
              expected.put(name, parts[1]);
            });
    assertSame(shown, expected);
    assertThat(log).isEmpty();
  }

  /** By the method that asks what it shows for its count, since it throws from any other. */
  @Test
  void theViewOfADecoderShowsTheBufferThatItIsOf() throws Exception {
    Object buffer = Objects.requireNonNull(cases("views", loader).get("counting"))[0];
    Constructor<?> make =
        loader
            .loadClass("io.netty.handler.codec.ReplayingDecoderByteBuf")
            .getDeclaredConstructor(loader.loadClass("io.netty.buffer.ByteBuf"));
    make.setAccessible(true);
    TrackedBuffer view = (TrackedBuffer) make.newInstance(buffer);
    assertThat(view.buftrail$owner()).isSameAs(buffer);
  }

  /** No handler is given one. */
  @Test
  void aCertificateIsNoHolder() throws Exception {
    Class<?> certificate = loader.loadClass("io.netty.handler.ssl.PemX509Certificate");
    assertThat(certificate.getMethod("content")).isNotNull();
    assertThat(BufferHolder.class.isAssignableFrom(certificate)).isFalse();
    assertThat(log).isEmpty();
  }

  @Test
  void classesThatWereNotWovenAreReadByTheSameFields() throws Exception {
    WeavingLoader bare = new WeavingLoader(null);
    NettyBufferAccess foreign =
        new NettyBufferAccess(bare.loadClass("io.netty.buffer.ByteBuf"), c -> {});
    Map<String, Object> shown = new LinkedHashMap<>();
    Map<String, Object> expected = new LinkedHashMap<>();
    cases("holders", bare)
        .forEach(
            (name, parts) -> {
              shown.put(name, foreign.content(parts[0]));
              // Without their byte code it is not known which field of theirs it is.
              expected.put(name, name.startsWith("own") ? null : parts[1]);
            });
    cases("views", bare)
        .forEach(
            (name, parts) -> {
              shown.put("of " + name, foreign.owner(parts[0]));
              expected.put("of " + name, parts[1]);
            });
    assertSame(shown, expected);
  }

  @SuppressWarnings("unchecked") // made in another loader, of the JDK's classes
  private static Map<String, Object[]> cases(String method, WeavingLoader loader)
      throws ReflectiveOperationException {
    return (Map<String, Object[]>) loader.run(Messages.class, method);
  }

  private static void assertSame(Map<String, Object> shown, Map<String, Object> expected) {
    for (String name : expected.keySet()) {
      assertThat(shown.get(name)).as(name).isSameAs(expected.get(name));
    }
  }
}
