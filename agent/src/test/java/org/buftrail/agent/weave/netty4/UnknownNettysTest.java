package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which Nettys are left alone. */
final class UnknownNettysTest {
  private static final String PACKAGE = "io/netty/buffer/";
  private static final String COUNTING = "AbstractReferenceCountedByteBuf";

  private final UnknownNettys unknown = new UnknownNettys();

  /** Netty's classes, without a member in one of them. */
  private static final class Lacking extends ClassLoader {
    private final String simpleName;
    private final String member;

    Lacking(String simpleName, String member) {
      super(null);
      this.simpleName = simpleName;
      this.member = member;
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
      try {
        byte[] bytes = bytes(name);
        boolean lacks = name.equals(PACKAGE + simpleName + ".class");
        return bytes == null
            ? null
            : new ByteArrayInputStream(lacks ? without(bytes, member) : bytes);
      } catch (IOException e) {
        return null;
      }
    }
  }

  private static byte @Nullable [] bytes(String name) throws IOException {
    ClassLoader loader = Objects.requireNonNull(ByteBuf.class.getClassLoader());
    try (InputStream in = loader.getResourceAsStream(name)) {
      return in == null ? null : in.readAllBytes();
    }
  }

  private static byte[] without(byte[] classFile, String member) {
    return new String(classFile, StandardCharsets.ISO_8859_1)
        .replace(member, "x".repeat(member.length()))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] counting() throws IOException {
    return Objects.requireNonNull(bytes(PACKAGE + COUNTING + ".class"));
  }

  @Test
  void aNettyThatHasWhatIsWovenIsFollowed() {
    ClassLoader loader = ByteBuf.class.getClassLoader();
    assertThat(unknown.reason(loader, PACKAGE + "CompositeByteBuf", null)).isNull();
  }

  @Test
  void oneThatCountsInAnotherWayIsNot() {
    ClassLoader loader = new Lacking(COUNTING, "handleRelease");
    assertThat(unknown.reason(loader, PACKAGE + "CompositeByteBuf", null))
        .matches(
            "Netty 4\\.\\d+\\.\\d+\\.Final is not followed: the agent needs Netty 4\\.1\\.40 or"
                + " later, and finds no AbstractReferenceCountedByteBuf\\.handleRelease");
  }

  @Test
  void oneThatLacksAFieldIsNot() {
    ClassLoader loader = new Lacking("CompositeByteBuf$Component", "srcBuf");
    assertThat(unknown.reason(loader, PACKAGE + "ByteBuf", null))
        .endsWith("finds no CompositeByteBuf$Component.srcBuf");
  }

  @Test
  void aRelocatedOneIsNamedByItsPackage() throws IOException {
    byte[] other = without(counting(), "handleRelease");
    String name = "com/acme/io/netty/buffer/" + COUNTING;
    assertThat(unknown.reason(new Lacking("", ""), name, other))
        .startsWith("the Netty in com.acme.io.netty.buffer is not followed");
  }

  @Test
  void whereALoaderGivesNoFilesTheClassThatCountsDecides() throws IOException {
    ClassLoader silent = new ClassLoader(null) {};
    assertThat(unknown.reason(silent, PACKAGE + "ByteBuf", null)).isNull();
    byte[] other = without(counting(), "handleRelease");
    assertThat(unknown.reason(silent, PACKAGE + COUNTING, other)).isNotNull();
    assertThat(unknown.reason(silent, PACKAGE + "ByteBuf", null)).isNotNull();
  }

  @Test
  void eachLoaderIsAskedForItself() {
    ClassLoader old = new Lacking(COUNTING, "handleRelease");
    assertThat(unknown.reason(old, PACKAGE + "ByteBuf", null)).isNotNull();
    assertThat(unknown.reason(ByteBuf.class.getClassLoader(), PACKAGE + "ByteBuf", null)).isNull();
  }
}
